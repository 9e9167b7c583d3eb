// How the ledger reads quotas and writes what is used of them. Every pod pays this way: once the server owns the numbers, a charge is one
// compare-and-set of bytes in which only the numbers and the time of the last change are exchanged (test/bench/admission.ts pays for it).
import type { QuotaStorage } from '#admission/quota/ledger.ts';
import type { QuotaAccount, QuotaVersion, StoredQuota } from '#admission/quota/quota-account.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '#api/object.ts';
import { cacheFinder } from '#verbs/live-lister.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { keyOf } from '#resource/keys.ts';
import type { World } from '#verbs/call.ts';
import { timestamp } from '#verbs/metadata.ts';

const resource = { group: '', resource: 'resourcequotas' };
const manager = 'kube-apiserver';

/** What of the world is needed. */
export type QuotaWorld = Pick<World, 'store' | 'caches' | 'catalog' | 'clock' | 'writer'>;

export function quotaStorage(world: QuotaWorld): QuotaStorage {
  const forms = new WeakMap<StoredQuota, StatusForm | 'foreign'>();
  const timeOf = secondsClock();
  const { catalog, caches, store, clock } = world;
  const cacheOf = cacheFinder(catalog, caches);
  return {
    quotasOf(namespace): MaybePromise<readonly QuotaVersion[]> {
      return andThen(cacheOf(resource), (cache) => cache.inNamespace(namespace));
    },
    save(account, onLost) {
      const { name, stored, revision } = account;
      let form = forms.get(stored);
      if (form === undefined) forms.set(stored, (form = statusForm(world, stored)));
      const used = account.usedTexts();
      if (form === 'foreign' || changesOthers(form, stored, used)) return takeOver(world, account);
      const bytes = usedBytes(form, used, timeOf(clock.now()));
      const result = store.compareAndSetDeferred(form.key, revision, bytes, onLost);
      return andThen(result, (written) => (written.committed ? { name, object: stored, revision: written.revision } : undefined));
    },
  };
}

/** The stored bytes of a quota, cut where the numbers and the time stand. */
interface StatusForm {
  readonly key: string;
  readonly beforeTime: Buffer;
  readonly beforeUsed: Buffer;
  readonly end: Buffer;
  /** Names of the numbers that another manager owns: the quota controller wrote them. */
  readonly others: readonly string[];
  /** By name what stands before its number, in the order of names. */
  readonly openings: readonly (readonly [name: string, opening: string])[];
}

/** Neither can stand inside a JSON text: their quotes would be escaped. */
const timeMark = '"time":"@"';
const usedMark = '"used":{"@":"0"}';

function changesOthers({ others }: StatusForm, { status }: StoredQuota, used: ReadonlyMap<string, string>): boolean {
  return others.some((name) => used.get(name) !== (status.used as Readonly<Record<string, string>> | undefined)?.[name]);
}

/** 'foreign' when a charge would change who owns the numbers, or when the store keeps something else than the text of the quota. */
export function statusForm(world: Pick<World, 'catalog'>, quota: StoredQuota): StatusForm | 'foreign' {
  const own = ownEntry(quota);
  const hub = hubOf(world);
  if (own === undefined || hub.form.toStore !== undefined) return 'foreign';
  const managedFields = (quota.metadata.managedFields ?? []).map((entry) => (entry === own ? { ...entry, time: '@' } : entry));
  const marked = { ...quota, metadata: { ...quota.metadata, managedFields }, status: { ...quota.status, used: { '@': '0' } } };
  const text = hub.form.encode(marked as unknown as KubernetesObject).toString();
  const [time, used] = [text.indexOf(timeMark), text.lastIndexOf(usedMark)];
  if (time < 0 || used < time) return 'foreign';
  return {
    key: keyOf(hub, quota.metadata.namespace ?? '', quota.metadata.name ?? ''),
    beforeTime: Buffer.from(`${text.slice(0, time)}"time":"`),
    beforeUsed: Buffer.from(`"${text.slice(time + timeMark.length, used)}"used":{`),
    end: Buffer.from(`}${text.slice(used + usedMark.length)}`),
    others: Object.keys(quota.status.used ?? {}).filter((name) => !(`f:${name}` in ownedNumbers(own))),
    openings: openingsOf(Object.keys(quota.status.used ?? {})),
  };
}

function openingsOf(names: readonly string[]): StatusForm['openings'] {
  return names.toSorted().map((name, index) => [name, `${index === 0 ? '' : ','}${JSON.stringify(name)}:"`]);
}

/** Names of resources, amounts and times are ASCII and need no escapes. */
export function usedBytes({ beforeTime, beforeUsed, end, openings }: StatusForm, used: ReadonlyMap<string, string>, time: string): Buffer {
  let members = '';
  for (const [name, opening] of openings) members += `${opening}${used.get(name)}"`;
  const bytes = Buffer.allocUnsafe(beforeTime.length + time.length + beforeUsed.length + members.length + end.length);
  let at = beforeTime.copy(bytes);
  at += bytes.write(time, at, 'latin1');
  at += beforeUsed.copy(bytes, at);
  at += bytes.write(members, at, 'latin1');
  end.copy(bytes, at);
  return bytes;
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
async function takeOver(world: QuotaWorld, account: QuotaAccount): Promise<QuotaVersion> {
  const { name, stored, revision } = account;
  const metadata = { ...stored.metadata, resourceVersion: String(revision) };
  const changed = { ...stored, metadata, status: { ...stored.status, used: Object.fromEntries(account.usedTexts()) } } as unknown as KubernetesObject;
  const object = await world.writer.update(resource, metadata.namespace ?? '', changed, 'status');
  return { name, object, revision: Number(object.metadata.resourceVersion) };
}

/** The entry by which the server owns numbers that no other manager owns. */
function ownEntry({ metadata, status }: StoredQuota): ManagedFieldsEntry | undefined {
  const names = Object.keys(status?.used ?? {}).map((name) => `f:${name}`);
  const entries = metadata.managedFields ?? [];
  const own = entries.find((entry) => isOurs(entry) && names.some((name) => name in ownedNumbers(entry)));
  if (own === undefined) return undefined;
  const isShared = entries.some((entry) => entry !== own && names.some((name) => name in ownedNumbers(own) && name in ownedNumbers(entry)));
  return isShared ? undefined : own;
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
