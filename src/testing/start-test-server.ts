// A whole API server for the time of a test: the public entry `binnacle/testing`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownAuthority } from '#app/certificates/certificates.ts';
import { parseOptions, type ServerOptions } from '#app/flags/options.ts';
import { openBareStore, openStore, type OpenStore } from '#app/open-store.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { systemClock } from '#base/clock.ts';
import { type Log, makeLog, silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { createDefinitions } from '#testing/create-definitions.ts';
import { createNodes } from '#testing/create-nodes.ts';
import { resetServer } from '#testing/reset-server.ts';
import { fillStore, type StoredState, storedStateOf } from '#testing/stored-state.ts';
import { openAccess, openUsers } from '#testing/test-access.ts';
import type { startTestServer as StartTestServer, TestServer, TestServerOptions } from '#testing/testing.d.ts';
import { hostWebhooks } from '#testing/webhook-host.ts';

export const startTestServer: typeof StartTestServer = async (options: TestServerOptions = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
  const removeFiles = () => rmSync(dir, { recursive: true, force: true });
  try {
    const parsed = parseOptions(flagsOf(dir, options), { homeDir: dir });
    const server = await runSeeded(parsed, seedNameOf(options), logTo(options.log));
    try {
      return await handleOf(server, { dir, options, parsed, removeFiles });
    } catch (problem) {
      await server.close();
      throw problem;
    }
  } catch (problem) {
    removeFiles();
    throw problem;
  }
};

/** Pods need no service account as long as no controller makes one. */
function flagsOf(dir: string, { flags = [], controllers = [] }: TestServerOptions): string[] {
  const without = controllers.length === 0 && !flags.some((flag) => flag.includes('admission-plugins')) ? ['--disable-admission-plugins=ServiceAccount'] : [];
  return [
    `--data-dir=${dir}`,
    '--memory',
    '--nodes=0',
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--controllers=${controllers.join(',')}`,
    ...without,
    ...flags,
  ];
}

/** What servers made for themselves when they began, by their flags: the hundreds of objects of an empty cluster are written once per process. */
const seeds = new Map<string, StoredState>();
/** More combinations of flags than a suite has. */
const maxSeeds = 16;

function seedNameOf({ flags = [], controllers = [] }: TestServerOptions): string {
  return JSON.stringify([flags, controllers]);
}

async function runSeeded(options: ServerOptions, name: string, log: Log): Promise<RunningServer> {
  const seed = seeds.get(name);
  const open: OpenStore = async (...parts) => {
    if (seed === undefined) return openStore(...parts);
    const store = await openBareStore(...parts);
    await fillStore(store, seed);
    return { store, isFilled: true };
  };
  const server = await runServer(options, log, systemClock, { value: 0 }, systemTimers, { open });
  if (seed === undefined && seeds.size < maxSeeds) seeds.set(name, await storedStateOf(server.api.world.store));
  return server;
}

function logTo(write: ((line: string) => void) | undefined): Log {
  return write === undefined ? silentLog : makeLog({ format: 'text', level: () => 'info', write, now: () => systemClock.now() });
}

interface Surroundings {
  readonly dir: string;
  readonly options: TestServerOptions;
  readonly parsed: ServerOptions;
  readonly removeFiles: () => void;
}

async function handleOf(server: RunningServer, { dir, options, parsed, removeFiles }: Surroundings): Promise<TestServer> {
  const { url, port, kubeconfig = '', certificates, api } = server;
  const ca = certificates.servingCa ?? '';
  const admin = openAccess(kubeconfig);
  const users = openUsers(options.users ?? [], { dir, server: url, ca, authority: ownAuthority(parsed) });
  const closeWebhooks = await prepare(server, options);
  const start = await storedStateOf(api.world.store);
  const everybody = [admin, ...users.values()];
  const stop = async () => {
    await Promise.all(everybody.map((access) => access[Symbol.asyncDispose]()));
    await server.close();
    await closeWebhooks();
    removeFiles();
  };
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= stop());
  const user = (name: string) => {
    const access = users.get(name);
    if (access === undefined) throw new Error(`there is no user "${name}": name it in the option users`);
    return access;
  };
  const reset = async () => {
    await resetServer(api, start);
    for (const access of everybody) access.forgetKinds();
  };
  return { url, port, kubeconfig, ca, client: admin.client, user, reset, close, [Symbol.asyncDispose]: close };
}

/** Webhooks last: they judge what the test does, not what it begins with. */
async function prepare({ api }: RunningServer, { crds, nodes, webhooks = [] }: TestServerOptions): Promise<() => Promise<void>> {
  if (crds !== undefined) await createDefinitions(api.client, crds);
  if (nodes !== undefined) await createNodes(api.client, nodes, systemClock.now());
  return hostWebhooks(api.client, webhooks, systemClock.now());
}
