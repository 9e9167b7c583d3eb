// The program: reads the command line and does what it says.
import { homedir } from 'node:os';
import { type Command, commands } from '#app/command/commands.ts';
import { exitCodeOf, isExpected } from '#app/command/exit-code.ts';
import { serve } from '#app/command/serve.ts';
import { FlagError, parseFlags } from '#app/flags/flags.ts';
import { commandHelp, helpText, shortHelp } from '#app/flags/help.ts';
import { flagsOf, parseOptions, type Program } from '#app/flags/options.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

export async function main(argv: readonly string[], program: Program): Promise<void> {
  try {
    await (program === 'binnacle' ? runCommand(argv) : runServerAs(program, argv));
  } catch (problem) {
    if (!isExpected(problem)) throw problem;
    process.stderr.write(`Error: ${problem.message}\n`);
    process.exit(program === 'binnacle' ? exitCodeOf(problem) : 1);
  }
}

async function runCommand(argv: readonly string[]): Promise<void> {
  const [first = ''] = argv;
  const isNamed = first !== '' && !first.startsWith('-');
  const command = commands.find(({ name }) => name === (isNamed ? first : 'serve'));
  if (command === undefined) throw new FlagError(`unknown command "${first}"${await meant(first, namesOf(commands), '')}`);
  const rest = isNamed ? argv.slice(1) : argv;
  try {
    if (command.run === undefined) await runServerAs('binnacle', rest);
    else await runSubCommand(command, command.run, rest);
  } catch (problem) {
    if (!(problem instanceof FlagError) || problem.unknownFlag === undefined) throw problem;
    throw new FlagError(`${problem.message}${await meant(problem.unknownFlag, namesOf(command.flags), '--')}`);
  }
}

async function runSubCommand(command: Command, run: NonNullable<Command['run']>, argv: readonly string[]): Promise<void> {
  const { flags, positional } = parseFlags(command.flags, argv);
  if (flags.boolean('help')) return void process.stdout.write(commandHelp(command));
  if (command.usage === undefined && positional.length > 0)
    throw new FlagError(`binnacle ${command.name} takes no arguments, got ${JSON.stringify(positional)}`);
  await run(flags, positional);
}

async function runServerAs(program: Program, argv: readonly string[]): Promise<void> {
  const options = parseOptions(argv, { homeDir: homedir(), program });
  const { flags } = options;
  const isFull = program !== 'binnacle' || flags.boolean('help-all');
  if (flags.boolean('help') || (program === 'binnacle' && isFull)) return void process.stdout.write(helpOf(program, isFull));
  if (flags.isGiven('version') && flags.text('version') !== 'false') return void process.stdout.write(`Kubernetes ${kubernetesVersion.gitVersion}\n`);
  await serve(options);
}

/** As kube-apiserver it tells all of its flags: envtest looks for some of them. */
function helpOf(program: Program, isFull: boolean): string {
  return isFull ? helpText(program, flagsOf(program)) : shortHelp(flagsOf(program), commands);
}

function namesOf(named: readonly { readonly name: string }[]): readonly string[] {
  return named.map(({ name }) => name);
}

/** A question for who made a typing error; nothing where no name is near. */
async function meant(word: string, names: readonly string[], dashes: string): Promise<string> {
  const { nearestOf } = await import('#cli/nearest.ts');
  const nearest = nearestOf(word, names);
  return nearest === undefined ? '; binnacle --help lists them' : `; did you mean ${dashes}${nearest}?`;
}
