// Values that live in files and may change under a running server: certificates, configuration.
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { pause, systemTimers, type Timers } from '#base/timers.ts';

/** `refused`: the new text cannot be used, the old value stays. */
export type Refreshed = { readonly outcome: 'same' } | Found;

export type Found = { readonly outcome: 'changed' } | { readonly outcome: 'refused'; readonly problem: unknown };

/** Something that files say. */
export interface Refreshable {
  /** Their folders are watched. */
  readonly files: readonly string[];
  refresh(): Promise<Refreshed>;
}

/** Read from files, and again when they change. A text that was refused is not tried again until it changes; a file that cannot be read is. */
export class LiveValue<T> implements Refreshable {
  readonly files: readonly string[];
  readonly #read: (texts: readonly string[]) => T | Promise<T>;
  #texts: readonly string[];
  #value: T;
  #busy: Promise<unknown> = Promise.resolve();

  private constructor(files: readonly string[], read: (texts: readonly string[]) => T | Promise<T>, texts: readonly string[], value: T) {
    this.files = files;
    this.#read = read;
    this.#texts = texts;
    this.#value = value;
  }

  /** Throws what `read` throws: a server does not start with what it cannot use. */
  static async open<T>(files: readonly string[], read: (texts: readonly string[]) => T | Promise<T>): Promise<LiveValue<T>> {
    const texts = files.map(textOf);
    return new LiveValue(files, read, texts, await read(texts));
  }

  get value(): T {
    return this.#value;
  }

  /** As it was last looked at, good or bad. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** One at a time, in order. */
  refresh(): Promise<Refreshed> {
    const next = this.#busy.then(() => this.#refresh());
    this.#busy = next;
    return next;
  }

  async #refresh(): Promise<Refreshed> {
    try {
      const texts = this.files.map(textOf);
      if (texts.every((text, i) => text === this.#texts[i])) return { outcome: 'same' };
      this.#texts = texts;
      this.#value = await this.#read(texts);
      return { outcome: 'changed' };
    } catch (problem) {
      return { outcome: 'refused', problem };
    }
  }
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

export interface Following<V extends Refreshable = LiveValue<unknown>> {
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** After every look that found something. */
  readonly onRefreshed: (value: V, found: Found) => void;
}

/** Where the file system keeps its changes to itself, they are noticed this late. */
const lookEveryMs = 60_000;

/** Looks at the files when their folders change and every minute, until `signal` aborts. */
export function followFiles<V extends Refreshable>(values: readonly V[], { timers, signal, onRefreshed }: Following<V>): void {
  if (values.length === 0) return;
  const look = async () => {
    for (const value of values) {
      const refreshed = await value.refresh();
      if (refreshed.outcome !== 'same' && !signal.aborted) onRefreshed(value, refreshed);
    }
  };
  const soon = gathered(() => void look());
  const folders = new Set(values.flatMap(({ files }) => files.map((file) => dirname(file))));
  const watchers = [...folders].flatMap((folder) => watchFolder(folder, soon));
  signal.addEventListener('abort', () => watchers.forEach((watcher) => watcher.close()), { once: true });
  void lookRegularly(look, timers, signal);
}

async function lookRegularly(look: () => Promise<void>, timers: Timers, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(timers, lookEveryMs, signal);
    if (signal.aborted) return;
    await look();
  }
}

/** The folder, not the file: files are replaced by renaming, and mounted secrets by changing a link beside them. */
function watchFolder(folder: string, onEvent: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
}

/** A certificate and its key are two files: a moment later both are there. */
const gatherMs = 50;

function gathered(task: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    systemTimers.after(gatherMs, () => {
      waiting = false;
      task();
    });
  };
}
