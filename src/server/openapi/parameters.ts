// The parameters that operations take. Swagger documents define most of them once, under names that generated clients
// have come to know: those names are part of the table.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import type { Parameter } from '#server/openapi/operation.ts';

export const pretty = query('pretty', 'string', 'Set to `true` for indented output. Browsers, curl and wget get it without asking.', 'tJGM1-ng');
export const namespace: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'Namespace of the object.',
  shared: 'namespace-vgWSWtn3',
};

export function nameOfObject(kind: string): Parameter {
  return { name: 'name', in: 'path', type: 'string', description: `Name of the ${kind}.` };
}

export const proxyPath: Parameter = {
  name: 'path',
  in: 'path',
  type: 'string',
  description: 'Rest of the path, handed on to the target.',
  shared: 'path-z6Ciiujn',
};

const dryRun = query('dryRun', 'string', '`All` runs every step of the request and stores nothing; other values are refused.');
const fieldValidation = query(
  'fieldValidation',
  'string',
  'What happens to unknown and duplicate fields: `Ignore` drops them silently, `Warn` (the default) drops them with a warning, `Strict` refuses the request.',
);
const fieldManager = query('fieldManager', 'string', 'Name of the actor that will own the changed fields; at most 128 printable characters.', 'Qy4HdaTW');
const patchFieldManager = query(
  'fieldManager',
  'string',
  'Name of the actor that will own the changed fields; at most 128 printable characters. Apply patches must give one.',
  '7c6nTn1T',
);
const force = query('force', 'boolean', 'Lets an apply patch take over fields that others own. Not allowed with other patches.', 'tOGGb0Yi');

const resourceVersion = query('resourceVersion', 'string', 'Which state may be answered: at least, or exactly, as of this version.', '5WAnf1kx');
const selection: readonly Parameter[] = [
  query('continue', 'string', 'Token from the previous page of a paged list; the other parameters must stay the same.', 'QfD61s0i'),
  query('fieldSelector', 'string', 'Only objects whose fields match.', 'xIcQKXFG'),
  query('labelSelector', 'string', 'Only objects whose labels match.', '5Zw57w4C'),
  query('limit', 'integer', 'At most so many objects; the rest is read with the `continue` token of the answer.', '1NfNmdNH'),
  resourceVersion,
  query('resourceVersionMatch', 'string', 'How `resourceVersion` is meant: `Exact` or `NotOlderThan`.', 't8XhRHeC'),
  query(
    'sendInitialEvents',
    'boolean',
    'Begins a watch with an event for every existing object and a bookmark behind them; needs `resourceVersionMatch`.',
    'rLXlEK_k',
  ),
  query('shardSelector', 'string', 'Only objects in the given hash ranges of a sharded list or watch (alpha).', 'Kgyki_3_'),
  query('timeoutSeconds', 'integer', 'Ends the list or watch after so many seconds.', 'yvYezaOC'),
];

/** What a list takes. */
export const listParameters: readonly Parameter[] = [
  query('allowWatchBookmarks', 'boolean', 'Lets the server send BOOKMARK events, which carry nothing but a resource version.', 'HC2hJt-J'),
  ...selection,
  query('watch', 'boolean', 'Streams the changes instead of listing the objects.', 'XNNPZGbK'),
];

export const createParameters: readonly Parameter[] = [dryRun, fieldManager, fieldValidation];
export const patchParameters: readonly Parameter[] = [dryRun, patchFieldManager, fieldValidation, force];
export const deleteParameters: readonly Parameter[] = [
  dryRun,
  query('gracePeriodSeconds', 'integer', 'Seconds until the object goes away; 0 is at once. Default: what the kind or the object says.', '-K5HaBOS'),
  query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'boolean',
    'Deletes an object that cannot be read from the store, without regard to finalizers and preconditions. Dangerous.',
    'QbNkfIqj',
  ),
  query('orphanDependents', 'boolean', 'Old form of `propagationPolicy`: true leaves the dependents in place.', 'uRB25kX5'),
  query('propagationPolicy', 'string', 'What becomes of dependents: `Orphan`, `Background` or `Foreground`.', '6jk3prlO'),
];
export const deleteCollectionParameters: readonly Parameter[] = [...deleteParameters, ...selection];

/** Custom resources publish what a read takes. */
export const customGetParameters: readonly Parameter[] = [resourceVersion];

/** The fields of an options kind as query parameters; fields without a simple form have none. */
export function optionParameters(schema: StructSchema, texts: Readonly<Record<string, string>> = {}): Parameter[] {
  const kind = schema.name.slice(schema.name.lastIndexOf('.') + 1);
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const type = simpleType(field.schema);
    return type === undefined ? [] : [query(name, type, texts[name] ?? '', optionSuffixes[kind]?.[name])];
  });
}

function simpleType(schema: AnySchema): Parameter['type'] | undefined {
  switch (schema.is) {
    case 'list':
      return simpleType(schema.item);
    case 'string':
    case 'boolean':
      return schema.is;
    case 'int32':
    case 'int64':
      return 'integer';
    default:
      return undefined;
  }
}

const optionSuffixes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NodeProxyOptions: { path: 'rFDtV0x9' },
  PodProxyOptions: { path: 'oPbzgLUj' },
  ServiceProxyOptions: { path: 'QCf0eosM' },
  PodAttachOptions: { container: '_Q-EJ3nR', stderr: '26jJhFUR', stdin: 'sEFnN3IS', stdout: '005YMKE6', tty: 'g7MlET_l' },
  PodExecOptions: { command: 'Py3eQybp', container: 'i5dOmRiM', stderr: 'W_1TNlWc', stdin: 'PSzNhyUC', stdout: '-EZLRwV1', tty: 's0flW37O' },
  PodLogOptions: {
    container: '1GeXxFDC',
    follow: '9OIXh_2R',
    insecureSkipTLSVerifyBackend: 'gM00jVbe',
    limitBytes: 'zwd1RXuc',
    previous: '1jxDPu3y',
    sinceSeconds: 'vE2NLdnP',
    stream: 'l-48cgXv',
    tailLines: '9xQLWHMV',
    timestamps: 'c17fW1w_',
  },
  PodPortForwardOptions: { ports: '91KROJmm' },
};

function query(name: string, type: Parameter['type'], description: string, suffix?: string): Parameter {
  return { name, in: 'query', type, description, ...(suffix !== undefined && { shared: `${name}-${suffix}` }) };
}
