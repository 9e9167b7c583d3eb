import type { Source, SourceItem } from '#api/source.ts';
import type { StoredPod } from '#controllers/nodes/stored-kinds.ts';

const nodeNamePath = ['spec', 'nodeName'].map((name) => Buffer.from(name));

/** Empty: it is not bound. Read without parsing the pod. */
export function nodeNameOf(item: SourceItem<StoredPod>): string {
  const name = item.valueAt(nodeNamePath);
  return typeof name === 'string' ? name : '';
}

export function podsOnNode(pods: Source<StoredPod>, node: string): readonly SourceItem<StoredPod>[] {
  return pods.list().filter((item) => nodeNameOf(item) === node);
}
