// --encryption-provider-config-automatic-reload: another content of the file takes the place of the one before when it is valid and its KMS plugins
// answer. Until then the old one stays, and the new one is tried again.
import { readFileSync } from 'node:fs';
import type { Refreshable, Refreshed } from '#base/live-value.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { GroupAndResource } from '#encryption/configuration.ts';
import { type LoadedEncryption, pluginProblem } from '#encryption/loaded-encryption.ts';
import type { Transformer } from '#encryption/transformer.ts';

/** How long new plugins may take to become healthy, at least. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 100;

export interface LiveEncryptionOptions {
  readonly file: string;
  /** Of the file, when `first` was made of it. */
  readonly text: string;
  readonly first: LoadedEncryption;
  readonly load: (text: string) => Promise<LoadedEncryption>;
  readonly timers: Timers;
}

export class LiveEncryption implements Refreshable {
  readonly #options: LiveEncryptionOptions;
  readonly #stopped = new AbortController();
  #text: string;
  #current: LoadedEncryption;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(options: LiveEncryptionOptions) {
    this.#options = options;
    this.#text = options.text;
    this.#current = options.first;
  }

  get files(): readonly string[] {
    return [this.#options.file];
  }

  /** Of the file, as it counts now. */
  get text(): string {
    return this.#text;
  }

  /** Aborts when this is stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  transformerOf(resource: GroupAndResource): Transformer | undefined {
    return this.#current.transformerOf(resource);
  }

  problem(): Promise<string | undefined> {
    return pluginProblem(this.#current);
  }

  stop(): void {
    this.#stopped.abort();
    this.#current.stop();
  }

  /** One at a time, in order. */
  refresh(): Promise<Refreshed> {
    const next = this.#busy.then(() => this.#refresh());
    this.#busy = next;
    return next;
  }

  async #refresh(): Promise<Refreshed> {
    try {
      const text = readFileSync(this.#options.file, 'utf8');
      if (text === this.#text || this.#stopped.signal.aborted) return { outcome: 'same' };
      const loaded = await this.#options.load(text);
      await this.#refuseUnhealthy(loaded);
      this.#replace(text, loaded);
      return { outcome: 'changed' };
    } catch (problem) {
      return { outcome: 'refused', problem };
    }
  }

  /** Calls of the old plugins that are under way may end. */
  #replace(text: string, loaded: LoadedEncryption): void {
    const before = this.#current;
    this.#text = text;
    this.#current = loaded;
    if (this.#stopped.signal.aborted) loaded.stop();
    void pause(this.#options.timers, before.graceMs, this.#stopped.signal).then(() => before.stop());
  }

  async #refuseUnhealthy(loaded: LoadedEncryption): Promise<void> {
    const until = performance.now() + Math.max(PATIENCE_MS, loaded.graceMs);
    for (;;) {
      const problem = await pluginProblem(loaded);
      if (problem === undefined) return;
      if (performance.now() >= until || this.#stopped.signal.aborted) {
        loaded.stop();
        throw new Error(`health check for new transformers failed, polling error context deadline exceeded: ${problem}`);
      }
      await pause(this.#options.timers, RETRY_MS, this.#stopped.signal);
    }
  }
}
