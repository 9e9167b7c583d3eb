// The resources: nodes and pods of metrics.k8s.io, read one by one, as lists, and as watches that tell every new sample.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { group, type Resource, resources, version } from './documents.ts';
import type { KubeClient } from './kube-client.ts';
import { nodeUsage, podUsage } from './usage.ts';

export interface ResourceRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

interface Metrics {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly creationTimestamp: string;
  };
  readonly [field: string]: unknown;
}

const sampleEveryMs = 1_000;
const apiVersion = `${group}/${version}`;

/** Undefined for paths that lead to no resource. */
export function resourceRequest(path: string): ResourceRequest | undefined {
  const [, root, inGroup, inVersion, ...parts] = path.split('/');
  if (root !== 'apis' || inGroup !== group || inVersion !== version || parts.length === 0) return undefined;
  const [namespace, rest] = parts[0] === 'namespaces' ? [parts[1], parts.slice(2)] : [undefined, parts];
  const resource = resources.find(({ plural }) => plural === rest[0]);
  const isWellPlaced = resource !== undefined && (resource.namespaced || namespace === undefined) && rest.length <= 2;
  return isWellPlaced ? { resource, namespace, name: rest[1] } : undefined;
}

export async function serveResource(asked: ResourceRequest, request: IncomingMessage, response: ServerResponse, client: KubeClient): Promise<void> {
  const query = new URL(request.url ?? '', 'https://localhost').searchParams;
  const selected = async () => (await sampled(asked, client)).filter(({ metadata }) => isSelected(metadata.labels, query.get('labelSelector') ?? ''));
  if (asked.name !== undefined) return sendOne(response, asked, await sampled(asked, client));
  if (['1', 'true'].includes(query.get('watch') ?? '')) return watch(asked, selected, response, Number(query.get('timeoutSeconds') ?? 0));
  const list = { kind: `${asked.resource.kind}List`, apiVersion, metadata: {}, items: await selected() };
  send(response, 200, list);
}

export function send(response: ServerResponse, code: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(`${JSON.stringify(body)}\n`);
}

export function sendStatus(response: ServerResponse, code: number, reason: string, message: string): void {
  send(response, code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
}

function sendOne(response: ServerResponse, { resource, name }: ResourceRequest, all: readonly Metrics[]): void {
  const found = all.find(({ metadata }) => metadata.name === name);
  if (found) send(response, 200, found);
  else sendStatus(response, 404, 'NotFound', `${resource.plural}.${group} "${name}" not found`);
}

async function sampled({ resource, namespace, name }: ResourceRequest, client: KubeClient): Promise<readonly Metrics[]> {
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const common = { kind: resource.kind, apiVersion, timestamp, window: `${sampleEveryMs / 1000}s` };
  if (!resource.namespaced) {
    const nodes = await nodeUsage(client);
    return nodes.map((node) => ({ ...common, metadata: { name: node.name, labels: node.labels, creationTimestamp: timestamp }, usage: node.usage }));
  }
  const pods = (await podUsage(client)).filter((pod) => (namespace === undefined || pod.namespace === namespace) && (name === undefined || pod.name === name));
  return pods.map((pod) => ({
    ...common,
    metadata: { name: pod.name, namespace: pod.namespace, labels: pod.labels, creationTimestamp: timestamp },
    containers: pod.containers,
  }));
}

/** `a=b,c!=d,e`: what kubectl sends for -l. */
function isSelected(labels: Readonly<Record<string, string>>, selector: string): boolean {
  return selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => {
      const [, key = '', operator, value] = /^([^!=]+?)\s*(!=|==|=)?\s*([^!=]*)$/.exec(part.trim()) ?? [];
      if (operator === undefined) return labels[key] !== undefined;
      return operator === '!=' ? labels[key] !== value : labels[key] === value;
    });
}

/** All there is at first, then every sample as a change, until the client goes or its time is over. */
async function watch(asked: ResourceRequest, selected: () => Promise<readonly Metrics[]>, response: ServerResponse, seconds: number): Promise<void> {
  const known = new Set<string>();
  const tell = (type: string, object: object) => response.write(`${JSON.stringify({ type, object })}\n`);
  const sample = async () => {
    const all = await selected();
    for (const object of all) {
      const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      tell(known.has(key) ? 'MODIFIED' : 'ADDED', object);
      known.add(key);
    }
    const gone = [...known].filter((key) => !all.some(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}` === key));
    for (const key of gone) {
      const [namespace = '', name = ''] = key.split('/');
      known.delete(key);
      tell('DELETED', { kind: asked.resource.kind, apiVersion, metadata: { name, ...(namespace !== '' && { namespace }) } });
    }
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  await sample();
  const timer = setInterval(() => void sample().catch(() => response.destroy()), sampleEveryMs);
  const end = seconds > 0 ? setTimeout(() => response.end(), seconds * 1000) : undefined;
  response.once('close', () => {
    clearInterval(timer);
    clearTimeout(end);
  });
}
