import type { FlagDefinition, FlagType } from '#app/flags/flags.ts';

/** What a newcomer may want to change, by what it is about. */
const shownFirst: Readonly<Record<string, readonly string[]>> = {
  'Objects and controllers': ['data-dir', 'memory', 'controllers', 'nodes'],
  'Where it listens': ['bind-address', 'secure-port', 'insecure-port', 'advertise-address'],
  'Who may do what': ['authorization-mode', 'anonymous-auth', 'client-ca-file', 'token-auth-file', 'tls-cert-file', 'tls-private-key-file'],
  'How it behaves': ['enable-admission-plugins', 'disable-admission-plugins', 'feature-gates', 'runtime-config', 'service-cluster-ip-range'],
  'What it tells': ['v', 'logging-format', 'audit-policy-file', 'audit-log-path', 'help', 'help-all', 'version'],
};

const explained: Readonly<Record<string, string>> = {
  'bind-address': 'The address to listen on.',
  'secure-port': 'The port of HTTPS; 0: any free one.',
  'advertise-address': 'What the server calls itself to others.',
  'authorization-mode': 'In which order to ask: AlwaysAllow, AlwaysDeny, Webhook, RBAC, Node. Default: Node,RBAC',
  'anonymous-auth': 'Requests without a credential are of system:anonymous.',
  'client-ca-file': 'Authorities of client certificates. Default: one made in the data directory',
  'token-auth-file': 'Users with tokens: token,name,uid,"group1,group2".',
  'tls-cert-file': 'The certificate to serve with. Default: one made in the data directory',
  'tls-private-key-file': 'Its key.',
  'enable-admission-plugins': 'Besides those that are on by default.',
  'disable-admission-plugins': 'Of those that are on by default.',
  'feature-gates': 'Name=true|false',
  'runtime-config': 'API versions on or off: api/all=true, apps/v1=false',
  'service-cluster-ip-range': 'Where services get their addresses from. Default: 10.0.0.0/24',
  v: 'How much is logged: 0 to 10.',
  'logging-format': 'text or json.',
  'audit-policy-file': 'Which requests are audited, and how much of them.',
  'audit-log-path': 'Where to; - is the standard output.',
  help: 'Show this help.',
  version: 'Print the version of Kubernetes and exit.',
};

export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  readonly flags: readonly FlagDefinition[];
}

/** On one screen: the commands, and the flags that matter first. */
export function shortHelp(flags: readonly FlagDefinition[], commands: readonly DescribedCommand[]): string {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const line = (name: string) => {
    const flag = byName.get(name);
    return flag === undefined ? '' : flagLine({ ...flag, help: explained[name] ?? flag.help ?? '' }, shortWidth);
  };
  const groups = Object.entries(shownFirst).map(([title, names]) => `${title}:\n${names.map(line).join('')}`);
  const listed = commands.map(({ name, summary, usage = '' }) => `  ${`${name} ${usage}`.padEnd(26)} ${summary}\n`);
  return [
    'A Kubernetes API server in one process.\n\n',
    'Usage:\n  binnacle [command] [flags]\n\n',
    `Commands:\n${listed.join('')}\n`,
    groups.join('\n'),
    '\nEvery flag of kube-apiserver is accepted: binnacle --help-all lists them.\n',
    'Exit codes: 1 failed, 2 wrong command line, 3 port taken, 4 data directory in use.\n',
  ].join('');
}

export function commandHelp({ name, summary, usage = '', flags }: DescribedCommand): string {
  return `${summary}.\n\nUsage:\n  ${`binnacle ${name} ${usage}`.trimEnd()} [flags]\n\nFlags:\n${flags.map((flag) => flagLine(flag, shortWidth)).join('')}`;
}

const shortWidth = 44;
const fullWidth = 58;

const typeNames: Partial<Record<FlagType, string>> = { bool: '', map: 'mapStringString', featureGates: 'mapStringBool', version: 'version[=true]' };

/** Ours with their explanation, kube-apiserver's by name: they are explained in its own documentation. */
export function helpText(program: string, flags: readonly FlagDefinition[]): string {
  const sections = [...new Set(flags.map(({ section }) => section))];
  const texts = sections.map(
    (section) =>
      `${section} flags:\n\n${flags
        .filter((flag) => flag.section === section)
        .map((flag) => flagLine(flag, fullWidth))
        .join('')}`,
  );
  return [
    'A Kubernetes API server in one process. Every flag of kube-apiserver is accepted; see\n',
    'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/ for what they mean.\n\n',
    `Usage:\n  ${program} [flags]\n\n`,
    texts.join('\n'),
  ].join('');
}

function flagLine({ name, type, shorthand, deprecated, help, default: initially }: FlagDefinition, width: number): string {
  const head = `${shorthand === undefined ? '    ' : `-${shorthand}, `}--${name} ${typeNames[type] ?? type}`.trimEnd();
  const facts = [help ?? '', help?.includes('Default: ') ? '' : defaultText(initially), deprecated ? 'DEPRECATED' : ''].filter((text) => text !== '').join(' ');
  return `  ${head.padEnd(width)} ${facts}`.trimEnd() + '\n';
}

function defaultText(value: FlagDefinition['default']): string {
  if (value === '' || value === false || value === 0) return '';
  if (typeof value === 'object') return Array.isArray(value) && value.length > 0 ? `(default [${value.join(',')}])` : '';
  return `(default ${String(value)})`;
}
