// `--runtime-config`: which group-versions and resources are served, beyond what the definitions say.

/** What is wrong with the flag, in upstream's words: the operator mends it. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/** The operator's word on a resource; undefined when there is none. */
export type RuntimeConfig = (group: string, version: string, plural: string) => boolean | undefined;

interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** From the broadest to the narrowest: where two of them match a version, the later one wins. */
const levels: readonly (readonly [key: string, matches: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

/**
 * `text` is a list of `key=value` with commas between. A resource beats its version, a version beats the `api/…` levels.
 * Throws what the operator must read. `known` are the group-versions that exist.
 */
export function parseRuntimeConfig(text: string, known?: readonly GroupVersionName[]): RuntimeConfig {
  const settings = new Map(splitPairs(text).map(([key, value]) => [normalizeKey(key), parseBoolean(key, value)]));
  if (settings.size === 1 && settings.get('api/all') === false) throw new RuntimeConfigError('invalid runtime-config with only api/all=false');
  const keys = [...settings.keys()].filter((key) => !levels.some(([level]) => level === key));
  for (const key of keys) refuseMalformed(key);
  if (known !== undefined) refuseUnknown(keys, known);
  return (group, version, plural) =>
    settings.get(`${group}/${version}/${plural}`) ??
    settings.get(`${group}/${version}`) ??
    levels.reduce<boolean | undefined>((found, [key, matches]) => (matches.test(version) ? (settings.get(key) ?? found) : found), undefined);
}

function splitPairs(text: string): [string, string][] {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

/** The core group has no name: it is written without one, or `api/v1`, as upstream's own scripts do. */
function normalizeKey(key: string): string {
  if (levels.some(([level]) => level === key)) return key;
  if (key.startsWith('api/')) return key.slice('api'.length);
  return key.includes('/') ? key : `/${key}`;
}

function parseBoolean(key: string, value: string): boolean {
  if (levels.some(([level]) => level === key)) {
    if (value !== 'true' && value !== 'false') throw new RuntimeConfigError(`invalid value ${key}=${value}`);
    return value === 'true';
  }
  if (value === '' || /^(1|t|T|true|TRUE|True)$/.test(value)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(value)) return false;
  throw new RuntimeConfigError(`invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
}

function refuseMalformed(key: string): void {
  const parts = key.split('/');
  if (parts.length > 3 || parts[1] === '') throw new RuntimeConfigError(`runtime-config invalid key ${key}`);
  const resource = parts[2] ?? '';
  if (resource !== resource.toLowerCase()) {
    throw new RuntimeConfigError(`invalid key ${key}: group/version/resource and resource is always lowercase plural, not "${resource}"`);
  }
}

function refuseUnknown(keys: readonly string[], known: readonly GroupVersionName[]): void {
  const groups = new Set(known.map(({ group }) => group));
  const versions = new Set(known.map(({ group, version }) => `${group}/${version}`));
  const asked = keys.map((key) => key.split('/').slice(0, 2));
  const strangers = asked.filter(([group = '']) => !groups.has(group)).map((parts) => parts.join('/'));
  if (strangers.length > 0) throw new RuntimeConfigError(`unknown api groups ${[...new Set(strangers)].sort().join(',')}`);
  const missing = asked.map((parts) => parts.join('/')).find((name) => !versions.has(name));
  if (missing !== undefined) throw new RuntimeConfigError(`group version ${missing.replace(/^\//, '')} that has not been registered`);
}
