// Puts the cases of a table to a real kube-apiserver: REFERENCE_SERVER=https://127.0.0.1:PORT. Tables are about rules, so that server
// should run without the admission plugins that speak first: --disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection,
// Priority,DefaultTolerationSeconds,RuntimeClass,LimitRanger,ResourceQuota,PersistentVolumeClaimResize,TaintNodesByCondition
import { request } from 'node:https';
import type { KubernetesObject } from '#api/object.ts';
import type { Status } from '#api/status.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { type Refused, shownRefusal } from './refusals.ts';

export const referenceServer = process.env['REFERENCE_SERVER'];

/** A namespace of this process, so that test files do not disturb each other. */
const namespace = `rules-${process.pid}`;

export async function refusalOfCreation(definition: ResourceDefinition, body: object): Promise<Refused> {
  return refusalIn(await send('POST', `${collection(definition, 'default')}?dryRun=All`, body));
}

/** Stores the old object with its status, then sends the changed one; dry-run, but the old object is really there for a moment. */
export async function refusalOfUpdate(
  definition: ResourceDefinition,
  old: object,
  change: (stored: KubernetesObject) => KubernetesObject,
  subresource: string,
): Promise<Refused> {
  await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const all = collection(definition, namespace);
  const created = await send('POST', all, old);
  if (created.kind === 'Status') throw new Error(`the reference server refuses the old object: ${JSON.stringify(created)}`);
  const one = `${all}/${encodeURIComponent((created as unknown as KubernetesObject).metadata.name ?? '')}`;
  try {
    const stored = await withStatus(one, old, created as unknown as KubernetesObject);
    return refusalIn(await send('PUT', `${one}${subresource === '' ? '' : `/${subresource}`}?dryRun=All`, change(stored)));
  } finally {
    await send('DELETE', one, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
  }
}

async function withStatus(path: string, old: object, created: KubernetesObject): Promise<KubernetesObject> {
  const { status } = old as { status?: object };
  if (status === undefined) return created;
  return (await send('PUT', `${path}/status`, { ...created, status: { ...(created['status'] as object), ...status } })) as unknown as KubernetesObject;
}

function collection({ group, version, plural, namespaced }: ResourceDefinition, inNamespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? `/namespaces/${inNamespace}` : ''}/${plural}`;
}

function refusalIn(answer: Status): Refused {
  return shownRefusal(answer.kind === 'Status' ? answer : undefined);
}

function send(method: string, path: string, body: object): Promise<Status> {
  const text = Buffer.from(JSON.stringify(body));
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json', 'content-length': text.length };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, referenceServer), { method, headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(statusIn(Buffer.concat(chunks).toString(), response.statusCode ?? 0)));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** What is not JSON comes from the HTTP library of the server, before any handler. */
function statusIn(text: string, code: number): Status {
  return text.startsWith('{') ? JSON.parse(text) : { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: text, code };
}
