// The type and metadata of whole objects inside a custom object are typed, whatever the schema says: wrong types are refused, unknown fields of
// metadata dropped, as upstream's objectmeta.Coerce does.
import { FieldError } from '#api/field-error.ts';
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { canonicalizer } from '#schema/json/canonical.ts';
import { asDecodeError, DecodeError, decodeExact } from '#schema/json/decode-exact.ts';
import { nodeOf } from '#schema/json/json-node.ts';
import { sorted } from '#schema/json/sorted.ts';
import { forEachEmbedded } from '#schema/structural/embedded-resources.ts';

/** Changes the object in place; returns the paths of what was dropped. Throws a DecodeError. */
export function coerceEmbedded(schema: StructSchema, object: unknown): readonly string[] {
  const { dropped, problem } = coercedEmbedded(schema, object, schema.fields['metadata']?.schema as StructSchema);
  if (problem !== undefined) throw new DecodeError(String(problem));
  return dropped;
}

export interface Coerced {
  /** Paths, with their dots. */
  readonly dropped: readonly string[];
  /** The first value that cannot be read as what it must be. */
  readonly problem: FieldError | undefined;
}

/** The same for any value; `metadata` is the table of ObjectMeta. */
export function coercedEmbedded(schema: AnySchema, value: unknown, metadata: StructSchema): Coerced {
  const dropped: string[] = [];
  let problem: FieldError | undefined;
  forEachEmbedded(schema, value, (path, embedded) => {
    const at = path === '' ? '' : `${path}.`;
    for (const name of ['apiVersion', 'kind']) {
      const given = embedded[name];
      if (Object.hasOwn(embedded, name) && typeof given !== 'string') problem ??= refused(`${at}${name}`, given, 'must be a string');
    }
    if (problem !== undefined || !Object.hasOwn(embedded, 'metadata')) return;
    const coerced = coerceMetadata(metadata, embedded, `${at}metadata`);
    if (coerced instanceof FieldError) problem = coerced;
    else dropped.push(...coerced);
  });
  return { dropped, problem };
}

function coerceMetadata(schema: StructSchema, embedded: Record<string, unknown>, path: string): readonly string[] | FieldError {
  const given = embedded['metadata'];
  try {
    const { value, problems } = decodeExact(schema, nodeOf(given));
    embedded['metadata'] = canonicalizer(schema)(value, { keys: 0, lenient: true });
    return problems.flatMap((problem) => /^unknown field "(.*)"$/.exec(problem)?.[1] ?? []).map((field) => `${path}.${field}`);
  } catch (error) {
    const problem = asDecodeError(error);
    if (problem instanceof DecodeError) return refused(path, given, problem.message);
    throw problem;
  }
}

function refused(path: string, value: unknown, why: string): FieldError {
  return new FieldError('FieldValueInvalid', path, sorted(value), why);
}
