// What a conversion webhook made of an object: it may change everything but the object's identity, and of metadata only labels and annotations.
import { type FieldError, errorsIn, type FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { validateAnnotations, validateLabels } from '#resource/metadata-rules.ts';
import { writeJson } from '#schema/json/json-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The converted object with the metadata of the original. Throws an Error that begins where the original's message goes on after the kind. */
export function checkedObject(original: KubernetesObject, converted: unknown, apiVersion: string): KubernetesObject {
  if (!isFields(converted) || typeof converted['kind'] !== 'string' || converted['kind'] === '') {
    throw new Error(` returned invalid object at index 0: Object 'Kind' is missing in '${writeJson(converted)}'`);
  }
  refuseOtherKind(original, converted, apiVersion);
  refuseOtherIdentity(original, isFields(converted['metadata']) ? converted['metadata'] : {});
  try {
    return { ...converted, metadata: restoredMetadata(original, converted) } as KubernetesObject;
  } catch (error) {
    throw new Error(` returned invalid metadata: ${(error as Error).message}`, { cause: error });
  }
}

function refuseOtherKind(original: KubernetesObject, converted: Fields, apiVersion: string): void {
  const where = ' returned invalid object at index 0';
  const received = typeof converted['apiVersion'] === 'string' ? converted['apiVersion'] : '';
  if (received !== apiVersion) throw new Error(`${where}: invalid groupVersion (expected ${apiVersion}, received ${shownVersion(received)})`);
  if (converted['kind'] !== original.kind) {
    throw new Error(`${where}: invalid kind (expected ${original.kind ?? ''}, received ${String(converted['kind'])})`);
  }
}

/** What Go reads as no group-version is shown as none. */
function shownVersion(apiVersion: string): string {
  return apiVersion.split('/').length > 2 ? '' : apiVersion;
}

function refuseOtherIdentity({ metadata }: KubernetesObject, made: Fields): void {
  const differs = (name: 'name' | 'namespace' | 'uid', label: string = name) => {
    const [own, other] = [metadata[name] ?? '', typeof made[name] === 'string' ? made[name] : ''];
    if (own !== other) throw new Error(` returned invalid object: must have the same ${label}: ${own} != ${other}`);
  };
  differs('name');
  differs('namespace');
  differs('uid', 'UID');
}

function restoredMetadata(original: KubernetesObject, converted: Fields): KubernetesObject['metadata'] {
  const { metadata } = converted;
  if (metadata === undefined) throw new Error('missing metadata in converted object');
  if (!isFields(metadata)) throw new Error(`invalid metadata of type ${goType(metadata)} in converted object`);
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  const labels = textsOf(metadata, 'labels', original.metadata.labels, (texts, errors) => validateLabels(texts, 'metadata.labels', errors));
  // Upstream's path has no s.
  const annotations = textsOf(metadata, 'annotations', original.metadata.annotations, (texts, errors) =>
    validateAnnotations(texts, 'metadata.annotation', errors),
  );
  return { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) };
}

type Texts = Readonly<Record<string, string>>;

/** Labels or annotations that stayed the same are not judged: they may be older than today's rules. */
function textsOf(metadata: Fields, field: string, original: Texts | undefined, validate: (texts: Texts, errors: FieldErrors) => void): Texts | undefined {
  const given = metadata[field];
  if (given === undefined || given === null) return undefined;
  if (!isFields(given)) throw new Error(`invalid metadata.${field} of type ${goType(given)} in converted object`);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw new Error(`metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`);
  }
  const texts = given as Texts;
  if (isSame(texts, original ?? {})) return texts;
  const found = errorsIn((errors) => validate(texts, errors)) as readonly FieldError[];
  if (found.length > 0) throw new Error(aggregated(found));
  return texts;
}

function isSame(a: Texts, b: Texts): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

/** As Go shows several errors in one. */
function aggregated(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(String))];
  return messages.length === 1 ? String(messages[0]) : `[${messages.join(', ')}]`;
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (value === null) return '<nil>';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return { string: 'string', boolean: 'bool', bigint: 'int64' }[typeof value as 'string' | 'boolean' | 'bigint'];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
