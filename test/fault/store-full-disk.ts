// A disk that is really full: the writer may not let its file grow any more. Writes fail with a clear error, reads go on,
// and when there is room again, writes do too. npx tsx test/fault/store-full-disk.ts
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { rangeOf, type Store, StoreUnwritableError } from '#store/store.ts';

const pods = rangeOf('/registry/pods/');
const value = Buffer.alloc(2500, 'x');
/** In blocks of 1024 bytes, as `ulimit -f` counts. */
const ROOM = 2048;

/** Runs with a limit on the size of files; the parent lifts it when asked to. */
async function writer(directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory);
  const written = await writeUntilRefused(store);
  assert.ok(written > 100, `only ${written} writes went through`);
  assert.equal(await store.count(pods), written, 'reads do not tell what was acknowledged');
  await assert.rejects(store.compareAndSet(`${pods.start}again`, 0, value), StoreUnwritableError);
  process.send?.('full');
  await once(process, 'message');
  for (let i = 0; i < 50; i++) await create(store, `healed-${i}`);
  assert.equal(await store.count(pods), written + 50);
  await store.close();
  process.send?.({ written });
  process.disconnect();
}

async function writeUntilRefused(store: Store): Promise<number> {
  for (let written = 0; ; written++) {
    try {
      await create(store, `p${written}`);
    } catch (error) {
      assert.ok(error instanceof StoreUnwritableError, `another error than expected: ${String(error)}`);
      return written;
    }
  }
}

async function create(store: Store, name: string): Promise<void> {
  assert.ok((await store.compareAndSet(pods.start + name, 0, value)).committed);
}

async function main(): Promise<void> {
  if (spawnSync('prlimit', ['--version']).error) {
    console.log('SKIPPED: there is no `prlimit` here to lift the limit again');
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-full-'));
  const limited = `ulimit -S -f ${ROOM}; trap '' XFSZ; exec "$0" --import tsx "$@"`;
  const child = spawn('bash', ['-c', limited, process.execPath, fileURLToPath(import.meta.url), directory], { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  const results: unknown[] = [];
  // LMDB writes every failure to stderr as well: of interest only if the test fails.
  let complaints = '';
  child.stderr?.on('data', (text) => {
    complaints += text;
  });
  child.on('message', (message) => {
    results.push(message);
    if (message !== 'full') return;
    spawnSync('prlimit', ['--pid', `${child.pid}`, '--fsize=unlimited']);
    child.send('there is room');
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `the writer failed: ${complaints}`);
  const { written } = results.at(-1) as { written: number };
  const store = await openEmbeddedStore(directory);
  assert.equal(await store.count(pods), written + 50, 'after reopening, something is missing');
  await store.close();
  rmSync(directory, { recursive: true });
  console.log(`full after ${written} writes, which all stayed readable; healed, and 50 more went through`);
}

const [directory] = process.argv.slice(2);
await (directory === undefined ? main() : writer(directory));
