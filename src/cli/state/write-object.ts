// One object of an export into a server: its content, its status, and who manages which of its fields.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#api/api-error.ts';
import type { StateObject } from '#cli/state/state-object.ts';
import type { DiscoveredResource } from '#client/discovery-client.ts';
import type { RestClient } from '#client/rest-client.ts';
import { NoMatch, type RestMapper } from '#client/rest-mapper.ts';

export interface WriteParts {
  readonly client: RestClient;
  readonly mapper: RestMapper;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export interface Written {
  readonly uid: string | undefined;
  readonly outcome: 'created' | 'updated';
}

/** Controllers write the same objects while they come. */
const attempts = 10;

export async function writeObject(object: StateObject, parts: WriteParts): Promise<Written> {
  const { client, mapper } = parts;
  const resource = await resourceOf(mapper, object);
  const { status, ...content } = withoutServerFields(object);
  const created = await createIfAbsent(client, resource, content as StateObject);
  const written = created ?? (await atItsVersion(client, resource, content, (current) => replaced(current, content)));
  await writeStatus(client, resource, object, status);
  const { managedFields } = object.metadata;
  if (managedFields !== undefined)
    await atItsVersion(client, resource, content, (current) => ({ ...current, metadata: { ...current.metadata, managedFields } }));
  if (object.kind === 'CustomResourceDefinition') await established(object, resource, parts);
  return { uid: written.metadata.uid, outcome: created === undefined ? 'updated' : 'created' };
}

async function resourceOf(mapper: RestMapper, { apiVersion, kind }: StateObject): Promise<DiscoveredResource> {
  try {
    return await mapper.forKind(apiVersion, kind);
  } catch (problem) {
    if (problem instanceof NoMatch) throw new ApiError(404, 'NotFound', problem.message, { cause: problem });
    throw problem;
  }
}

/** What every server says for itself. */
function withoutServerFields({ metadata, ...object }: StateObject): StateObject {
  const { uid: _u, resourceVersion: _r, creationTimestamp: _c, generation: _g, selfLink: _s, deletionTimestamp: _d, managedFields: _m, ...kept } = metadata;
  return { ...object, metadata: kept } as StateObject;
}

/** Undefined: it is there already. Looked for first, because a service that exists holds the address that its own create would ask for. */
async function createIfAbsent(client: RestClient, resource: DiscoveredResource, content: StateObject): Promise<StateObject | undefined> {
  const { namespace = '', name } = content.metadata;
  try {
    if ((await client.find(resource, namespace, name)) !== undefined) return undefined;
    return await client.create(resource, namespace, content);
  } catch (problem) {
    if (problem instanceof ApiError && problem.reason === 'AlreadyExists') return undefined;
    throw problem;
  }
}

/** Its identity stays that of the object that is there. */
function replaced(current: StateObject, content: Partial<StateObject>): StateObject {
  const { uid, resourceVersion, creationTimestamp } = current.metadata;
  const { status } = current;
  return { ...content, ...(status !== undefined && { status }), metadata: { ...content.metadata, uid, resourceVersion, creationTimestamp } } as StateObject;
}

/** Reads, changes and writes; again when somebody else was faster. Writes nothing that is so already. */
async function atItsVersion(
  client: RestClient,
  resource: DiscoveredResource,
  { metadata: { namespace = '', name = '' } = { name: '' } }: Partial<StateObject>,
  change: (current: StateObject) => StateObject,
  subresource = '',
): Promise<StateObject> {
  for (let attempt = 1; ; attempt++) {
    const current = await client.get<StateObject>(resource, namespace, name);
    const wanted = change(current);
    if (isDeepStrictEqual(wanted, current)) return current;
    try {
      return await client.update(resource, wanted, subresource);
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.reason !== 'Conflict' || attempt === attempts) throw problem;
    }
  }
}

/** The server itself says how these are. */
const ownStatus = ['CustomResourceDefinition', 'APIService', 'Namespace', 'ResourceQuota'];

async function writeStatus(client: RestClient, resource: DiscoveredResource, object: StateObject, status: unknown): Promise<void> {
  if (!resource.subresources.includes('status') || ownStatus.includes(object.kind)) return;
  if (typeof status !== 'object' || status === null || Object.keys(status).length === 0) return;
  const change = (current: StateObject) => ({ ...current, status: observedNow(status, object.metadata.generation, current.metadata.generation) });
  await atItsVersion(client, resource, object, change, 'status');
}

/** Generations begin anew: a controller that had seen the last one has seen this one. */
function observedNow(status: object, before: number | undefined, now: number | undefined): object {
  if (before === undefined || now === undefined) return status;
  const renewed = (part: object) => ('observedGeneration' in part && part.observedGeneration === before ? { ...part, observedGeneration: now } : part);
  const { conditions } = status as { conditions?: unknown };
  return { ...renewed(status), ...(Array.isArray(conditions) && { conditions: conditions.map(renewed) }) };
}

const establishAttempts = 200;
const establishWaitMs = 50;

/** Objects of a definition can come when the server serves them. */
async function established({ metadata: { name } }: StateObject, resource: DiscoveredResource, { client, mapper, wait }: WriteParts): Promise<void> {
  for (let attempt = 0; attempt < establishAttempts; attempt++) {
    const { status } = await client.get<{ status?: { conditions?: readonly { type: string; status: string }[] } }>(resource, '', name);
    if (status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True')) return mapper.reset();
    await wait(establishWaitMs);
  }
  throw new ApiError(504, 'Timeout', `the definition ${name} was not established in time`);
}
