// Lets a server make what every cluster begins with, through the API, and writes it down for first starts (src/app/first-start/).
//   node --import tsx tools/make-prepared-objects.ts FILE
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { preparedAt, readPrepared } from '#app/first-start/prepared-objects.ts';
import { parseOptions } from '#app/flags/options.ts';
import { runServer } from '#app/run-server.ts';
import { silentLog } from '#base/log.ts';
import type { Store } from '#store/store.ts';

/** Loops that nobody waits for still write conditions when a server is ready; they are done when nothing was written for this long. */
const restMs = 500;

const [file = ''] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), 'binnacle-prepared-'));
try {
  const flags = [`--data-dir=${dir}`, '--memory', '--bind-address=127.0.0.1', '--secure-port=0', '--controllers=', '--nodes=0'];
  const server = await runServer(parseOptions(flags, { homeDir: dir }), silentLog, { now: () => preparedAt });
  await untilAtRest(server.api.world.store);
  writeFileSync(file, await readPrepared(server.api.world.store));
  await server.close();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function untilAtRest(store: Store): Promise<void> {
  for (let before = 0; before !== (await store.revision()); ) {
    before = await store.revision();
    await pause(restMs);
  }
}
