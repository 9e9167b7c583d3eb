// What one measure says, which objects it is about, and how a load is put on a server.
import { samplePod } from '../support/sample-pod.ts';
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

/** Where the pods are that are read: always as many as were prepared. */
export const namespace = 'shop';
export const pods = `/api/v1/namespaces/${namespace}/pods`;
/** Where cells create: lists do not grow by it. */
export const extraNamespace = 'extra';
export const extraPods = `/api/v1/namespaces/${extraNamespace}/pods`;
export const configMaps = `/api/v1/namespaces/${extraNamespace}/configmaps`;

const metadata = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const protobuf = 'application/vnd.kubernetes.protobuf';
export const accepts = {
  protobuf: { accept: protobuf },
  table: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  metadata: { accept: `application/json;${metadata}` },
  metadataProtobuf: { accept: `${protobuf};${metadata}` },
} as const;

const nodes = 100;
const run = Date.now().toString(36);
let serial = 0;

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

/** One that no list by node of a cell has. */
export function ownPod(name: string, turn = ''): Record<string, unknown> {
  const pod = benchPod(name, 'node-of-extras', turn === '' ? {} : { turn });
  (pod['metadata'] as { namespace: string }).namespace = extraNamespace;
  return pod;
}

export function configMap(name: string): Record<string, unknown> {
  return { metadata: { name, labels: { app: 'web' } }, data: { 'a.properties': 'one=1\ntwo=2\n', b: 'text '.repeat(40) } };
}

/** So many pods on each node, or a hundred nodes and one, so that the pods of each grow with all. */
export function nodeOf(i: number, podsPerNode?: number): string {
  return `node-${podsPerNode === undefined ? i % (nodes + 1) : Math.floor(i / podsPerNode)}`;
}

export function benchPod(name: string, node: string, labels: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const pod = samplePod(name) as { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> };
  Object.assign(pod.metadata.labels, { node }, labels);
  pod.spec['nodeName'] = node;
  return pod as unknown as Record<string, unknown>;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}
