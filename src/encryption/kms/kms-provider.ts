// A KMS v2 plugin as a provider: the plugin encrypts a seed, the seed encrypts objects. The plugin is asked again and again which key it writes with;
// when that is another one, a new seed is made. Intervals and rules are those of apiserver's envelope transformer.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { pause, type Timers } from '#base/timers.ts';
import { aesGcm } from '#encryption/aes.ts';
import { hashed, type KmsObserver } from '#encryption/encryption-metrics.ts';
import { keyIdProblem, refuseInvalidObject } from '#encryption/kms/encrypted-object.ts';
import type { KmsClient } from '#encryption/kms/kms-client.ts';
import {
  type Annotations,
  dekSourceType,
  type EncryptedObject,
  encodeEncryptedObject,
  readEncryptedObject,
  type StatusResponse,
} from '#encryption/kms/kms-messages.ts';
import { seededGcm, seedLength } from '#encryption/kms/seeded-gcm.ts';
import { aggregated, type Decrypted, type Transformer } from '#encryption/transformer.ts';

export interface KmsProviderOptions {
  readonly name: string;
  readonly client: KmsClient;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly observer?: KmsObserver | undefined;
}

const HEALTHY_INTERVAL_MS = 60_000;
const UNHEALTHY_INTERVAL_MS = 10_000;
/** How long objects are written with a seed after the plugin was last well. */
const WRITE_TTL_MS = 180_000;
/** How long an answer about health counts. */
const HEALTHY_TTL_MS = 20_000;
const UNHEALTHY_TTL_MS = 3_000;
/** Seeds that were decrypted: one per key and start of a server. */
const MOST_SEEDS = 10_000;

/** What objects are written with. */
interface WriteState {
  readonly transformer: Transformer;
  readonly keyId: string;
  readonly dekSource: Uint8Array;
  readonly annotations: Annotations;
  readonly expiresAt: number;
}

export class KmsProvider implements Transformer {
  readonly #options: KmsProviderOptions;
  readonly #stopped = new AbortController();
  readonly #seeds = new Map<string, Transformer | Promise<Transformer>>();
  #state: WriteState | undefined;
  /** The version of the API that the plugin told first. */
  #version = '';
  #checked: { readonly problem: string | undefined; readonly until: number } | undefined;
  #checking: Promise<string | undefined> | undefined;

  constructor(options: KmsProviderOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Resolves after the first answer of the plugin, whatever it was; goes on asking until `stop`. */
  async start(): Promise<void> {
    const problem = await this.check();
    void this.#poll(problem === undefined);
  }

  stop(): void {
    this.#stopped.abort();
    this.#options.client.close();
  }

  /** What is wrong with the plugin; undefined: nothing. An answer counts for a while. */
  check(): MaybePromise<string | undefined> {
    if (this.#checked !== undefined && this.#now() < this.#checked.until) return this.#checked.problem;
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  encrypt(data: Uint8Array, key: string): MaybePromise<Uint8Array> {
    const { transformer, expiresAt, ...envelope } = this.#current();
    if (this.#now() > expiresAt) throw new Error(this.#expired(envelope.keyId, expiresAt));
    const sealed = transformer.encrypt(data, key) as Uint8Array;
    this.#options.observer?.keyUsed('to_storage', envelope.keyId);
    return encodeEncryptedObject({ ...envelope, dekSourceType: dekSourceType.hkdfSeed, data: sealed });
  }

  decrypt(data: Uint8Array, key: string): MaybePromise<Decrypted> {
    const object = readEncryptedObject(data);
    refuseInvalidObject(object);
    const { keyId } = this.#current();
    const opened = (transformer: Transformer): Decrypted => {
      const { data: plain } = transformer.decrypt(object.data, key) as Decrypted;
      this.#options.observer?.keyUsed('from_storage', object.keyId);
      return { data: plain, isStale: object.keyId !== keyId || object.dekSourceType !== dekSourceType.hkdfSeed };
    };
    const known = this.#seeds.get(seedName(object)) ?? this.#decryptSeed(object);
    return known instanceof Promise ? known.then(opened) : opened(known);
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  #current(): WriteState {
    if (this.#state === undefined) throw new Error('got unexpected nil transformer');
    return this.#state;
  }

  #expired(keyId: string, expiresAt: number): string {
    const [expired, now] = [expiresAt, this.#now()].map((ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`);
    return `encryptedDEKSource with keyID hash "${hashed(keyId)}" expired at ${expired} (current time is ${now})`;
  }

  /** Asked for once, however many objects wait for it. */
  #decryptSeed({ dekSource, keyId, annotations, dekSourceType: type, ...object }: EncryptedObject): Promise<Transformer> {
    const name = seedName({ dekSource, keyId, annotations, dekSourceType: type, ...object });
    this.#options.observer?.seedMissed();
    const asking = this.#options.client.decrypt({ ciphertext: dekSource, keyId, annotations, uid: randomUUID() }).then(
      (plain) => {
        const transformer = type === dekSourceType.hkdfSeed ? seededGcm(plain) : aesGcm(plain);
        this.#remember(name, transformer);
        return transformer;
      },
      (error: Error) => {
        throw new Error(`failed to decrypt DEK, error: ${error.message}`, { cause: error });
      },
    );
    this.#remember(name, asking);
    asking.catch(() => this.#seeds.delete(name));
    return asking;
  }

  #remember(name: string, transformer: Transformer | Promise<Transformer>): void {
    this.#seeds.delete(name);
    this.#seeds.set(name, transformer);
    if (this.#seeds.size > MOST_SEEDS) this.#seeds.delete(this.#seeds.keys().next().value as string);
    this.#options.observer?.seeds(this.#seeds.size);
  }

  async #poll(wasHealthy: boolean): Promise<void> {
    const { timers, log, name } = { ...this.#options };
    const { signal } = this.#stopped;
    for (let isHealthy = wasHealthy; ; ) {
      await pause(timers, isHealthy ? HEALTHY_INTERVAL_MS : UNHEALTHY_INTERVAL_MS, signal);
      if (signal.aborted) return;
      const problem = await this.check();
      if (problem !== undefined && isHealthy) log.warn('a KMS plugin is not healthy', { name, problem });
      isHealthy = problem === undefined;
    }
  }

  async #ask(): Promise<string | undefined> {
    const problem = await this.#problem();
    this.#checked = { problem, until: this.#now() + (problem === undefined ? HEALTHY_TTL_MS : UNHEALTHY_TTL_MS) };
    return problem;
  }

  async #problem(): Promise<string | undefined> {
    const { client, name } = this.#options;
    let status: StatusResponse;
    try {
      status = await client.status();
    } catch (error) {
      return `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${(error as Error).message}`;
    }
    const problems = await this.#statusProblems(status);
    return problems.length === 0 ? undefined : `kmsv2 Provider ${name} is not healthy, error: ${aggregated(problems)}`;
  }

  async #statusProblems({ healthz, version, keyId }: StatusResponse): Promise<readonly string[]> {
    const problems: string[] = [];
    if (healthz !== 'ok') problems.push(`got unexpected healthz status: ${healthz}`);
    if (version !== 'v2' && version !== 'v2beta1') problems.push(`expected KMSv2 API version v2, got ${version}`);
    else {
      this.#version ||= version;
      if (this.#version !== version) {
        problems.push(`KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`);
      }
    }
    const invalid = keyIdProblem(keyId);
    if (invalid === undefined) this.#options.observer?.keyTold(keyId);
    else this.#options.observer?.keyRefused(keyId === '' ? 'empty' : 'too_long');
    if (invalid !== undefined) return [...problems, `got invalid KMSv2 KeyID hash "${hashed(keyId)}": ${invalid}`];
    const rotation = await this.#rotate(keyId);
    return rotation === undefined ? problems : [...problems, rotation];
  }

  /** A new seed where the plugin writes with another key; the old one goes on until it expires where that fails. */
  async #rotate(keyId: string): Promise<string | undefined> {
    const expiresAt = this.#now() + WRITE_TTL_MS;
    if (this.#state?.keyId === keyId) {
      this.#state = { ...this.#state, expiresAt };
      return undefined;
    }
    const uid = randomUUID();
    const made = await this.#newSeed(uid, expiresAt).catch((error: Error) => error);
    if (!(made instanceof Error) && made.keyId === keyId) {
      this.#state = made;
      this.#remember(seedName({ ...made, dekSourceType: dekSourceType.hkdfSeed }), made.transformer);
      return undefined;
    }
    const [stateError, madeError] = [this.#state === undefined ? 'got unexpected nil transformer' : '<nil>', made instanceof Error ? made.message : '<nil>'];
    const keys = `statusKeyIDHash="${hashed(keyId)}", encryptKeyIDHash="${made instanceof Error ? '' : hashed(made.keyId)}", stateKeyIDHash="${hashed(this.#state?.keyId ?? '')}"`;
    const expiration = this.#state === undefined ? '0001-01-01T00:00:00Z' : `${new Date(this.#state.expiresAt).toISOString().slice(0, 19)}Z`;
    return `failed to rotate DEK uid="${uid}", useSeed=true, errState=${stateError}, errGen=${madeError}, ${keys}, expirationTimestamp=${expiration}`;
  }

  async #newSeed(uid: string, expiresAt: number): Promise<WriteState> {
    const { observer } = this.#options;
    const startedMs = observer?.now() ?? 0;
    const seed = randomBytes(seedLength);
    observer?.seedMade(startedMs);
    const answer = await this.#options.client.encrypt(seed, uid).catch((error: Error) => {
      throw new Error(`failed to encrypt DEK, error: ${error.message}`, { cause: error });
    });
    const envelope = { keyId: answer.keyId, dekSource: answer.ciphertext, annotations: answer.annotations };
    refuseInvalidObject({ ...envelope, dekSourceType: dekSourceType.hkdfSeed, data: Uint8Array.of(0) });
    return { ...envelope, transformer: seededGcm(seed), expiresAt };
  }
}

type SeedName = Pick<EncryptedObject, 'dekSourceType' | 'dekSource' | 'keyId' | 'annotations'>;

/** Everything that the plugin sees of a seed. */
function seedName({ dekSourceType: type, dekSource, keyId, annotations }: SeedName): string {
  const shown = [...annotations].map(([name, value]) => [name, Buffer.from(value).toString('base64')]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return JSON.stringify([type, Buffer.from(dekSource).toString('base64'), keyId, shown]);
}
