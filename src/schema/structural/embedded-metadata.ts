// The type and metadata of whole objects inside a custom object are typed, whatever the schema says: wrong types are refused, unknown fields of
// metadata dropped, as upstream's objectmeta.Coerce does.
import { FieldError } from '#api/field-error.ts';
import type { StructSchema } from '#schema/build.ts';
import { canonicalizer } from '#schema/json/canonical.ts';
import { asDecodeError, DecodeError, decodeExact } from '#schema/json/decode-exact.ts';
import { nodeOf } from '#schema/json/json-node.ts';
import { sorted } from '#schema/json/sorted.ts';
import { forEachEmbedded } from '#schema/structural/embedded-resources.ts';

/** Changes the object in place; returns the paths of what was dropped. Throws a DecodeError. */
export function coerceEmbedded(schema: StructSchema, object: unknown): readonly string[] {
  const dropped: string[] = [];
  const metadata = schema.fields['metadata']?.schema as StructSchema;
  forEachEmbedded(schema, object, (path, embedded) => {
    for (const name of ['apiVersion', 'kind']) {
      const given = embedded[name];
      if (Object.hasOwn(embedded, name) && typeof given !== 'string') throw refused(`${path}.${name}`, given, 'must be a string');
    }
    if (Object.hasOwn(embedded, 'metadata')) dropped.push(...coerceMetadata(metadata, embedded, `${path}.metadata`));
  });
  return dropped;
}

function coerceMetadata(schema: StructSchema, embedded: Record<string, unknown>, path: string): readonly string[] {
  const given = embedded['metadata'];
  try {
    const { value, problems } = decodeExact(schema, nodeOf(given));
    embedded['metadata'] = canonicalizer(schema)(value, { keys: 0, lenient: true });
    return problems.flatMap((problem) => /^unknown field "(.*)"$/.exec(problem)?.[1] ?? []).map((field) => `${path}.${field}`);
  } catch (error) {
    const problem = asDecodeError(error);
    throw problem instanceof DecodeError ? refused(path, given, problem.message) : problem;
  }
}

function refused(path: string, value: unknown, why: string): DecodeError {
  return new DecodeError(String(new FieldError('FieldValueInvalid', path, sorted(value), why)));
}
