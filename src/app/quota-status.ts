// How the ledger reads quotas and writes what is used of them. Every pod pays this way: once the server owns the numbers, a charge is one
// compare-and-set of bytes in which only the numbers and the time of the last change are exchanged (test/bench/admission.ts pays for it).
import type { QuotaStorage } from '#admission/quota/ledger.ts';
import type { QuotaAccount, QuotaVersion, StoredQuota } from '#admission/quota/quota-account.ts';
import type { Read } from '#api/lister.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '#api/object.ts';
import { cacheFinder } from '#app/live-lister.ts';
import { andThen } from '#base/and-then.ts';
import { keyOf } from '#resource/keys.ts';
import type { World } from '#verbs/call.ts';
import { timestamp } from '#verbs/metadata.ts';
import { encodeForStore } from '#verbs/write-loop.ts';

const resource = { group: '', resource: 'resourcequotas' };
const manager = 'kube-apiserver';

export function quotaStorage(world: () => World): QuotaStorage {
  const forms = new WeakMap<StoredQuota, StatusForm | 'foreign'>();
  const timeOf = secondsClock();
  let cacheOf: ReturnType<typeof cacheFinder> | undefined;
  return {
    quotasOf(namespace): Read<readonly QuotaVersion[]> {
      cacheOf ??= cacheFinder(world().catalog, world().caches);
      return andThen(cacheOf(resource), (cache) => cache.inNamespace(namespace));
    },
    async save(account, onLost) {
      const { store, clock } = world();
      const { name, stored, revision } = account;
      const form = forms.get(stored) ?? statusForm(world(), stored);
      forms.set(stored, form);
      if (form === 'foreign') return takeOver(world(), account);
      const bytes = usedBytes(form, account.usedTexts(), timeOf(clock.now()));
      const result = await store.compareAndSet(form.key, revision, bytes, { ahead: { onLost } });
      return result.committed ? { name, object: stored, revision: result.revision } : undefined;
    },
  };
}

/** The stored bytes of a quota, cut where the numbers and the time stand. */
interface StatusForm {
  readonly key: string;
  readonly beforeTime: string;
  readonly beforeUsed: string;
  readonly end: string;
}

/** Neither can stand inside a JSON text: their quotes would be escaped. */
const timeMark = '"time":"@"';
const usedMark = '"used":{"@":"0"}';

/** 'foreign' when a charge would change who owns the numbers. */
export function statusForm(world: Pick<World, 'catalog'>, quota: StoredQuota): StatusForm | 'foreign' {
  const own = ownEntry(quota);
  if (own === undefined) return 'foreign';
  const managedFields = (quota.metadata.managedFields ?? []).map((entry) => (entry === own ? { ...entry, time: '@' } : entry));
  const marked = { ...quota, metadata: { ...quota.metadata, managedFields }, status: { ...quota.status, used: { '@': '0' } } };
  const hub = hubOf(world);
  const text = encodeForStore(hub, marked as unknown as KubernetesObject).toString();
  const [time, used] = [text.indexOf(timeMark), text.lastIndexOf(usedMark)];
  if (time < 0 || used < time) return 'foreign';
  return {
    key: keyOf(hub, quota.metadata.namespace ?? '', quota.metadata.name ?? ''),
    beforeTime: text.slice(0, time),
    beforeUsed: text.slice(time + timeMark.length, used),
    end: text.slice(used + usedMark.length),
  };
}

/** `used` in the order of its names; amounts need no escapes. */
export function usedBytes({ beforeTime, beforeUsed, end }: StatusForm, used: ReadonlyMap<string, string>, time: string): Buffer {
  let members = '';
  for (const [name, amount] of used) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:"${amount}"`;
  return Buffer.from(`${beforeTime}"time":"${time}"${beforeUsed}"used":{${members}}${end}`);
}

/** Many are made in one second. */
function secondsClock(): (now: Date) => string {
  let second = 0;
  let text = '';
  return (now) => {
    const current = Math.floor(now.getTime() / 1000);
    if (current !== second || text === '') text = timestamp(now);
    second = current;
    return text;
  };
}

/** An ordinary update, which settles whose the numbers are from now on. */
async function takeOver(world: World, account: QuotaAccount): Promise<QuotaVersion> {
  const { name, stored, revision } = account;
  const metadata = { ...stored.metadata, resourceVersion: String(revision) };
  const changed = { ...stored, metadata, status: { ...stored.status, used: Object.fromEntries(account.usedTexts()) } } as unknown as KubernetesObject;
  const object = await world.writer.update(resource, metadata.namespace ?? '', changed, 'status');
  return { name, object, revision: Number(object.metadata.resourceVersion) };
}

/** The entry in which the server, and nobody else, owns every number. */
function ownEntry({ metadata, status }: StoredQuota): ManagedFieldsEntry | undefined {
  const names = Object.keys(status?.used ?? {}).map((name) => `f:${name}`);
  const entries = metadata.managedFields ?? [];
  const own = entries.find((entry) => isOurs(entry) && names.every((name) => name in ownedNumbers(entry)));
  const isShared = entries.some((entry) => entry !== own && names.some((name) => name in ownedNumbers(entry)));
  return names.length === 0 || isShared ? undefined : own;
}

function isOurs(entry: ManagedFieldsEntry): boolean {
  return entry.manager === manager && entry.subresource === 'status' && entry.operation === 'Update';
}

function ownedNumbers({ fieldsV1 }: ManagedFieldsEntry): object {
  return (fieldsV1 as { 'f:status'?: { 'f:used'?: object } } | undefined)?.['f:status']?.['f:used'] ?? {};
}

function hubOf({ catalog }: Pick<World, 'catalog'>) {
  const served = catalog.find('', 'v1', 'resourcequotas');
  if (served === undefined) throw new Error('resourcequotas are not served');
  return catalog.hubOf(served);
}
