// A server to measure: where it listens, how to get in, and which processes make it up.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { parse } from 'yaml';
import { startServer } from '../support/server-under-test.mjs';
import { askOverHttp1, askOverHttp2 } from './ask-over.ts';
import { type Credentials, Http2Connection } from './http2-connection.ts';

export interface Answer {
  readonly code: number;
  readonly bytes: number;
  readonly body: Buffer;
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Count the bytes of the answer instead of keeping them. */
  readonly discard?: boolean;
}

export interface ListReading {
  readonly code: number;
  readonly firstByteMs: number;
  readonly wholeMs: number;
  readonly bytes: number;
}

interface Listing {
  readonly url?: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[];
  readonly users: readonly { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }[];
}

export class Target implements AsyncDisposable {
  readonly name: string;
  readonly pids: readonly number[];
  /** Where its certificates are. */
  readonly #pki: string;
  readonly #url: URL;
  readonly #credentials: Credentials;
  readonly #pool: Pool;
  readonly #stop: () => Promise<void>;
  #connection: Promise<Http2Connection> | undefined;

  private constructor(name: string, pids: readonly number[], url: string, pki: string, credentials: Credentials, stop: () => Promise<void>) {
    this.name = name;
    this.pids = pids;
    this.#pki = pki;
    this.#url = new URL(url);
    this.#credentials = credentials;
    // More than any cell has workers; a server that falls behind must not be given a handshake for each request that waits.
    this.#pool = new Pool(this.#url.origin, { connections: 256, connect: { ...credentials }, headersTimeout: 0, bodyTimeout: 0 });
    this.#stop = stop;
  }

  get url(): string {
    return this.#url.origin;
  }

  /** The bundle with a store on disk, as it is shipped but without controllers, unless BENCH_THROUGH says how to start it (`node --cpu-prof`). A directory that is named is kept. `checkout`: another build than this one. */
  static async startBinnacle(dir?: string, flags: readonly string[] = [], checkout?: string): Promise<Target> {
    const through = (process.env['BENCH_THROUGH'] ?? '').split(' ').filter((word) => word !== '');
    // What it is measured beside is kube-apiserver and etcd without kube-controller-manager.
    const loops = flags.some((flag) => flag.startsWith('--controllers')) ? [] : ['--controllers='];
    const chosen = ['--memory=false', '--v=0', ...loops, ...flags];
    const server = await startServer({ from: 'bundle', through, flags: chosen, checkout, ...(dir && { dir, keep: true }) });
    const file = (name: string) => readFileSync(join(server.pki, name));
    const credentials = { ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') };
    return new Target('binnacle', [server.child.pid ?? 0], server.url, server.pki, credentials, server.stop);
  }

  /** A server that runs already; the file `pids` beside its kubeconfig names its processes (as ../shared/reference-server/up writes it). */
  static running(kubeconfig: string, name: 'binnacle' | 'reference' = 'reference'): Target {
    const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
    const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
    if (!cluster || !user) throw new Error(`${kubeconfig}: no cluster or no user`);
    const decoded = (text: string) => Buffer.from(text, 'base64');
    const credentials = {
      ca: decoded(cluster['certificate-authority-data']),
      cert: decoded(user['client-certificate-data']),
      key: decoded(user['client-key-data']),
    };
    const pids = readFileSync(join(dirname(kubeconfig), 'pids'), 'utf8')
      .trim()
      .split('\n')
      .map(Number);
    return new Target(name, pids, cluster.server, join(dirname(kubeconfig), 'pki'), credentials, async () => {});
  }

  /** BENCH_HTTP2=1: all requests over one connection, as the programs in Go send them; otherwise each worker has one of HTTP/1.1. */
  ask(ask: Ask): Promise<Answer> {
    if (process.env['BENCH_HTTP2'] === undefined) return this.askOverHttp1(ask);
    return this.askOverHttp2(ask);
  }

  askOverHttp1(ask: Ask): Promise<Answer> {
    return askOverHttp1(this.#pool, ask);
  }

  async askOverHttp2(ask: Ask): Promise<Answer> {
    this.#connection ??= this.connectHttp2();
    return askOverHttp2(await this.#connection, ask);
  }

  async expect(code: number, ask: Ask): Promise<Answer> {
    const answer = await this.ask(ask);
    if (answer.code !== code) throw new Error(`${this.name}: ${ask.method ?? 'GET'} ${ask.path}: ${answer.code} ${answer.body.toString().slice(0, 500)}`);
    return answer;
  }

  /** Reads a list `times` times from a process of its own. */
  async list(path: string, times: number, { url = this.#url, headers = {} }: Listing = {}): Promise<readonly ListReading[]> {
    const lister = fork(fileURLToPath(new URL('lister.mjs', import.meta.url)), { execArgv: [] });
    const credentials = Object.fromEntries(Object.entries(this.#credentials).map(([name, bytes]) => [name, String(bytes)]));
    lister.send({ url: String(url), path, headers, credentials, times });
    const [{ readings }] = (await once(lister, 'message')) as [{ readings: readonly ListReading[] }];
    for (const { code } of readings) if (code !== 200) throw new Error(`${this.name}: GET ${path}: ${code}`);
    return readings;
  }

  /** Reads as many bytes as a list has from a server that does nothing but send them. */
  async listFromOneBuffer(bytes: number, times: number): Promise<readonly ListReading[]> {
    const child = fork(fileURLToPath(new URL('one-buffer.mjs', import.meta.url)), [this.#pki, String(bytes)], { execArgv: [] });
    const [port] = (await once(child, 'message')) as [number];
    const readings = await this.list('/', times, { url: `https://127.0.0.1:${port}` });
    child.kill();
    return readings;
  }

  connectHttp2(): Promise<Http2Connection> {
    return Http2Connection.open(this.#url, this.#credentials);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
    (await this.#connection)?.[Symbol.dispose]();
    await this.#stop();
  }
}
