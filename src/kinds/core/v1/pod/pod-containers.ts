// Walking over all containers of a pod.
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';

/** Init containers, containers, ephemeral containers; the path is made only when asked for. */
export function forEachContainer(spec: PodSpec, path: string, visit: (container: Container, at: () => string) => void): void {
  spec.initContainers?.forEach((container, index) => visit(container, () => `${path}.initContainers[${index}]`));
  spec.containers?.forEach((container, index) => visit(container, () => `${path}.containers[${index}]`));
  spec.ephemeralContainers?.forEach((container, index) => visit(container, () => `${path}.ephemeralContainers[${index}]`));
}

export function someContainer(spec: PodSpec | undefined, test: (container: Container) => boolean): boolean {
  if (spec === undefined) return false;
  return Boolean(spec.initContainers?.some(test) || spec.containers?.some(test) || spec.ephemeralContainers?.some(test));
}

/** An init container that keeps running. */
export function isSidecar({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean {
  return restartPolicy === 'Always';
}
