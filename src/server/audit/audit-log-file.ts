// Events as lines of a file that is exchanged for a new one when it has grown too large.
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { AuditEvent, AuditSink } from '#server/audit/audit-event.ts';

export interface LogFileOptions {
  /** `-`: standard output. */
  readonly path: string;
  /** 0: never exchanged. */
  readonly maxBytes: number;
  /** 0: no limit. */
  readonly maxBackups: number;
  readonly maxAgeDays: number;
  /** Events that wait for the disk; what comes when it is full is dropped. */
  readonly bufferSize: number;
  readonly clock: Clock;
  readonly onProblem: (cause: unknown) => void;
}

export class AuditLogFile implements AuditSink {
  readonly #options: LogFileOptions;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #file: FileHandle | undefined;
  #bytes = 0;
  dropped = 0;

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  write(event: AuditEvent): void {
    if (this.#waiting.length >= this.#options.bufferSize) {
      this.dropped += 1;
      return;
    }
    this.#waiting.push(`${goJson(event)}\n`);
    this.#writing ??= this.#drain();
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #drain(): Promise<void> {
    // All that one turn of the event loop brings becomes one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(lines);
      } catch (cause) {
        this.dropped += lines.length;
        this.#options.onProblem(cause);
      }
    }
    this.#writing = undefined;
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (this.#options.path === '-') {
      process.stdout.write(lines.join(''));
      return;
    }
    const { maxBytes } = this.#options;
    let batch: string[] = [];
    let size = 0;
    await this.#open();
    for (const line of lines) {
      const bytes = Buffer.byteLength(line);
      if (maxBytes > 0 && this.#bytes + size + bytes > maxBytes && this.#bytes + size > 0) {
        await this.#put(batch, size);
        await this.#exchange();
        batch = [];
        size = 0;
      }
      batch.push(line);
      size += bytes;
    }
    await this.#put(batch, size);
  }

  async #put(lines: readonly string[], bytes: number): Promise<void> {
    if (lines.length > 0) await (await this.#open()).write(lines.join(''));
    this.#bytes += bytes;
  }

  async #open(): Promise<FileHandle> {
    if (this.#file === undefined) {
      this.#file = await open(this.#options.path, 'a', 0o600);
      this.#bytes = (await stat(this.#options.path)).size;
    }
    return this.#file;
  }

  async #exchange(): Promise<void> {
    const { path, clock } = this.#options;
    await this.#file?.close();
    this.#file = undefined;
    await rename(path, backupName(path, clock.now()));
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const { path, maxBackups, maxAgeDays, clock } = this.#options;
    const folder = dirname(path);
    const backups = (await readdir(folder))
      .filter((name) => isBackup(path, name))
      .sort()
      .reverse();
    const oldest = clock.now().getTime() - maxAgeDays * 24 * 3600 * 1000;
    for (const [index, name] of backups.entries()) {
      const tooMany = maxBackups > 0 && index >= maxBackups;
      const tooOld = maxAgeDays > 0 && (await stat(join(folder, name))).mtimeMs < oldest;
      if (tooMany || tooOld) await unlink(join(folder, name));
    }
  }
}

/** `audit.log` becomes `audit-2026-11-16T01-02-03.456.log`. */
function backupName(path: string, now: Date): string {
  const end = extname(path);
  return join(dirname(path), `${basename(path, end)}-${now.toISOString().slice(0, -1).replaceAll(':', '-')}${end}`);
}

function isBackup(path: string, name: string): boolean {
  const end = extname(path);
  const stem = `${basename(path, end)}-`;
  return name.startsWith(stem) && name.endsWith(end) && /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(name.slice(stem.length, name.length - end.length));
}

/** As Go writes JSON: characters that mean something in HTML are escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
