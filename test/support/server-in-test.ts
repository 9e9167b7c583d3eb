// A whole server in this process, on a real port, with users of a token file; for tests over TLS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '#app/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import type { Clock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { http1Client, type WireClient } from './wire-clients.ts';

export interface Asked {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
}

/** The parts of answers that tests look at, whatever the kind. */
export interface AnsweredObject {
  readonly message: string;
  readonly reason: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec: { readonly expirationSeconds: number };
  readonly status: {
    readonly token: string;
    readonly error: string;
    readonly allowed: boolean;
    readonly reason: string;
    readonly userInfo: { readonly username: string; readonly groups: readonly string[]; readonly extra: Readonly<Record<string, readonly string[]>> };
  };
  readonly rules: readonly object[];
  readonly items: readonly AnsweredObject[];
  readonly resources: readonly { readonly name: string; readonly namespaced: boolean; readonly verbs: readonly string[] }[];
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly keys: { readonly alg: string; readonly kty: string }[];
}

export interface Answered {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: AnsweredObject;
  readonly text: string;
}

export interface StartOptions {
  /** Lines of a token file. */
  readonly users?: string;
  readonly flags?: readonly string[];
  /** False: authorization is what `flags` say. Default: Node and RBAC. */
  readonly modes?: boolean;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly log?: Log;
}

export class ServerInTest implements AsyncDisposable {
  readonly server: RunningServer;
  readonly dir: string;
  /** HTTP/1.1: an HTTP/2 connection ends with the first request that is not known. */
  readonly #client: WireClient;

  private constructor(server: RunningServer, dir: string) {
    this.server = server;
    this.dir = dir;
    this.#client = http1Client(server.port, { ca: server.certificates.servingCa ?? '' });
  }

  static async start({ users = '', flags = [], modes = true, clock, timers, log = silentLog }: StartOptions = {}): Promise<ServerInTest> {
    const dir = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
    writeFileSync(join(dir, 'tokens.csv'), `admin,admin,1,system:masters\n${users}`);
    const argv = [`--data-dir=${dir}`, '--memory', '--bind-address=127.0.0.1', '--secure-port=0', ...(modes ? ['--authorization-mode=Node,RBAC'] : [])];
    const own = [`--token-auth-file=${join(dir, 'tokens.csv')}`, ...(flags.some((flag) => flag.startsWith('--controllers')) ? [] : ['--controllers='])];
    const without = flags.some((flag) => flag.startsWith('--disable-admission-plugins')) ? [] : ['--disable-admission-plugins=ServiceAccount'];
    const server = await runServer(parseOptions([...argv, ...own, ...without, ...flags], { homeDir: '/nowhere' }), log, clock, { value: 0 }, timers);
    return new ServerInTest(server, dir);
  }

  /** As the administrator unless a token is given; the empty token means no credentials. */
  async ask(method: string, path: string, body?: unknown, { token = 'admin', headers = {}, type = 'application/json' }: Asked = {}): Promise<Answered> {
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
    // Node sends no length for a DELETE by itself.
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const sent = { ...length, ...(token !== '' && { authorization: `Bearer ${token}` }), ...(body !== undefined && { 'content-type': type }), ...headers };
    const answer = await this.#client.ask({ method, path, headers: sent, ...(text !== undefined && { body: text }) });
    const received = answer.body.toString();
    return { code: answer.code, headers: answer.headers, text: received, json: (received.startsWith('{') ? JSON.parse(received) : {}) as AnsweredObject };
  }

  async make(path: string, object: object): Promise<AnsweredObject> {
    const answer = await this.ask('POST', path, object);
    if (answer.code !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    await this.server.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
