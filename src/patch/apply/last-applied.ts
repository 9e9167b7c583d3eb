// The hand-over from client-side to server-side apply of kubectl: its annotation says what it had applied before.
import type { KubernetesObject } from '#api/object.ts';
import { compare } from '#patch/apply/compare.ts';
import { difference, emptySet, type FieldSet } from '#patch/apply/field-set.ts';
import { compareTexts } from '#patch/apply/path-element.ts';
import { toFieldSet } from '#patch/apply/to-field-set.ts';
import { refuseMisfit } from '#patch/apply/validate.ts';
import type { Typed } from '#patch/apply/versions.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';
import { encodeJson } from '#schema/json/encode.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const maxAnnotationBytes = 256 * 1024;

/** Fields of the annotation whose value is still the live one: nobody else has an opinion on them. */
export function unchangedSinceLastApplied(live: Typed): FieldSet {
  const text = annotationOf(live.object);
  if (text === '') return emptySet;
  try {
    const last: unknown = JSON.parse(text);
    if (!isPlainObject(last) || last['apiVersion'] !== live.apiVersion) return emptySet;
    refuseMisfit(live.topology, last, 'refused');
    const { added, modified, removed } = compare(live.topology, last, live.object);
    return [modified, added, removed].reduce(difference, toFieldSet(live.topology, last));
  } catch {
    return emptySet;
  }
}

function annotationOf({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[annotation] ?? '';
}

/** Objects that carry the annotation keep it in step with what is applied, as long as it is not too long. */
export function withLastApplied(object: KubernetesObject, applied: KubernetesObject): KubernetesObject {
  if (annotationOf(object) === '') return object;
  const annotations = { ...object.metadata.annotations, [annotation]: lastAppliedText(applied) };
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''), 0);
  if (bytes > maxAnnotationBytes) delete (annotations as PlainObject)[annotation];
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function lastAppliedText(applied: KubernetesObject): string {
  const { annotations, ...rest } = (applied.metadata ?? {}) as KubernetesObject['metadata'];
  const { [annotation]: _, ...others } = annotations ?? {};
  const metadata = annotations === undefined || annotations === null ? rest : { ...rest, annotations: others };
  return `${encodeJson({ is: 'json' }, sortKeys({ ...applied, metadata }))}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(compareTexts)
      .map((key) => [key, sortKeys(value[key])]),
  );
}
