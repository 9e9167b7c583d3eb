// What is measured of one server, in this order. Every number is of the server's side but those named throughput or time.
import { setTimeout as pause } from 'node:timers/promises';
import { createProtobuf, getProtobuf, listForms, updateProtobuf, watchProtobuf } from './measures-forms.ts';
import { get, lists, memory, watch } from './measures-reads.ts';
import { apply, create, store, update } from './measures-writes.ts';
import { benchPod, concurrently, type Measure, pods } from './reading.ts';
import type { Target } from './target.ts';

export function measures(podCount: number): readonly Measure[] {
  return [
    { name: 'memory', run: async (target) => memory(target, podCount) },
    { name: 'get', run: get },
    { name: 'list', run: (target) => lists(target, podCount) },
    { name: 'list-forms', run: (target) => listForms(target, podCount) },
    { name: 'get-protobuf', run: getProtobuf },
    { name: 'watch', run: watch },
    { name: 'watch-protobuf', run: watchProtobuf },
    { name: 'create', run: create },
    { name: 'create-protobuf', run: createProtobuf },
    { name: 'update', run: update },
    { name: 'update-protobuf', run: updateProtobuf },
    { name: 'apply', run: apply },
    { name: 'store', run: store },
  ];
}

/** Pods that an earlier run has left are used again. */
export async function prepare(target: Target, podCount: number): Promise<void> {
  await ensure(target, '/api/v1/namespaces', 'shop');
  await ensure(target, '/api/v1/namespaces/shop/serviceaccounts', 'web');
  const first = await firstMissing(target, podCount);
  await concurrently(64, podCount - first, async (i) => {
    const { code, body } = await target.ask({ method: 'POST', path: pods, body: benchPod(`pod-${first + i}`, first + i) });
    if (code !== 201 && code !== 409) throw new Error(`${target.name}: ${code} ${body.toString().slice(0, 500)}`);
  });
  // A server that was just started reads its pods when they are first asked for.
  await target.expect(200, { path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7', discard: true });
  // What loading has left to do (garbage, compaction) is not part of what follows.
  await pause(2000);
}

async function ensure(target: Target, path: string, name: string): Promise<void> {
  if ((await target.ask({ path: `${path}/${name}` })).code !== 200) await target.expect(201, { method: 'POST', path, body: { metadata: { name } } });
}

/** They were made in order by 64 workers: behind the first that is missing only some of the next are there. */
async function firstMissing(target: Target, podCount: number): Promise<number> {
  let [low, high] = [0, podCount];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await target.ask({ path: `${pods}/pod-${middle}` })).code === 200) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low === podCount ? low : low - 64);
}
