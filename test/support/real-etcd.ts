// A real etcd for tests, alone or as three members, that can be stopped, killed, started again and cut off.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestPair } from './test-pki.ts';

const program = join(process.env['REFERENCE_BIN'] ?? join(homedir(), '.cache/reference-server/bin'), 'etcd');

/** Say so in the name of what is left out. */
export const hasEtcd = existsSync(program);
export const withoutEtcd = '(SKIPPED: there is no etcd, get it with ../shared/reference-server/install etcd)';

export interface RealEtcd extends AsyncDisposable {
  readonly url: string;
  /** Of the process; none while it is down. */
  readonly pid: number | undefined;
  signal(name: NodeJS.Signals): void;
  /** Until SIGCONT; resolves when none of its threads runs: one that does may answer for a while after the signal. */
  suspend(): Promise<void>;
  /** Ends at once, as after a power failure; its data stay. */
  kill(): Promise<void>;
  start(): Promise<void>;
  ready(): Promise<void>;
  /** Another authority of clients, from the next start on. */
  trust(clientCa: string): void;
}

export interface EtcdOptions {
  /** More flags: `--quota-backend-bytes=16777216`. */
  readonly flags?: readonly string[];
  readonly tls?: EtcdTls;
}

/** PEM texts. With `clientCa` only those with a certificate of it are let in; `probe` is the one of this test's own questions. */
export interface EtcdTls {
  readonly server: TestPair;
  readonly clientCa: string;
  readonly probe: TestPair;
}

export async function startEtcd({ flags = [], tls }: EtcdOptions = {}): Promise<RealEtcd> {
  const [client = 0, peer = 0] = await freePorts(2);
  const peers = `http://127.0.0.1:${peer}`;
  const etcd = new Member('only', client, peers, [...flags, '--initial-cluster', `only=${peers}`], tls);
  await etcd.start();
  return etcd;
}

/** All of them under one clock of elections, so that they find a leader soon. */
export async function startThreeEtcds(): Promise<readonly RealEtcd[]> {
  const ports = await freePorts(6);
  const names = ['m0', 'm1', 'm2'];
  const peersOf = (index: number) => `http://127.0.0.1:${ports[index + 3]}`;
  const cluster = names.map((name, index) => `${name}=${peersOf(index)}`).join(',');
  const members = names.map((name, index) => new Member(name, ports[index] ?? 0, peersOf(index), ['--initial-cluster', cluster]));
  await Promise.all(members.map((member) => member.start()));
  return members;
}

class Member implements RealEtcd {
  readonly url: string;
  readonly #arguments: readonly string[];
  readonly #files = mkdtempSync(join(tmpdir(), 'etcd-in-test-'));
  readonly #directory = join(this.#files, 'data');
  readonly #tls: EtcdTls | undefined;
  #process: ChildProcess | undefined;

  constructor(name: string, port: number, peers: string, flags: readonly string[], tls?: EtcdTls) {
    this.url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
    this.#tls = tls;
    const urls = ['--listen-client-urls', this.url, '--advertise-client-urls', this.url, '--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers];
    const timing = ['--heartbeat-interval=50', '--election-timeout=300'];
    this.#arguments = [
      '--name',
      name,
      '--data-dir',
      this.#directory,
      '--log-level=error',
      '--unsafe-no-fsync',
      ...timing,
      ...urls,
      ...flags,
      ...(tls ? this.#tlsFlags(tls) : []),
    ];
  }

  #tlsFlags({ server, clientCa }: EtcdTls): string[] {
    const own = ['--cert-file', this.#write('server.crt', server.cert), '--key-file', this.#write('server.key', server.key)];
    return [...own, '--client-cert-auth', '--trusted-ca-file', this.#write('clients.crt', clientCa)];
  }

  #write(name: string, text: string): string {
    writeFileSync(join(this.#files, name), text, { mode: 0o600 });
    return join(this.#files, name);
  }

  trust(clientCa: string): void {
    this.#write('clients.crt', clientCa);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  async suspend(): Promise<void> {
    this.signal('SIGSTOP');
    while (!threadsOf(this.pid ?? 0).every((stat) => stat.slice(stat.lastIndexOf(')') + 2).startsWith('T'))) await new Promise(setImmediate);
  }

  async start(): Promise<void> {
    this.#process = spawn(program, this.#arguments, { stdio: process.env['ETCD_LOG'] ? 'inherit' : 'ignore' });
    await this.ready();
  }

  async ready(): Promise<void> {
    while (!(await answers(`${this.url}/health`, this.#tls))) {
      if (this.#process?.exitCode !== null) throw new Error(`etcd has ended with ${this.#process?.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#files, { recursive: true, force: true });
  }
}

function answers(url: string, tls: EtcdTls | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: 2_000, agent: false as const };
    const answered = (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const request = tls ? getOverTls(url, { ...options, ...tls.probe, rejectUnauthorized: false }, answered) : get(url, options, answered);
    request.on('timeout', () => request.destroy()).on('error', () => resolve(false));
  });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function threadsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'));
}
