// kind and apiVersion of what another server sent: Go reads them before all else, and refuses what is no text.

const read = "couldn't get version/kind; json parse error";

/** In the words of Go's decoder; undefined when both are texts, or absent. */
export function typeMetaProblem(value: { readonly kind?: unknown; readonly apiVersion?: unknown }): string | undefined {
  for (const name of ['kind', 'apiVersion'] as const) {
    const found = value[name] ?? '';
    if (typeof found !== 'string') return `${read}: json: cannot unmarshal ${jsonTypeOf(found)} into Go struct field .${name} of type string`;
  }
  return undefined;
}

/** For a value that is no object and so has neither. */
export function noTypeMeta(value: unknown): string {
  const fields = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
  return `${read}: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${fields}`;
}

/** As encoding/json names types of JSON. */
function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : value === null ? 'null' : typeof value;
}
