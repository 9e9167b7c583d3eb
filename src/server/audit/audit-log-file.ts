// Events as lines of a file that is exchanged for a new one when it has grown too large.
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '#base/clock.ts';
import type { AuditBackend, AuditEvent } from '#server/audit/audit-event.ts';

export interface LogFileOptions {
  /** `-`: standard output. */
  readonly path: string;
  /** 0: never exchanged. */
  readonly maxBytes: number;
  /** 0: no limit. */
  readonly maxBackups: number;
  readonly maxAgeDays: number;
  /** Exchanged files become smaller. */
  readonly compress: boolean;
  readonly lineOf: (event: AuditEvent) => string;
  readonly clock: Clock;
  readonly onProblem: (cause: unknown) => void;
}

export class AuditLogFile implements AuditBackend {
  readonly #options: LogFileOptions;
  /** One write after the other. */
  #last: Promise<void> = Promise.resolve();
  #file: FileHandle | undefined;
  #bytes = 0;
  /** Older files being compressed and removed: only `close` waits for that. */
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  deliver(events: readonly AuditEvent[]): Promise<void> {
    const lines = events.map((event) => `${this.#options.lineOf(event)}\n`);
    const written = this.#last.then(() => this.#append(lines));
    this.#last = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file?.close();
    this.#file = undefined;
    await this.#tidying;
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
    const backup = backupName(path, clock.now());
    await rename(path, backup);
    this.#tidying = this.#tidying.then(() => this.#tidy(backup)).catch(this.#options.onProblem);
  }

  async #tidy(backup: string): Promise<void> {
    if (this.#options.compress) {
      await pipeline(createReadStream(backup), createGzip(), createWriteStream(`${backup}.gz`, { mode: 0o600 }));
      await unlink(backup);
    }
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
  const plain = name.replace(/\.gz$/, '');
  return plain.startsWith(stem) && plain.endsWith(end) && /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(plain.slice(stem.length, plain.length - end.length));
}
