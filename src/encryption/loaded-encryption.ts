// What a configuration has become: transformers, and the KMS plugins that they speak with.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { parseDuration } from '#base/time/duration.ts';
import type { Timers } from '#base/timers.ts';
import { defaultedKms, type EncryptionConfiguration, type KmsPlugin } from '#encryption/configuration.ts';
import type { EncryptionMetrics } from '#encryption/encryption-metrics.ts';
import { KmsClient } from '#encryption/kms/kms-client.ts';
import { KmsProvider } from '#encryption/kms/kms-provider.ts';
import { resourceTransformers, type TransformerOf } from '#encryption/resource-transformers.ts';
import { aggregated, prefixed } from '#encryption/transformer.ts';

export interface EncryptionMeans {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Is this feature gate on? */
  readonly gate: (name: string) => boolean;
  readonly metrics?: EncryptionMetrics;
}

export interface LoadedEncryption {
  readonly transformerOf: TransformerOf;
  readonly plugins: readonly KmsProvider[];
  /** How long calls of its plugins may still be under way. */
  readonly graceMs: number;
  stop(): void;
}

/** Resolves when every plugin has answered once, or could not. */
export async function loadEncryption(configuration: EncryptionConfiguration, means: EncryptionMeans): Promise<LoadedEncryption> {
  const plugins: KmsProvider[] = [];
  let timeouts = 0;
  const stop = () => plugins.forEach((plugin) => plugin.stop());
  const kms = (given: KmsPlugin) => {
    const { apiVersion, name = '', endpoint = '', timeout } = defaultedKms(given);
    if (apiVersion === 'v1') throw new Error(means.gate('KMSv1') ? withoutVersion1 : deprecated);
    const timeoutMs = Number(parseDuration(timeout ?? '') / 1_000_000n);
    timeouts += timeoutMs;
    const observer = means.metrics?.plugin(name);
    const plugin = new KmsProvider({ ...means, name, observer, client: new KmsClient({ endpoint, timeoutMs, timers: means.timers, observer }) });
    plugins.push(plugin);
    return prefixed(`k8s:enc:kms:v2:${name}:`, plugin);
  };
  try {
    const { metrics } = means;
    const transformerOf = resourceTransformers(configuration, kms, metrics && ((resource) => metrics.transformations(resource)));
    await Promise.all(plugins.map((plugin) => plugin.start()));
    return { transformerOf, plugins, graceMs: 2 * timeouts, stop };
  } catch (error) {
    stop();
    throw new Error(`error while building transformers: ${(error as Error).message}`);
  }
}

const deprecated =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';
const withoutVersion1 = 'this build does not speak with plugins of KMSv1, whatever --feature-gates says. Use KMSv2 instead.';

/** What is wrong with the plugins; undefined: nothing. */
export async function pluginProblem({ plugins }: LoadedEncryption): Promise<string | undefined> {
  const problems = await Promise.all(plugins.map(async (plugin, index) => [index, await plugin.check()] as const));
  const told = problems.flatMap(([index, problem]) => (problem === undefined ? [] : [`kms-provider-${index}: ${problem}`]));
  return told.length === 0 ? undefined : aggregated(told);
}
