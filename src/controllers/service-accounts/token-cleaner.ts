// Tokens that were once made for every service account and that nobody has used for a year: marked as invalid first, deleted a year later.
// Tokens that somebody asked for (not named by their account) and those that a pod mounts stay.
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources } from '#api/source.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, every, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import {
  accountOf,
  isAccount,
  isTokenSecret,
  secrets,
  serviceAccounts,
  type StoredAccount,
  type StoredSecret,
} from '#controllers/service-accounts/token-secret.ts';

export interface TokenCleanerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly now: () => Date;
  /** Names of the Secrets that a pod uses. */
  readonly secretsOfPod: (pod: KubernetesObject) => Iterable<string>;
}

const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
const pods = { group: '', resource: 'pods' };
const trackingName = 'kube-apiserver-legacy-service-account-token-tracking';
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';
const dayMs = 24 * 3600_000;
/** --legacy-service-account-token-clean-up-period */
const unusedMs = 365 * dayMs;

/** One key: all tokens are looked at once a day. */
export function tokenCleaner(options: TokenCleanerOptions): Controller {
  const { sources, timers } = options;
  const all = { secrets: sources.of<StoredSecret>(secrets), accounts: sources.of<StoredAccount>(serviceAccounts), pods: sources.of(pods) };
  const nothing = () => [];
  return controller({
    ...options,
    name: 'legacy_serviceaccount_token_cleaner',
    sources: [
      keysOf(all.secrets, nothing),
      keysOf(all.accounts, nothing),
      keysOf(all.pods, nothing),
      async (enqueue) => enqueue('/'),
      every(timers, dayMs, '/'),
    ],
    reconcile: () => cleanUp(options, all),
  });
}

interface Followed {
  readonly secrets: Source<StoredSecret>;
  readonly accounts: Source<StoredAccount>;
  readonly pods: Source;
}

async function cleanUp(options: TokenCleanerOptions, all: Followed): Promise<void> {
  const { client, now, log, secretsOfPod } = options;
  const limit = now().getTime() - unusedMs;
  if ((await trackedSince(client)) > limit) return;
  for (const item of all.secrets.list()) {
    if (!isTokenSecret(item) || !isUnused(item.object, limit) || !isNamedByItsAccount(item.object, all.accounts)) continue;
    const mounted = all.pods.list(item.namespace).flatMap(({ object }) => [...secretsOfPod(object)]);
    if (mounted.includes(item.name)) continue;
    try {
      await invalidateOrDelete(client, item.object, limit, now());
    } catch (error) {
      log.warn('an unused token of a service account could not be cleaned up', { secret: sourceKey(item), err: String(error) });
    }
  }
}

/** The end of the day on which the server began to note down when tokens are used. */
async function trackedSince(client: RestClient): Promise<number> {
  const { data } = await client.get<{ readonly data?: Readonly<Record<string, string>> }>(configMaps, 'kube-system', trackingName);
  const since = dayOf(data?.['since']);
  if (since === undefined) throw new Error(`ConfigMap kube-system/${trackingName} does not say since when`);
  return since + dayMs;
}

function isUnused({ metadata }: StoredSecret, limit: number): boolean {
  const { creationTimestamp = '', deletionTimestamp, labels = {} } = metadata;
  if (Date.parse(creationTimestamp) >= limit || deletionTimestamp !== undefined) return false;
  const lastUsed = labels[lastUsedLabel];
  if (lastUsed === undefined) return true;
  // A label that is no date says nothing.
  return dayOf(lastUsed) !== undefined && lastUsed < dateOf(limit);
}

function isNamedByItsAccount(secret: StoredSecret, accounts: Source<StoredAccount>): boolean {
  const reference = accountOf(secret);
  const account = accounts.get(secret.metadata.namespace ?? '', reference.name)?.object;
  return isAccount(account, reference) && account?.secrets?.some(({ name }) => name === secret.metadata.name) === true;
}

async function invalidateOrDelete(client: RestClient, { metadata }: StoredSecret, limit: number, now: Date): Promise<void> {
  const { namespace = '', name = '', uid, resourceVersion, labels = {} } = metadata;
  const since = labels[invalidSinceLabel] ?? '';
  if (dayOf(since) === undefined) {
    const change = { metadata: { uid, labels: { [invalidSinceLabel]: dateOf(now.getTime()) } } };
    return await unlessOvertaken(client.patch(secrets, { namespace, name }, patchTypes.merge, change));
  }
  if (since < dateOf(limit)) await unlessOvertaken(client.delete(secrets, namespace, name, { preconditions: { resourceVersion } }));
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

function dayOf(text = ''): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : undefined;
}
