// What is counted about objects that lie encrypted, and about KMS plugins: by the names, labels and buckets of the original. One that only its KMS v1 moves stays as it begins.
import { createHash } from 'node:crypto';
import { GrpcError, grpcCodeName } from '#base/grpc/grpc-error.ts';
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, Series } from '#base/metrics.ts';
import type { TransformationObserver, TransformationType } from '#encryption/transformer.ts';

/** Combinations with an id of a key, which a plugin chooses. */
const MOST_KEYS = 100;

const doubling = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => Number((first * 2 ** at).toPrecision(12)));
const transformationBuckets = doubling(5e-6, 25);
const operationBuckets = doubling(0.0001, 20);

/** Hears of the calls of one plugin, and of its keys. */
export interface KmsObserver {
  now(): number;
  called(method: string, startedMs: number, error?: unknown): void;
  keyUsed(type: TransformationType, keyId: string): void;
  keyTold(keyId: string): void;
  keyRefused(code: 'empty' | 'too_long'): void;
  seeds(count: number): void;
  /** A seed had to be decrypted by the plugin. */
  seedMissed(): void;
  seedMade(startedMs: number): void;
}

export interface EncryptionMetricsOptions {
  /** Of this server. */
  readonly identity: string;
  /** Milliseconds, to measure with. */
  readonly now: () => number;
  /** Seconds since 1970. */
  readonly seconds: () => number;
}

export class EncryptionMetrics {
  readonly #options: EncryptionMetricsOptions;
  readonly #durations = new Series(['transformation_type', 'transformer_prefix'], () => new Histogram(transformationBuckets));
  readonly #operations = new Series<Count>(['resource', 'transformation_type', 'transformer_prefix', 'status'], newCount);
  readonly #calls = new Series(['provider_name', 'method_name', 'grpc_status_code'], () => new Histogram(operationBuckets));
  readonly #keys = new Series(
    ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
    (): { total: number; last: number } => ({ total: 0, last: 0 }),
    MOST_KEYS,
  );
  readonly #toldKeys = new Series<Count>(['provider_name', 'key_id_hash', 'apiserver_id_hash'], newCount, MOST_KEYS);
  readonly #refusedKeys = new Series<Count>(['provider_name', 'error'], newCount);
  readonly #seeds = new Series<Count>(['provider_name'], newCount);
  readonly #seedsMade = new Histogram(doubling(5e-6, 14));
  #seedsMissed = 0;

  constructor(options: EncryptionMetricsOptions) {
    this.#options = options;
  }

  /** `resource` as `deployments.apps`. */
  transformations(resource: string): TransformationObserver {
    const { now } = this.#options;
    return {
      now,
      transformed: (type, prefix, startedMs, error) => {
        this.#operations.at(resource, type, prefix, statusOf(error)).value += 1;
        if (error === undefined) this.#durations.at(type, prefix).observe((now() - startedMs) / 1000);
      },
    };
  }

  plugin(name: string): KmsObserver {
    const { now, seconds, identity } = this.#options;
    const server = hashed(identity);
    return {
      now,
      called: (method, startedMs, error) => this.#calls.at(name, method, statusOf(error)).observe((now() - startedMs) / 1000),
      keyUsed: (type, keyId) => {
        const used = this.#keys.at(type, name, hashed(keyId), server);
        used.total += 1;
        used.last = seconds();
      },
      keyTold: (keyId) => {
        this.#toldKeys.at(name, hashed(keyId), server).value = seconds();
      },
      keyRefused: (code) => {
        this.#refusedKeys.at(name, code).value += 1;
      },
      seeds: (count) => {
        this.#seeds.at(name).value = count;
      },
      seedMissed: () => {
        this.#seedsMissed += 1;
      },
      seedMade: (startedMs) => this.#seedsMade.observe((now() - startedMs) / 1000),
    };
  }

  metrics(): readonly Metric[] {
    const storage = (name: string, type: Metric['type'], help: string, samples: Metric['samples']) => alpha(`apiserver_storage_${name}`, type, help, samples);
    const envelope = (name: string, type: Metric['type'], help: string, samples: Metric['samples']) =>
      alpha(`apiserver_envelope_encryption_${name}`, type, help, samples);
    return [
      storage('transformation_duration_seconds', 'histogram', 'How long values took on their way into the store or back', () =>
        histogramSamples(this.#durations),
      ),
      storage('transformation_operations_total', 'counter', 'Values on their way into the store or back, by outcome', () => countSamples(this.#operations)),
      storage('envelope_transformation_cache_misses_total', 'counter', 'Keys that a plugin had to decrypt', () => [{ value: this.#seedsMissed }]),
      storage('data_key_generation_duration_seconds', 'histogram', 'How long keys for objects took to make', () => this.#seedsMade.samples({})),
      storage('data_key_generation_failures_total', 'counter', 'Keys for objects that could not be made', () => [{ value: 0 }]),
      envelope('dek_cache_fill_percent', 'gauge', 'How full the cache of keys of KMS v1 is', () => [{ value: 0 }]),
      envelope('kms_operations_latency_seconds', 'histogram', 'How long calls of KMS plugins took, by outcome', () => histogramSamples(this.#calls)),
      envelope('key_id_hash_total', 'counter', 'How often a key of a plugin was used', () => this.#keySamples('total')),
      envelope('key_id_hash_last_timestamp_seconds', 'gauge', 'When a key of a plugin was last used', () => this.#keySamples('last')),
      envelope('key_id_hash_status_last_timestamp_seconds', 'gauge', 'When a plugin last named a key', () => countSamples(this.#toldKeys)),
      envelope('invalid_key_id_from_status_total', 'counter', 'Names of keys that cannot be used', () => countSamples(this.#refusedKeys)),
      envelope('dek_source_cache_size', 'gauge', 'Seeds that were decrypted and are kept', () => countSamples(this.#seeds)),
    ];
  }

  #keySamples(what: 'total' | 'last') {
    return [...this.#keys.entries()].map(({ labels, value }) => ({ labels, value: value[what] }));
  }
}

function alpha(name: string, type: Metric['type'], help: string, samples: Metric['samples']): Metric {
  return { name, type, stability: 'ALPHA', help, samples };
}

/** In the words of gRPC, wherever in the chain of causes a call failed. */
function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof GrpcError) return grpcCodeName(at.code);
  return 'unknown-non-grpc';
}

export function hashed(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
