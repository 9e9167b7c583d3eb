import type { FlagDefinition, FlagType } from '#app/flags/flags.ts';

const typeNames: Partial<Record<FlagType, string>> = { bool: '', map: 'mapStringString', featureGates: 'mapStringBool', version: 'version[=true]' };

/** Ours with their explanation, kube-apiserver's by name: they are explained in its own documentation. */
export function helpText(program: string, flags: readonly FlagDefinition[]): string {
  const sections = [...new Set(flags.map(({ section }) => section))];
  const texts = sections.map(
    (section) =>
      `${section} flags:\n\n${flags
        .filter((flag) => flag.section === section)
        .map(flagLine)
        .join('')}`,
  );
  return [
    'A Kubernetes API server in one process. Every flag of kube-apiserver is accepted; see\n',
    'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/ for what they mean.\n\n',
    `Usage:\n  ${program} [flags]\n\n`,
    texts.join('\n'),
  ].join('');
}

function flagLine({ name, type, shorthand, deprecated, help, default: initially }: FlagDefinition): string {
  const head = `${shorthand === undefined ? '    ' : `-${shorthand}, `}--${name} ${typeNames[type] ?? type}`.trimEnd();
  const facts = [help ?? '', defaultText(initially), deprecated ? 'DEPRECATED' : ''].filter((text) => text !== '').join(' ');
  return `  ${head.padEnd(58)} ${facts}`.trimEnd() + '\n';
}

function defaultText(value: FlagDefinition['default']): string {
  if (value === '' || value === false || value === 0) return '';
  if (typeof value === 'object') return Array.isArray(value) && value.length > 0 ? `(default [${value.join(',')}])` : '';
  return `(default ${String(value)})`;
}
