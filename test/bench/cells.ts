// All operations that are measured, and what they read and change.
import type { Cell } from './cell.ts';
import { readCells } from './cells-reads.ts';
import { watchCells } from './cells-watches.ts';
import { writeCells } from './cells-writes.ts';
import { benchPod, concurrently, extraNamespace, namespace, nodeOf, pods } from './reading.ts';
import type { Target } from './target.ts';

export const cells: readonly Cell[] = [...readCells, ...watchCells, ...writeCells];

/** Pods that an earlier run has left are used again. */
export async function prepare(target: Target, podCount: number, podsPerNode?: number): Promise<void> {
  for (const name of [namespace, extraNamespace]) {
    await ensure(target, '/api/v1/namespaces', name);
    await ensure(target, `/api/v1/namespaces/${name}/serviceaccounts`, 'web');
  }
  const first = await firstMissing(target, podCount);
  await concurrently(64, podCount - first, async (i) => {
    const { code, body } = await target.ask({ method: 'POST', path: pods, body: benchPod(`pod-${first + i}`, nodeOf(first + i, podsPerNode)) });
    if (code !== 201 && code !== 409) throw new Error(`${target.name}: ${code} ${body.toString().slice(0, 500)}`);
  });
  // A server that was just started reads its pods when they are first asked for.
  await target.expect(200, { path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7', discard: true });
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
