import type { KubernetesObject } from '#api/object.ts';

/** Of the objects that an annotation marks as the default: the newest, and of equally new ones the first by name. */
export function newestMarked<T extends KubernetesObject>(objects: readonly T[], marks: readonly string[]): T | undefined {
  const marked = objects.filter(({ metadata }) => marks.some((mark) => metadata.annotations?.[mark] === 'true'));
  return marked.toSorted((a, b) => compare(b.metadata.creationTimestamp, a.metadata.creationTimestamp) || compare(a.metadata.name, b.metadata.name))[0];
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
