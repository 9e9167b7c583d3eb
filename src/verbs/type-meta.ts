// kind and apiVersion of a body, found before anything else of it is decoded; with Go's words for what cannot hold them.
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '#api/names.ts';
import { JsonSyntaxError } from '#schema/json/parse-json.ts';

const goTypeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const noTypeMeta = "couldn't get version/kind; json parse error";

/** What Go's accessor of objects without a type says. */
export const nullApiVersion = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';

/** What the body leaves open is as in `expected`; `refuse` makes the error of a reason. */
export function typeMetaOf(value: unknown, expected: GroupVersionKind, refuse: (why: string) => Error): GroupVersionKind {
  const wrong = (what: string, where: string) => refuse(`${noTypeMeta}: json: cannot unmarshal ${what} into Go ${where}`);
  if (value === null) return expected;
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(goNameOf(value), `value of type ${goTypeMeta}`);
  const { apiVersion = '', kind = '' } = value as Record<string, unknown>;
  if (kind === expected.kind && apiVersion === apiVersionOf(expected)) return expected;
  if (typeof apiVersion !== 'string' && apiVersion !== null) throw wrong(goNameOf(apiVersion), 'struct field .apiVersion of type string');
  if (typeof kind !== 'string' && kind !== null) throw wrong(goNameOf(kind), 'struct field .kind of type string');
  const version = parseApiVersion(apiVersion ?? '');
  if (version === undefined) throw refuse(`unexpected GroupVersion string: ${apiVersion}`);
  return completed(version, kind ?? '', expected);
}

export function completed({ group, version }: { group: string; version: string }, kind: string, expected: GroupVersionKind): GroupVersionKind {
  const isOpen = version === '' && (group === '' || group === expected.group);
  const versioned = isOpen ? expected : { group, version };
  return { group: versioned.group, version: versioned.version, kind: kind === '' ? expected.kind : kind };
}

/** Why a text that cannot be parsed has neither. */
export function unparsable(error: Error): string {
  return error instanceof JsonSyntaxError ? `${noTypeMeta}: ${error.message}` : error.message;
}

function goNameOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  return typeof value;
}
