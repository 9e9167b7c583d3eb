import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

/** Keys and certificates as files; only their owner may read the keys. */
export class PemFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  has(file: string): boolean {
    return existsSync(join(this.#path, file));
  }

  read(file: string): string {
    return readFileSync(join(this.#path, file), 'utf8');
  }

  pair(name: string): PemPair {
    return { cert: this.read(`${name}.crt`), key: this.read(`${name}.key`) };
  }

  write(name: string, { cert, key }: PemPair): void {
    this.writeKey(name, key);
    this.#writeFile(`${name}.crt`, cert, 0o644);
  }

  writeKey(name: string, key: string): void {
    this.#writeFile(`${name}.key`, key, 0o600);
  }

  /** Whole or not at all: a half-written key would stop every later start. */
  #writeFile(file: string, text: string, mode: number): void {
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#path, `${file}.new`), text, { mode });
    renameSync(join(this.#path, `${file}.new`), join(this.#path, file));
  }
}
