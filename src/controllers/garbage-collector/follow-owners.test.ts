import { expect, test } from 'vitest';
import type { Follower, Source, SourceItem } from '#api/source.ts';
import { followOwners } from '#controllers/garbage-collector/follow-owners.ts';
import { OwnerGraph } from '#controllers/garbage-collector/owner-graph.ts';

const widgets = { group: 'example.com', resource: 'widgets', namespaced: true, kind: 'Widget' };

function widget(name: string): SourceItem {
  const metadata = { namespace: 'a', name, uid: `uid-${name}` };
  const valueAt = (path: readonly Uint8Array[]) =>
    (metadata as Record<string, unknown>)[
      Buffer.from(path.at(-1) ?? [])
        .toString()
        .replaceAll('"', '')
    ];
  return { namespace: 'a', name, revision: 1, object: { metadata }, json: Buffer.alloc(0), valueAt } as unknown as SourceItem;
}

async function following() {
  const graph = new OwnerGraph();
  const ended = new AbortController();
  const stopped = new AbortController();
  const told: { follower?: Follower; signal?: AbortSignal } = {};
  const follow = async (follower: Follower, signal: AbortSignal) => void Object.assign(told, { follower, signal });
  await followOwners({ graph, onForeignOwner: () => {}, ended: ended.signal }, { follow } as unknown as Source, widgets)(() => {}, stopped.signal);
  const { follower, signal } = told as Required<typeof told>;
  return { graph, ended, stopped, follower, signal };
}

test('objects of a resource that is not served any more leave the graph, and what its source still tells is not heard', async () => {
  const { graph, ended, follower, signal } = await following();
  follower.begin([widget('one')]);
  follower.change('ADDED', widget('two'));
  expect([graph.get('uid-one')?.name, graph.get('uid-two')?.name]).toEqual(['one', 'two']);
  ended.abort();
  expect(signal.aborted).toBe(true);
  follower.change('ADDED', widget('three'));
  follower.begin([widget('one')]);
  expect(['one', 'two', 'three'].map((name) => graph.get(`uid-${name}`))).toEqual([undefined, undefined, undefined]);
});

test('a collector that stops keeps its graph: nobody looks at it any more', async () => {
  const { graph, stopped, follower, signal } = await following();
  follower.begin([widget('one')]);
  stopped.abort();
  expect(signal.aborted).toBe(true);
  expect(graph.get('uid-one')?.name).toBe('one');
});
