// A whole server in this process, on a real port, with users of a token file; for tests over TLS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '#app/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import type { Clock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import { http2Client, type Http2Client } from './wire-clients.ts';

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

export class ServerInTest implements AsyncDisposable {
  readonly server: RunningServer;
  readonly dir: string;
  readonly #client: Http2Client;

  private constructor(server: RunningServer, dir: string) {
    this.server = server;
    this.dir = dir;
    this.#client = http2Client(server.port, { ca: server.certificates.servingCa ?? '' });
  }

  /** `users` are lines of a token file. */
  static async start({ users = '', flags = [] as string[], clock, log = silentLog }: { users?: string; flags?: string[]; clock?: Clock; log?: Log } = {}) {
    const dir = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
    writeFileSync(join(dir, 'tokens.csv'), `admin,admin,1,system:masters\n${users}`);
    const argv = [`--data-dir=${dir}`, '--memory', '--bind-address=127.0.0.1', '--secure-port=0', '--authorization-mode=Node,RBAC'];
    const own = [`--token-auth-file=${join(dir, 'tokens.csv')}`, ...(flags.some((flag) => flag.startsWith('--controllers')) ? [] : ['--controllers='])];
    const server = await runServer(
      parseOptions([...argv, ...own, '--disable-admission-plugins=ServiceAccount', ...flags], { homeDir: '/nowhere' }),
      log,
      clock,
    );
    return new ServerInTest(server, dir);
  }

  /** As the administrator unless a token is given; the empty token means no credentials. */
  async ask(method: string, path: string, body?: unknown, { token = 'admin', headers = {}, type = 'application/json' }: Asked = {}): Promise<Answered> {
    const sent = { ...(token !== '' && { authorization: `Bearer ${token}` }), ...(body !== undefined && { 'content-type': type }), ...headers };
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
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
