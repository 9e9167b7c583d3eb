// How charges reach a quota's status. Every pod pays this way: once the server owns the numbers, a charge is one compare-and-set
// instead of a whole request (test/bench/admission.ts pays for it).
import { conflict } from '#api/api-error.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '#api/object.ts';
import { loopbackUser } from '#api/user.ts';
import type { StoredQuota } from '#admission/quota/quota-state.ts';
import type { Call, World } from '#verbs/call.ts';
import { timestamp } from '#verbs/metadata.ts';
import { writeLoop } from '#verbs/write-loop.ts';

const resource = { group: '', resource: 'resourcequotas' };
const manager = 'kube-apiserver';

/** Throws a conflict when the stored quota is not the one that was read. */
export async function writeQuotaUsed(world: World, quota: StoredQuota, used: Readonly<Record<string, string>>): Promise<StoredQuota> {
  const { namespace = '', name = '' } = quota.metadata;
  const object = { ...quota, status: { ...quota.status, used } } as unknown as StoredQuota;
  const owned = ownEntry(quota, used);
  if (owned === undefined) return (await world.writer.update(resource, namespace, object, 'status')) as StoredQuota;
  const managedFields = (quota.metadata.managedFields ?? []).map((entry) => (entry === owned ? { ...entry, time: timestamp(world.clock.now()) } : entry));
  const next: KubernetesObject = { ...object, metadata: { ...quota.metadata, managedFields } };
  const read = Number(quota.metadata.resourceVersion);
  const { item } = await writeLoop(callFor(world, namespace, name), { namespace, name, dryRun: false }, async (current) => {
    // An older state is only the cache's: the compare-and-set will find the newer one.
    if (current === undefined || current.revision > read) throw conflict(resource, name, 'the quota has been modified');
    return { is: 'write', object: next };
  });
  return { ...next, metadata: { ...next.metadata, resourceVersion: String(item.revision) } } as StoredQuota;
}

/** Whose fields stay as they are when only numbers change. */
function ownEntry({ metadata }: StoredQuota, used: object): ManagedFieldsEntry | undefined {
  return metadata.managedFields?.find((entry) => {
    if (entry.manager !== manager || entry.subresource !== 'status' || entry.operation !== 'Update') return false;
    const names = (entry.fieldsV1 as { 'f:status'?: { 'f:used'?: object } } | undefined)?.['f:status']?.['f:used'] ?? {};
    return Object.keys(used).every((name) => `f:${name}` in names);
  });
}

function callFor(world: World, namespace: string, name: string): Call {
  const served = world.catalog.find('', 'v1', 'resourcequotas');
  if (served === undefined) throw new Error('resourcequotas are not served');
  return {
    world,
    definition: served,
    hub: world.catalog.hubOf(served),
    subresource: 'status',
    namespace,
    name,
    user: loopbackUser,
    query: new URLSearchParams(),
    userAgent: manager,
    signal: new AbortController().signal,
    warn: () => {},
    annotate: () => {},
  };
}
