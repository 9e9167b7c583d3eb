// A stored definition without its schemas, which are nearly all of it, and where they stand. A start does this for every definition, so they are not
// read: the machine's own search finds where each begins and where it seems to end, and what is left must be JSON in which every cut is the schema of
// one version. A cut that ends too early or too late leaves brackets that do not close: then nothing is returned, and the caller reads every byte.
import type { Span } from '#base/json-scan.ts';

export interface CutDefinition {
  /** `spec.versions[i].schema` is left out. */
  readonly value: Record<string, unknown>;
  /** In the order of the versions; undefined for one that has no schema. */
  readonly schemas: readonly (Span | undefined)[];
}

const key = '"schema":';
const opening = Buffer.from(`${key}{"openAPIV3Schema":`);
/** What may follow a schema in its version, in the order in which definitions are stored. */
const followers = ['}},"subresources":{', '}},"additionalPrinterColumns":[', '}},"selectableFields":['].map((text) => Buffer.from(text));
const nextVersion = Buffer.from('}}},{"');
const lastVersion = Buffer.from('}}}]');
/** Of a schema: its own brace and that of the object around it. */
const closing = 2;

export function cutSchemas(json: Buffer): CutDefinition | undefined {
  const spans = spansIn(json);
  return spans && withoutSpans(json, spans);
}

function spansIn(json: Buffer): readonly Span[] | undefined {
  const spans: Span[] = [];
  for (let at = json.indexOf(opening); at >= 0; ) {
    const start = at + key.length;
    const next = json.indexOf(opening, start);
    const behind = json.subarray(start, next < 0 ? json.length : next);
    const length = lengthIn(behind, next < 0 ? lastVersion : nextVersion);
    if (length === undefined) return undefined;
    spans.push({ start, end: start + length });
    at = next;
  }
  return spans;
}

/** `behind` begins with a schema and ends before the next one: what follows the schema is short, and found from the end. */
function lengthIn(behind: Buffer, last: Buffer): number | undefined {
  for (const text of [...followers, last]) {
    const at = behind.lastIndexOf(text);
    if (at >= 0) return at + closing;
  }
  return undefined;
}

function withoutSpans(json: Buffer, spans: readonly Span[]): CutDefinition | undefined {
  let text = '';
  let at = 0;
  for (const [index, { start, end }] of spans.entries()) {
    text += `${json.toString('utf8', at, start)}${index}`;
    at = end;
  }
  const value = parsed(text + json.toString('utf8', at));
  const versions = (value?.['spec'] as { readonly versions?: readonly Record<string, unknown>[] } | undefined)?.versions;
  if (value === undefined || !Array.isArray(versions)) return undefined;
  const schemas = versions.map((version: Record<string, unknown>) => takeSchema(version, spans));
  const cuts = schemas.filter((span) => span !== undefined);
  return cuts.length === spans.length && cuts.every((span, index) => span === spans[index]) ? { value, schemas } : undefined;
}

function takeSchema(version: Record<string, unknown>, spans: readonly Span[]): Span | undefined {
  const index = version['schema'];
  if (typeof index !== 'number') return undefined;
  delete version['schema'];
  return spans[index];
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
