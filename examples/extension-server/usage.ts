// Where the numbers come from. A real metrics server asks every kubelet; this one takes what the containers of a pod ask for as what they use,
// so that it needs nothing but the API server. Replace `nodeUsage` and `podUsage` to serve numbers of your own.
import type { KubeClient } from './kube-client.ts';

export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

export interface PodUsage {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

export interface NodeUsage {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly usage: Usage;
}

interface Listed<T> {
  readonly items: readonly T[];
}

interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Pod {
  readonly metadata: Meta;
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string; readonly resources?: { readonly requests?: Readonly<Record<string, string>> } }[];
  };
}

const scales: Readonly<Record<string, number>> = { '': 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
const assumed = { cpu: '10m', memory: '16Mi' };

export async function podUsage(client: KubeClient): Promise<readonly PodUsage[]> {
  return (await podsOf(client)).map(({ metadata: { name, namespace = '', labels = {} }, spec }) => ({
    name,
    namespace,
    labels,
    containers: spec.containers.map(({ name: container, resources }) => ({ name: container, usage: { ...assumed, ...requestedOf(resources?.requests) } })),
  }));
}

export async function nodeUsage(client: KubeClient): Promise<readonly NodeUsage[]> {
  const [{ body }, pods] = await Promise.all([client.ask<Listed<{ readonly metadata: Meta }>>('GET', '/api/v1/nodes'), podsOf(client)]);
  return body.items.map(({ metadata: { name, labels = {} } }) => {
    const there = pods
      .filter(({ spec }) => spec.nodeName === name)
      .flatMap(({ spec }) => spec.containers.map(({ resources }) => ({ ...assumed, ...requestedOf(resources?.requests) })));
    const cpu = there.reduce((sum, usage) => sum + amountOf(usage.cpu), 0.05);
    const memory = there.reduce((sum, usage) => sum + amountOf(usage.memory), 64 * 2 ** 20);
    return { name, labels, usage: { cpu: `${Math.round(cpu * 1e9)}n`, memory: `${Math.round(memory / 1024)}Ki` } };
  });
}

async function podsOf(client: KubeClient): Promise<readonly Pod[]> {
  const { code, body } = await client.ask<Listed<Pod>>('GET', '/api/v1/pods');
  if (code !== 200) throw new Error(`pods cannot be listed: ${code}`);
  return body.items;
}

function requestedOf({ cpu, memory }: Readonly<Record<string, string>> = {}): Partial<Usage> {
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}

function amountOf(quantity: string): number {
  const [, number = '0', unit = ''] = /^([0-9.]+)([a-zA-Z]*)$/.exec(quantity) ?? [];
  return Number(number) * (scales[unit] ?? 1);
}
