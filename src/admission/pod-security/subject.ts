// The pod as the checks see it, and how they word what they find.
import type { KubernetesObject } from '#api/object.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';

export interface Subject {
  readonly metadata: KubernetesObject['metadata'];
  readonly spec: PodSpec;
  /** Init containers, containers, then ephemeral ones. */
  readonly containers: readonly Container[];
}

export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

export type Check = (subject: Subject) => Finding | undefined;

export function subjectOf(metadata: KubernetesObject['metadata'], spec: PodSpec): Subject {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...((spec.ephemeralContainers ?? []) as unknown as readonly Container[])];
  return { metadata, spec, containers };
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

export function sortedSet(items: readonly string[]): string[] {
  return [...new Set(items)].toSorted();
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"`. */
export function containersNamed(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`;
}

/** `pod and container "a"`: who set something that is not allowed. */
export function setters(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [containersNamed(containers)] : [])].join(' and ');
}

export function namesOf(containers: readonly Container[], isBad: (container: Container) => boolean): string[] {
  return containers.filter(isBad).map(({ name }) => name);
}

export function isWindows({ spec }: Subject): boolean {
  return spec.os?.name === 'windows';
}

/** In a user namespace of its own, root is nobody outside. */
export function hasUserNamespace({ spec }: Subject): boolean {
  return spec.hostUsers === false;
}
