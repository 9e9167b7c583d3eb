// Puts the cases of a table to a real kube-apiserver: REFERENCE_SERVER=https://127.0.0.1:PORT. Tables are about rules, so that server
// should run without the admission plugins that speak first: --disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection,
// Priority,DefaultTolerationSeconds,RuntimeClass,LimitRanger,ResourceQuota,PersistentVolumeClaimResize,TaintNodesByCondition
import { request } from 'node:https';
import type { KubernetesObject } from '#api/object.ts';
import type { Status } from '#api/status.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { type Refused, shownRefusal } from './refusals.ts';

/** Where tables that need gates are put: a server that was started with them. */
export interface Reference {
  readonly url: string;
}

/** The server to ask; undefined when there is none, or none with these gates. */
export function referenceFor(gates: Readonly<Record<string, string>>): Reference | undefined {
  const url = process.env[Object.keys(gates).length === 0 ? 'REFERENCE_SERVER' : 'REFERENCE_SERVER_WITH_GATES'];
  return url === undefined ? undefined : { url };
}

/** A namespace of this process, so that test files do not disturb each other. */
const namespace = `rules-${process.pid}`;

export async function refusalOfCreation(reference: Reference, definition: ResourceDefinition, body: object): Promise<Refused> {
  return refusalIn(await send(reference, 'POST', `${collection(definition, 'default')}?dryRun=All`, body));
}

/** Stores the old object with its status, then sends the changed one; dry-run, but the old object is really there for a moment. */
export async function refusalOfUpdate(
  reference: Reference,
  definition: ResourceDefinition,
  old: object,
  change: (stored: KubernetesObject) => KubernetesObject,
  subresource: string,
): Promise<Refused> {
  await send(reference, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const all = collection(definition, namespace);
  const created = await send(reference, 'POST', all, withoutEphemeralContainers(old));
  if (created.kind === 'Status') throw new Error(`the reference server refuses the old object: ${JSON.stringify(created)}`);
  const one = `${all}/${encodeURIComponent((created as unknown as KubernetesObject).metadata.name ?? '')}`;
  try {
    const stored = await withStatus(reference, one, old, created as unknown as KubernetesObject);
    return refusalIn(await send(reference, 'PUT', `${one}${subresource === '' ? '' : `/${subresource}`}?dryRun=All`, change(stored)));
  } finally {
    await remove(reference, one);
  }
}

/** Also what finalizers hold. */
async function remove(reference: Reference, path: string): Promise<void> {
  await send(reference, 'DELETE', path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
  const left = (await send(reference, 'GET', path)) as unknown as KubernetesObject;
  if (left.kind === 'Status') return;
  await send(reference, 'PUT', path, { ...left, metadata: { ...left.metadata, finalizers: [] } });
  if (left.kind === 'Namespace') await send(reference, 'PUT', `${path}/finalize`, { ...left, spec: {} });
}

/** They come only through their subresource. */
function withoutEphemeralContainers(old: object): object {
  const { spec } = old as { spec?: { ephemeralContainers?: object[] } };
  return spec?.ephemeralContainers === undefined ? old : { ...old, spec: { ...spec, ephemeralContainers: undefined } };
}

async function withStatus(reference: Reference, path: string, old: object, object: KubernetesObject): Promise<KubernetesObject> {
  const { status, spec } = old as { status?: object; spec?: { ephemeralContainers?: object[] } };
  let created = object;
  if (spec?.ephemeralContainers) {
    const debugged = { ...created, spec: { ...(created['spec'] as object), ephemeralContainers: spec.ephemeralContainers } };
    created = (await send(reference, 'PUT', `${path}/ephemeralcontainers`, debugged)) as unknown as KubernetesObject;
  }
  if (status === undefined) return created;
  return (await send(reference, 'PUT', `${path}/status`, {
    ...created,
    status: { ...(created['status'] as object), ...status },
  })) as unknown as KubernetesObject;
}

function collection({ group, version, plural, namespaced }: ResourceDefinition, inNamespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? `/namespaces/${inNamespace}` : ''}/${plural}`;
}

function refusalIn(answer: Status): Refused {
  return shownRefusal(answer.kind === 'Status' ? answer : undefined);
}

export function send({ url }: Reference, method: string, path: string, body?: object, type = 'application/json', accept = 'application/json'): Promise<Status> {
  const text = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const headers = { authorization: 'Bearer admin-token', 'content-type': type, accept, 'content-length': text.length };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers, rejectUnauthorized: false }, (response) => {
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
