// The sub-commands of `binnacle`. What only one of them needs is loaded when it runs.
import { binnacleFlags } from '#app/flags/binnacle-flags.ts';
import { type FlagDefinition, FlagError, type FlagValues } from '#app/flags/flags.ts';
import { allFlags } from '#app/flags/options.ts';

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What may follow it. */
  readonly usage?: string;
  readonly flags: readonly FlagDefinition[];
  /** Words that may follow it, where there are only a few. */
  readonly words?: readonly string[];
  /** Undefined: the server itself, whose flags are options of their own. */
  readonly run?: (flags: FlagValues, words: readonly string[]) => Promise<void>;
}

const section = 'command';
const help: FlagDefinition = { name: 'help', type: 'bool', default: false, section, shorthand: 'h', help: 'Show this help.' };
const dataDir = binnacleFlags.filter(({ name }) => name === 'data-dir');
const kubeconfig: FlagDefinition = {
  name: 'kubeconfig',
  type: 'string',
  default: '',
  section,
  help: 'How to reach the server. Default: as the administrator of the server of --data-dir.',
};
const output: FlagDefinition = {
  name: 'output',
  type: 'string',
  default: '',
  section,
  shorthand: 'o',
  help: 'The file to write. Default: the standard output.',
};
const to: FlagDefinition = {
  name: 'to',
  type: 'string',
  default: '',
  section,
  help: 'Where `migrate` takes the objects: a data directory, or URLs of an etcd with commas between them. Default: they are written anew where they are.',
};
const server: FlagDefinition = {
  name: 'server',
  type: 'string',
  default: '',
  section,
  help: 'The address to put in, where clients reach the server by another one.',
};

/** As the server of that store has them. */
const storageFlags = allFlags.filter(({ name }) => name !== 'help');

export const commands: readonly Command[] = [
  { name: 'serve', summary: 'Run the server (default)', flags: allFlags },
  {
    name: 'kubeconfig',
    summary: 'Print the kubeconfig of the administrator',
    flags: [...dataDir, server, help],
    run: async (flags) => (await import('#app/command/kubeconfig-command.ts')).kubeconfigCommand(flags),
  },
  {
    name: 'export',
    summary: 'Write everything a running server has stored as YAML',
    flags: [...dataDir, kubeconfig, output, help],
    run: async (flags) => (await import('#app/command/state-commands.ts')).exportCommand(flags),
  },
  {
    name: 'import',
    summary: 'Put the objects of such a file into a running server',
    usage: 'FILE',
    flags: [...dataDir, kubeconfig, help],
    run: async (flags, words) => (await import('#app/command/state-commands.ts')).importCommand(flags, words),
  },
  {
    name: 'nodes',
    summary: 'Play nodes on a running server, of whatever make',
    flags: [...dataDir, kubeconfig, ...binnacleFlags.filter(({ name }) => name === 'nodes'), help],
    run: async (flags) => (await import('#app/command/nodes-command.ts')).nodesCommand(flags),
  },
  {
    name: 'stages',
    summary: 'Print the definition of Stages, which play the lives of any objects',
    flags: [help],
    run: async () => (await import('#app/command/nodes-command.ts')).stagesCommand(),
  },
  {
    name: 'storage',
    summary: 'Check the objects of a store, write them anew, or take them to another one',
    usage: 'check|migrate',
    flags: [...storageFlags, to, help],
    words: ['check', 'migrate'],
    run: async (flags, words) => (await import('#app/command/storage-command.ts')).storageCommand(flags, words),
  },
  {
    name: 'completion',
    summary: 'Print a script that completes this command in bash, zsh or fish',
    usage: 'bash|zsh|fish',
    flags: [help],
    words: ['bash', 'zsh', 'fish'],
    run: async (_, [shell = '']) => completionCommand(shell),
  },
  {
    name: 'version',
    summary: 'Print the versions of binnacle and of Kubernetes',
    flags: [help],
    run: async () => (await import('#app/command/version-command.ts')).versionCommand(),
  },
];

async function completionCommand(shell: string): Promise<void> {
  const { completionScript, shells } = await import('#cli/completion.ts');
  const known = shells.find((one) => one === shell);
  if (known === undefined) throw new FlagError(`completion takes the name of a shell: ${shells.join(', ')}`);
  const described = commands.map(({ flags, ...command }) => ({ ...command, flags: flags.map(({ name }) => name) }));
  process.stdout.write(completionScript(known, 'binnacle', described));
}
