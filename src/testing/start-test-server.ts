// A whole API server for the time of a test: the public entry `binnacle/testing`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '#app/flags/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { systemClock } from '#base/clock.ts';
import { type Log, makeLog, silentLog } from '#base/log.ts';
import { configOf } from '#client/client-config.ts';
import { connect } from '#client/connect.ts';
import { DynamicClient } from '#client/dynamic-client.ts';
import { readKubeconfig } from '#client/kubeconfig.ts';
import { RestMapper } from '#client/rest-mapper.ts';
import type { startTestServer as StartTestServer, TestServer, TestServerOptions } from '#testing/testing.d.ts';

export const startTestServer: typeof StartTestServer = async (options: TestServerOptions = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
  try {
    const server = await runServer(parseOptions(flagsOf(dir, options), { homeDir: dir }), logTo(options.log));
    return handleOf(server, dir);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
};

/** Pods need no service account as long as no controller makes one. */
function flagsOf(dir: string, { flags = [], controllers = [] }: TestServerOptions): string[] {
  const without = controllers.length === 0 && !flags.some((flag) => flag.includes('admission-plugins')) ? ['--disable-admission-plugins=ServiceAccount'] : [];
  return [`--data-dir=${dir}`, '--memory', '--bind-address=127.0.0.1', '--secure-port=0', `--controllers=${controllers.join(',')}`, ...without, ...flags];
}

function logTo(write: ((line: string) => void) | undefined): Log {
  return write === undefined ? silentLog : makeLog({ format: 'text', level: () => 'info', write, now: () => systemClock.now() });
}

function handleOf(server: RunningServer, dir: string): TestServer {
  const { url, port, kubeconfig = '', certificates } = server;
  const config = configOf(readKubeconfig({ file: kubeconfig, env: {}, homeDir: dir }), { env: {}, clock: systemClock });
  const connected = connect(config, { userAgent: 'binnacle-test' });
  let closed: Promise<void> | undefined;
  const stop = async () => {
    await connected[Symbol.asyncDispose]();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const close = () => (closed ??= stop());
  const client = new DynamicClient(connected.client, new RestMapper(connected.client));
  return { url, port, kubeconfig, ca: String(certificates.servingCa ?? ''), client, close, [Symbol.asyncDispose]: close };
}
