// What one measure says, and how a load is put on a server.
import { samplePod } from '../support/sample-pod.ts';
import { cpuMs } from './server-processes.ts';
import type { Target } from './target.ts';

/** How one number reads: its unit, and the ratio to the reference that it must not exceed (lower is better). */
export interface Reading {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly bar?: number;
  /** What `value` itself must not exceed, whatever the reference does. */
  readonly most?: number;
  /** What it must reach. */
  readonly least?: number;
}

export interface Measure {
  readonly name: string;
  readonly run: (target: Target) => Promise<readonly Reading[]>;
}

export interface Load {
  readonly workers: number;
  readonly times: number;
  readonly bar: number;
}

export const pods = '/api/v1/namespaces/shop/pods';
const nodes = 100;
const run = Date.now().toString(36);
let serial = 0;

export async function repeated(target: Target, name: string, { workers, times, bar }: Load, one: (i: number) => Promise<unknown>): Promise<readonly Reading[]> {
  const [cpuBefore, start] = [cpuMs(target.pids), performance.now()];
  await concurrently(workers, times, one);
  const elapsed = performance.now() - start;
  return [
    { name: `${name}: CPU`, unit: 'ms', value: (cpuMs(target.pids) - cpuBefore) / times, bar },
    { name: `${name}: throughput`, unit: '/s', value: (times * 1000) / elapsed },
  ];
}

export async function concurrently(workers: number, times: number, one: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < times) await one(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** Never the same twice, not even in another run against the same server. */
export function nextSerial(): string {
  return `${run}-${serial++}`;
}

export function extraPod(): Record<string, unknown> {
  return benchPod(`extra-${nextSerial()}`, nodes);
}

export function benchPod(name: string, i: number, labels: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const pod = samplePod(name) as { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> };
  const node = `node-${i % (nodes + 1)}`;
  Object.assign(pod.metadata.labels, { node }, labels);
  pod.spec.nodeName = node;
  return pod as unknown as Record<string, unknown>;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}
