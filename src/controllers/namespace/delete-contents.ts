// Empties a namespace: pods first, and only when they are gone everything else, so that nothing a pod relies on (a NetworkPolicy, a Secret)
// goes before it. Each kind is deleted as a collection, page by page; what is left then has finalizers or a grace period.
import { ApiError } from '#api/api-error.ts';
import { inParallel } from '#base/in-parallel.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ListOf, ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { DeletionFindings, RemainingContent } from '#controllers/namespace/namespace-conditions.ts';

export interface NamespacedResource extends ResourceAddress {
  readonly verbs: readonly string[];
}

export interface Contents {
  readonly resources: readonly NamespacedResource[];
  /** Why nothing is known of some group-versions, by `group/version`. */
  readonly undiscovered: ReadonlyMap<string, string>;
}

/** `waitSeconds`: about how long until what is left is gone; 0 says nothing about whether something is left. */
export interface DeletionPass extends DeletionFindings {
  readonly waitSeconds: number;
  /** Still there. The conditions do not name pods that others wait for, as the original's do not. */
  readonly left: readonly RemainingContent[];
}

interface Emptied {
  readonly resource: NamespacedResource;
  readonly remaining?: RemainingContent;
  readonly waitSeconds: number;
  readonly failure?: string;
}

/** Somebody has to take finalizers away: the original looks again after about half this time. */
const finalizerSeconds = 15;
const pageSize = 500;
/** Kinds of one namespace that are emptied at the same time. */
const kindsAtOnce = 8;
const background = { propagationPolicy: 'Background' };

export async function deleteContents(
  client: RestClient,
  namespace: string,
  { resources, undiscovered }: Contents,
  deletedSince: number,
): Promise<DeletionPass> {
  const deletable = resources.filter(({ verbs }) => verbs.includes('delete'));
  const pods = deletable.find(isPods);
  const podsPass = pods && (await empty(client, pods, namespace, deletedSince));
  const first = podsPass === undefined ? [] : [podsPass];
  if (podsPass?.remaining) return { ...passOf(first, undiscovered), remaining: [] };
  const rest = deletable.filter((resource) => resource !== pods);
  const others: Emptied[] = [];
  await inParallel(rest, kindsAtOnce, async (resource) => void others.push(await empty(client, resource, namespace, deletedSince)));
  return passOf([...first, ...others], undiscovered);
}

function passOf(emptied: readonly Emptied[], undiscovered: ReadonlyMap<string, string>): DeletionPass {
  const left = emptied.flatMap(({ remaining }) => remaining ?? []);
  return {
    undiscovered,
    failures: emptied.flatMap(({ failure }) => failure ?? []),
    remaining: left,
    left,
    waitSeconds: Math.max(0, ...emptied.map(({ waitSeconds }) => waitSeconds)),
  };
}

/** What fails concerns this kind alone: the others are emptied all the same. */
async function empty(client: RestClient, resource: NamespacedResource, namespace: string, deletedSince: number): Promise<Emptied> {
  let waitSeconds = 0;
  try {
    if (!resource.verbs.includes('list')) return await emptyUnseen(client, resource, namespace);
    if ((await leftOf(client, resource, namespace, 1)).length === 0) return { resource, waitSeconds };
    const grace = isPods(resource) ? await longestGrace(client, resource, namespace) : 0;
    waitSeconds = deletedSince >= grace ? 0 : grace;
    await deleteAll(client, resource, namespace);
    const left = await leftOf(client, resource, namespace);
    if (left.length === 0) return { resource, waitSeconds: 0 };
    return judgeLeft(resource, namespace, left, waitSeconds);
  } catch (error) {
    // The kind went meanwhile, with all its objects.
    if (isMissing(error)) return { resource, waitSeconds: 0 };
    return { resource, waitSeconds, failure: error instanceof Error ? error.message : String(error) };
  }
}

function judgeLeft(resource: NamespacedResource, namespace: string, left: readonly KubernetesObject[], waitSeconds: number): Emptied {
  const finalizers = new Map<string, number>();
  for (const { metadata } of left) for (const name of metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  const remaining = { resource, count: left.length, finalizers };
  if (waitSeconds > 0) return { resource, remaining, waitSeconds };
  if (finalizers.size > 0) return { resource, remaining, waitSeconds: finalizerSeconds };
  const { group, version, resource: plural } = resource;
  const failure = `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${plural}`;
  return { resource, remaining, waitSeconds, failure };
}

/** Pages whose objects are of no interest: how many there were, and whether more follow. */
async function deleteAll(client: RestClient, resource: NamespacedResource, namespace: string): Promise<void> {
  if (!resource.verbs.includes('deletecollection')) return await deleteEach(client, resource, namespace);
  for (let next: string | undefined = ''; next !== undefined; ) {
    const query = { limit: pageSize, ...(next !== '' && { continue: next }) };
    const page: ListOf<unknown> = await client.deleteCollection<unknown>(resource, namespace, query, background);
    next = page.metadata.continue || undefined;
  }
}

async function deleteEach(client: RestClient, resource: NamespacedResource, namespace: string): Promise<void> {
  for (const { metadata } of await leftOf(client, resource, namespace)) {
    try {
      await client.delete(resource, namespace, metadata.name ?? '', background);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** What cannot be listed can only be told to go. */
async function emptyUnseen(client: RestClient, resource: NamespacedResource, namespace: string): Promise<Emptied> {
  if (resource.verbs.includes('deletecollection')) await client.deleteCollection(resource, namespace, {}, background);
  return { resource, waitSeconds: 0 };
}

async function leftOf(client: RestClient, resource: ResourceAddress, namespace: string, atMost = Infinity): Promise<readonly KubernetesObject[]> {
  const all: KubernetesObject[] = [];
  for await (const { items } of client.as('metadata').pages(resource, namespace, { limit: Math.min(atMost, pageSize) })) {
    all.push(...(items ?? []));
    if (all.length >= atMost) break;
  }
  return all;
}

/** Seconds that pods which still run may take. */
async function longestGrace(client: RestClient, pods: ResourceAddress, namespace: string): Promise<number> {
  let longest = 0;
  for await (const { items } of client.pages<Pod>(pods, namespace, { limit: pageSize })) {
    for (const { spec, status } of items ?? []) {
      if (status?.phase === 'Succeeded' || status?.phase === 'Failed') continue;
      longest = Math.max(longest, Number(spec.terminationGracePeriodSeconds ?? 0));
    }
  }
  return longest;
}

function isPods({ group, resource }: ResourceAddress): boolean {
  return group === '' && resource === 'pods';
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 404 || error.code === 405);
}
