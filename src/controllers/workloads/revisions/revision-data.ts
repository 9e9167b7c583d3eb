// What a ControllerRevision keeps of a StatefulSet or DaemonSet: its pod template, as a patch that puts it back. The bytes are those that the
// original writes, since it compares and hashes them.
import type { KubernetesObject } from '#api/object.ts';
import { fnv32, safeEncoded } from '#base/go-hash.ts';
import type { ControllerRevision } from '#kinds/apps/v1/controller-revision.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export type StoredRevision = ControllerRevision & KubernetesObject;
export type RevisionData = Record<string, unknown>;

export function revisionData(template: PodTemplateSpec): RevisionData {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** Undefined: it holds no template. */
export function templateOf({ data }: StoredRevision): PodTemplateSpec | undefined {
  const { spec } = (data ?? {}) as { spec?: { template?: PodTemplateSpec & { $patch?: string } } };
  if (spec?.template === undefined) return undefined;
  const { $patch: _, ...template } = spec.template;
  return template;
}

/** As Go's json.Marshal writes a map: keys in order, and nothing that a browser could take for markup. */
export function goJson(value: unknown): string {
  return orderedJson(value).replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Objects of JavaScript put keys that are numbers first: the text is made here. */
function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${orderedJson(member)}`).join(',')}}`;
}

/** The hash in the name of a revision of a StatefulSet. */
export function revisionHash(data: RevisionData, collisionCount: number): string {
  return safeEncoded(String(fnv32(Buffer.from(`${goJson(data)}${collisionCount}`))));
}

/** Lowest revision first, then the oldest. */
export function byRevision(a: StoredRevision, b: StoredRevision): number {
  if (a.revision !== b.revision) return a.revision - b.revision;
  return compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compare(a.metadata.name, b.metadata.name);
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
