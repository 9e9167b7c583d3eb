// The plumbing of a small controller: one collection followed, one key worked on at a time, failures tried again later.
import type { KubernetesObject } from '#api/object.ts';
import { exponentialBackoff, sleep } from '#base/backoff.ts';
import type { Log } from '#base/log.ts';
import { Reflector } from '#client/reflector.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';

export interface FollowOptions<T> {
  readonly client: RestClient;
  readonly log: Log;
  readonly random: () => number;
  readonly resource: ResourceAddress;
  readonly fieldSelector?: string;
  /** Brings the world in step with the object; undefined: it is gone. Called again after a failure, and with every change. */
  readonly reconcile: (object: T | undefined, key: string) => Promise<void>;
}

const retryMs = 1_000;

/** Until `signal` aborts. */
export async function follow<T extends KubernetesObject>(options: FollowOptions<T>, signal: AbortSignal): Promise<void> {
  const { client, resource, random, fieldSelector } = options;
  const objects = new Map<string, T>();
  const queue = new KeyQueue();
  const change = (object: T, gone: boolean) => {
    const key = keyOf(object);
    if (gone) objects.delete(key);
    else objects.set(key, object);
    queue.add(key);
  };
  const reflector = new Reflector<T>({
    client,
    resource,
    ...(fieldSelector !== undefined && { fieldSelector }),
    backoff: exponentialBackoff({ firstMs: 50, maxMs: 30_000, random }),
    sink: {
      replace(all) {
        for (const key of objects.keys()) queue.add(key);
        objects.clear();
        for (const object of all) change(object, false);
      },
      upsert: (object) => change(object, false),
      remove: (object) => change(object, true),
    },
  });
  signal.addEventListener('abort', () => queue.close(), { once: true });
  await Promise.all([reflector.run(signal), work(options, objects, queue, signal)]);
}

async function work<T extends KubernetesObject>(
  { reconcile, log, resource }: FollowOptions<T>,
  objects: ReadonlyMap<string, T>,
  queue: KeyQueue,
  signal: AbortSignal,
): Promise<void> {
  for await (const key of queue) {
    try {
      await reconcile(objects.get(key), key);
    } catch (error) {
      if (signal.aborted) return;
      log.warn('a controller tries again', { resource: resource.resource, key, err: String(error) });
      void sleep(retryMs, signal).then(() => queue.add(key));
    }
  }
}

export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Keys in the order of their first mention; a key that waits is not queued twice. */
class KeyQueue {
  readonly #keys = new Set<string>();
  #closed = false;
  #wake: (() => void) | undefined;

  add(key: string): void {
    this.#keys.add(key);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (!this.#closed) {
      const [key] = this.#keys;
      if (key === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      this.#keys.delete(key);
      yield key;
    }
  }
}
