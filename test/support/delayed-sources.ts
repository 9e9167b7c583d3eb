// Sources whose followers hear late: each resource in its own order, none in step with another. What a follower hears was true once.
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Follower, Source, SourceItem, Sources } from '#api/source.ts';

/** `delayMs` is asked for every change. */
export function delayedSources(sources: Sources, delayMs: () => number): Sources {
  return { of: <T extends KubernetesObject>(resource: GroupResource) => delayed(sources.of<T>(resource), delayMs) };
}

function delayed<T extends KubernetesObject>(source: Source<T>, delayMs: () => number): Source<T> {
  return {
    resource: source.resource,
    get: (namespace, name) => source.get(namespace, name),
    list: (namespace) => source.list(namespace),
    async follow({ begin, change }: Follower<T>, signal: AbortSignal) {
      let last: Promise<void> = Promise.resolve();
      const later = (tell: () => void) => {
        last = last.then(() => new Promise<void>((resolve) => setTimeout(resolve, delayMs()))).then(() => void (signal.aborted || tell()));
        return last;
      };
      const begun = new Promise<void>((resolve) => {
        const late: Follower<T> = {
          begin: (all) => {
            const kept = all.map(copied);
            void later(() => begin(kept)).then(resolve);
          },
          change: (type, item) => {
            const kept = copied(item);
            void later(() => change(type, kept));
          },
        };
        void source.follow(late, signal);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await begun;
    },
  };
}

/** The cache may use the memory of an item that is no longer the latest for something else. */
function copied<T extends KubernetesObject>({ namespace, name, revision, json: bytes }: SourceItem<T>): SourceItem<T> {
  const json = Buffer.from(bytes);
  const object = JSON.parse(json.toString()) as T;
  const valueAt = (path: readonly Uint8Array[]) =>
    path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[Buffer.from(key).toString()], object);
  return { namespace, name, revision, json, object, valueAt };
}
