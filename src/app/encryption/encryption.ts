// --encryption-provider-config: what lies encrypted in the store of this server, with which keys, and whether its KMS plugins are well.
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { StoreKind } from '#app/open-store.ts';
import { serverIdentity } from '#app/loops/server-facts.ts';
import { ReloadMetrics, reloadMetrics } from '#app/operations/reload-metrics.ts';
import { followFiles } from '#base/live-value.ts';
import type { Metric } from '#base/metrics.ts';
import type { GroupAndResource } from '#encryption/configuration.ts';
import { encryptedResources } from '#encryption/encrypted-form.ts';
import { EncryptionMetrics } from '#encryption/encryption-metrics.ts';
import type { LiveEncryption } from '#encryption/live-encryption.ts';
import type { EncryptionMeans } from '#encryption/loaded-encryption.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { storeRoot } from '#resource/keys.ts';
import { everyEndpoint, type HealthCheck } from '#server/health/health-checks.ts';

/** Gives resources the form in which they lie in the store. */
export type AsStored = (resources: readonly ResourceDefinition[]) => readonly ResourceDefinition[];

export interface Encryption {
  readonly asStored: AsStored;
  /** Whether the objects of a resource may not lie in the clear. */
  readonly isEncrypted: (resource: GroupAndResource) => boolean;
  readonly checks: readonly HealthCheck[];
  readonly metrics: readonly Metric[];
  readonly stop: () => void;
}

/** Throws a FlagError where the file cannot be used. The providers are loaded only by servers that have a file. */
export async function openEncryption({ flags }: ServerOptions, kind: StoreKind, means: EncryptionMeans): Promise<Encryption> {
  const file = flags.text('encryption-provider-config');
  const reloads = flags.boolean('encryption-provider-config-automatic-reload');
  if (file === '' && reloads) throw new FlagError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
  const counted = new EncryptionMetrics({ identity: serverIdentity(), now: () => performance.now(), seconds: () => means.clock.now().getTime() / 1000 });
  if (file === '') return inTheClear(counted);
  const { live, plugins } = await opened(file, reloads, { ...means, metrics: counted });
  const reloaded = new ReloadMetrics({ identity: serverIdentity(), clock: means.clock, config: live.text });
  if (reloads) follow(live, means, reloaded);
  const atRest = { transformerOf: live.transformerOf.bind(live), isLive: reloads, storedKey: storedKeys(kind, flags.text('etcd-prefix')) };
  return {
    asStored: (resources) => encryptedResources(resources, atRest),
    isEncrypted: (resource) => reloads || live.transformerOf(resource) !== undefined,
    metrics: [...counted.metrics(), ...reloadMetrics('encryption', 'ALPHA', [reloaded])],
    checks: [...(reloads || plugins > 0 ? [pluginCheck(live)] : []), ...(reloads ? [reloadHook] : [])],
    stop: () => live.stop(),
  };
}

function inTheClear(counted: EncryptionMetrics): Encryption {
  const asStored: AsStored = (resources) => encryptedResources(resources, undefined);
  return { asStored, isEncrypted: () => false, checks: [], metrics: counted.metrics(), stop: () => {} };
}

async function opened(file: string, reloads: boolean, means: EncryptionMeans): Promise<{ readonly live: LiveEncryption; readonly plugins: number }> {
  const { parseEncryptionConfiguration, encryptionFileText } = await import('#app/encryption/read-configuration.ts');
  const { loadEncryption } = await import('#encryption/loaded-encryption.ts');
  const { LiveEncryption: Live } = await import('#encryption/live-encryption.ts');
  try {
    const load = async (content: string) => loadEncryption(parseEncryptionConfiguration(file, content, reloads), means);
    const text = encryptionFileText(file);
    const first = await load(text);
    return { live: new Live({ file, text, first, load, timers: means.timers }), plugins: first.plugins.length };
  } catch (error) {
    throw new FlagError((error as Error).message);
  }
}

/** Until the server stops: `stop` of the encryption ends what it began, the watch of the file keeps no process alive. */
function follow(live: LiveEncryption, { timers, log }: EncryptionMeans, counted: ReloadMetrics): void {
  followFiles([live], {
    timers,
    signal: live.signal,
    onRefreshed: ({ files }, found) => {
      counted.record(found.outcome === 'changed' ? 'success' : 'failure', live.text);
      if (found.outcome === 'changed') log.info('another encryption configuration is used', { file: files[0] ?? '' });
      else log.error(`error processing encryption config file ${files[0]}`, found.problem);
    },
  });
}

function pluginCheck(live: LiveEncryption): HealthCheck {
  return { name: 'kms-providers', endpoints: ['healthz', 'readyz'], problem: () => live.problem() };
}

const reloadHook: HealthCheck = {
  name: 'poststarthook/start-encryption-provider-config-automatic-reload',
  endpoints: everyEndpoint,
  problem: () => undefined,
};

/** Providers authenticate the key that a value has in its etcd. */
function storedKeys(kind: StoreKind, prefix: string): (key: string) => string {
  const root = kind === 'etcd' ? `/${prefix.replace(/^\/+|\/+$/g, '')}/` : storeRoot;
  return root === storeRoot ? (key) => key : (key) => root + key.slice(storeRoot.length);
}
