// A whole server in this process, on a real port, with users of a token file; for tests over TLS.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '#app/flags/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { captureOutput, capturedLog, keepSecret } from './secrets.ts';
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
  /** Lines of a token file; the first column is what tests call the token, the real one is a secret. */
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
  readonly #tokens: ReadonlyMap<string, string>;

  private constructor(server: RunningServer, dir: string, tokens: ReadonlyMap<string, string>) {
    this.server = server;
    this.dir = dir;
    this.#tokens = tokens;
    this.#client = http1Client(server.port, { ca: server.certificates.servingCa ?? '' });
  }

  static async start({ users = '', flags = [], modes = true, clock, timers, log }: StartOptions = {}): Promise<ServerInTest> {
    const dir = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
    const tokens = new Map<string, string>();
    writeFileSync(join(dir, 'tokens.csv'), tokenFile(`admin,admin,1,system:masters\n${users}`, tokens));
    const argv = [
      `--data-dir=${dir}`,
      '--memory',
      '--nodes=0',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      ...(modes ? ['--authorization-mode=Node,RBAC'] : []),
    ];
    const own = [`--token-auth-file=${join(dir, 'tokens.csv')}`, ...(flags.some((flag) => flag.startsWith('--controllers')) ? [] : ['--controllers='])];
    const without = flags.some((flag) => flag.startsWith('--disable-admission-plugins')) ? [] : ['--disable-admission-plugins=ServiceAccount'];
    const options = parseOptions([...argv, ...own, ...without, ...flags], { homeDir: '/nowhere' });
    const server = await runServer(options, capturedLog(log), clock, { value: 10 }, timers);
    const { serving, admin, serviceAccounts } = server.certificates;
    keepSecret(...tokens.values(), serving.key, admin?.key, serviceAccounts.signingKey);
    return new ServerInTest(server, dir, tokens);
  }

  /** The secret behind what a test calls a token; anything else stands for itself. */
  tokenOf(name: string): string {
    return this.#tokens.get(name) ?? name;
  }

  /** As the administrator unless a token is given; the empty token means no credentials. */
  async ask(method: string, path: string, body?: unknown, { token = 'admin', headers = {}, type = 'application/json' }: Asked = {}): Promise<Answered> {
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
    // Node sends no length for a DELETE by itself.
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const secret = this.tokenOf(token);
    keepSecret(...secretsIn(path, body), ...(secret.length >= 16 ? [secret] : []));
    const sent = { ...length, ...(token !== '' && { authorization: `Bearer ${secret}` }), ...(body !== undefined && { 'content-type': type }), ...headers };
    const answer = await this.#client.ask({ method, path, headers: sent, ...(text !== undefined && { body: text }) });
    const received = answer.body.toString();
    if (answer.code >= 400) captureOutput(`${method} ${path} ${received}`);
    return { code: answer.code, headers: answer.headers, text: received, json: (received.startsWith('{') ? JSON.parse(received) : {}) as AnsweredObject };
  }

  async make(path: string, object: object): Promise<AnsweredObject> {
    const answer = await this.ask('POST', path, object);
    if (answer.code !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // With a serving certificate of the test's own, the client here does not know whom to trust.
    if (this.server.certificates.servingCa !== undefined) captureOutput((await this.ask('GET', '/metrics')).text);
    await this.#client[Symbol.asyncDispose]();
    await this.server.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Fills `tokens`. */
function tokenFile(lines: string, tokens: Map<string, string>): string {
  return lines.replace(/^([^,\n]+),/gm, (_, name: string) => {
    const secret = `${name}-${randomBytes(12).toString('hex')}`;
    tokens.set(name, secret);
    return `${secret},`;
  });
}

/** Of a Secret all data; of a bootstrap token only what makes it one. */
function secretsIn(path: string, body: unknown): string[] {
  if (!/\/secrets(\/|\?|$)/.test(path) || typeof body !== 'object' || body === null) return [];
  const { data = {}, stringData = {} } = body as Partial<Record<'data' | 'stringData', Record<string, string> | null>>;
  const values = [
    ...Object.entries(stringData ?? {}),
    ...Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()]),
  ];
  const open = new Set(['token-id', 'usage-bootstrap-authentication', 'auth-extra-groups', 'expiration', 'description']);
  return values.flatMap(([key = '', value = '']) => (open.has(key) ? [] : [String(value)]));
}
