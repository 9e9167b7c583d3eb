// The one exchange, over whichever carrier. Made once per request, so everything not always needed is made on demand.
import type { Duplex, Readable } from 'node:stream';
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import { gzipped } from '#server/gzip.ts';
import { acceptsGzip, compressionThreshold } from '#server/answer/accepts-gzip.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Offer } from '#server/answer/negotiate.ts';
import type { Carrier } from '#server/front/carrier.ts';
import { clientGone } from '#server/front/client-gone.ts';
import { type AnswerHeaders, deafAnswer, type Exchange, type ExchangeObserver, type ResponseStream, type StreamKind } from '#server/front/exchange.ts';
import { Observers } from '#server/front/observers.ts';
import { Warnings } from '#server/answer/warning-header.ts';

const none: readonly string[] = [];
/** Of most requests; nobody changes what a client asked for. */
const noQuery = new URLSearchParams();
/** A client that takes nothing of a whole answer for so long gets no more of it; as long as the original's request timeout. */
const takeMs = 60_000;

export class CarriedExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly #carrier: Carrier;
  readonly search: string;
  #query: URLSearchParams | undefined;
  #headerValues: ReadonlyMap<string, readonly string[]> | undefined;
  #abort: AbortController | undefined;
  #onGone: Set<() => void> | undefined;
  #warnings: Warnings | undefined;
  #observers: Observers | undefined;
  readonly #headers: Record<string, string | readonly string[]> = {};
  #state: 'open' | 'answered' | 'cut short' = 'open';
  #givenUp = false;
  /** What was taken once stays taken; four steps of the pipeline ask. */
  #isTaken = false;
  #info: RequestInfo | undefined;
  #user: User | undefined;
  #auditId: string | undefined;
  errorOffer: Offer | undefined;

  constructor(carrier: Carrier) {
    const target = originForm(carrier.target);
    const mark = target.indexOf('?');
    this.#carrier = carrier;
    this.method = carrier.method;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.search = mark < 0 ? '' : target.slice(mark + 1);
  }

  get query(): URLSearchParams {
    this.#query ??= this.search === '' ? noQuery : new URLSearchParams(withoutBrokenPairs(this.search));
    return this.#query;
  }

  get headers(): Exchange['headers'] {
    return this.#carrier.headers;
  }

  headerValues(name: string): readonly string[] {
    if (this.#carrier.headers[name] === undefined) return none;
    this.#headerValues ??= valuesByName(this.#carrier.rawHeaders);
    return this.#headerValues.get(name) ?? none;
  }

  get protocol(): Exchange['protocol'] {
    return this.#carrier.protocol;
  }

  get remoteAddress(): string {
    return this.#carrier.connection.remoteAddress;
  }

  get clientCertificates(): readonly Buffer[] {
    return this.#carrier.connection.clientCertificates;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      this.onGone(() => abort.abort(clientGone));
    }
    return this.#abort.signal;
  }

  onGone(listener: () => void): () => void {
    if (this.gone) {
      listener();
      return () => {};
    }
    if (this.#onGone === undefined) this.#carrier.onClose(() => this.#tellGone());
    const listeners = (this.#onGone ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  #tellGone(): void {
    const listeners = [...(this.#onGone ?? [])];
    this.#onGone?.clear();
    for (const listener of listeners) listener();
  }

  get gone(): boolean {
    return this.#givenUp || this.#carrier.closed;
  }

  get info(): RequestInfo {
    return this.#info ?? tooEarly('info');
  }

  set info(info: RequestInfo) {
    this.#info = info;
  }

  get user(): User {
    return this.#user ?? tooEarly('user');
  }

  set user(user: User) {
    this.#user = user;
  }

  get auditId(): string {
    return this.#auditId ?? tooEarly('auditId');
  }

  set auditId(auditId: string) {
    this.#auditId = auditId;
  }

  warn(text: string): void {
    this.#warnings ??= new Warnings();
    this.#warnings.add(text);
  }

  get warnings(): readonly string[] {
    return this.#warnings?.texts ?? none;
  }

  async readBody(limitBytes: number): Promise<Buffer> {
    if (this.#givenUp) throw clientGone;
    const bytes = await this.#carrier.readBody(limitBytes);
    this.#observers?.bodyRead(bytes);
    return bytes;
  }

  body(): Readable {
    const body = this.#carrier.body();
    // A handler that looks at the signal only would otherwise end the process when the client goes.
    body.on('error', () => {});
    if (this.#givenUp) this.#carrier.discardBody();
    return body;
  }

  annotate(key: string, value: string, level?: 'Request'): void {
    this.#observers?.annotated(key, value, level);
  }

  noteObject(object: object, schema: StructSchema): void {
    this.#observers?.objectRead(object, schema);
  }

  observe(observer: ExchangeObserver): void {
    this.#observers ??= new Observers();
    this.#observers.add(observer);
  }

  setHeader(name: string, value: string | readonly string[]): void {
    this.#headers[name.toLowerCase()] = value;
  }

  get answered(): boolean {
    return this.#state !== 'open';
  }

  get isBrief(): boolean {
    return this.#carrier.isBrief === true && this.#observers?.readAnswers !== true;
  }

  send(code: number, contentType: string, body: Uint8Array | string): void {
    if (!this.#beginAnswer(contentType)) return;
    this.#observers?.answerBegun(code, contentType, body);
    const isPlain = this.#headers['content-encoding'] === undefined;
    if (isPlain && body.length > compressionThreshold && acceptsGzip(this)) void this.#sendCompressed(code, body);
    else this.#sendWhole(code, body);
  }

  stream(code: number, contentType: string, kind: StreamKind = 'bytes'): ResponseStream {
    if (!this.#beginAnswer(contentType)) return deafAnswer;
    this.#observers?.answerBegun(code, contentType, undefined);
    const answer = this.#carrier.open(code, this.#headers, kind);
    return this.#observers?.watching(answer) ?? answer;
  }

  get upgradeTo(): string {
    return this.#carrier.upgradeTo;
  }

  upgrade(headers?: AnswerHeaders): Duplex {
    if (this.#state === 'cut short') throw clientGone;
    const duplex = this.#carrier.upgrade(headers);
    this.#beginAnswer('');
    this.#observers?.answerBegun(101, '', undefined);
    return duplex;
  }

  get taken(): boolean {
    this.#isTaken ||= this.#carrier.closed || (this.#state !== 'open' && this.#carrier.taken);
    return this.#isTaken;
  }

  onTaken(listener: () => void): void {
    if (this.taken) listener();
    else this.#carrier.onTaken(listener);
  }

  /** What the handler does after this, its own failure included, changes nothing any more. */
  cutShort(code: number, contentType: string, body: string): void {
    if (this.#state === 'cut short') return;
    if (this.#state === 'open') this.send(code, contentType, body);
    else if (!this.#carrier.taken) this.#carrier.destroy();
    this.#state = 'cut short';
    this.endEarly();
  }

  endEarly(): void {
    this.#givenUp = true;
    this.#carrier.discardBody();
    this.#tellGone();
  }

  /** False when the answer must be dropped because the request was cut short. Two answers are a bug. */
  #beginAnswer(contentType: string): boolean {
    if (this.#state === 'cut short') return false;
    if (this.#state === 'answered') throw new Error(`${this.method} ${this.path} was answered twice`);
    this.#state = 'answered';
    this.#carrier.connection.answered(this.#user?.name ?? '');
    if (contentType !== '') this.#headers['content-type'] = contentType;
    if (this.#warnings !== undefined && this.#warnings.headers.length > 0) this.#headers['warning'] = [...this.#warnings.headers];
    return true;
  }

  #sendWhole(code: number, body: Uint8Array | string): void {
    const hasNoBody = code === 304 || code === 204;
    if (!hasNoBody) this.#headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
    this.#carrier.send(code, this.#headers, hasNoBody || this.method === 'HEAD' ? undefined : body);
    this.#carrier.discardBody();
    if (!this.#carrier.taken) this.#limitTaking();
  }

  #limitTaking(): void {
    const timer = setTimeout(() => this.#carrier.destroy(), takeMs).unref();
    this.#carrier.onTaken(() => clearTimeout(timer));
  }

  async #sendCompressed(code: number, body: Uint8Array | string): Promise<void> {
    const compressed = await gzipped(body, { level: 1 });
    if (this.#carrier.closed) return;
    this.#headers['content-encoding'] = 'gzip';
    this.#headers['vary'] ??= 'Accept-Encoding';
    this.#sendWhole(code, compressed);
  }
}

/** Proxies send `GET http://host/path`; the host does not matter to us. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(target)?.[1];
  return absolute === undefined || absolute === '' ? '/' : absolute;
}

/** In one pass: a request may bring thousands of headers, each of which is asked for. */
function valuesByName(raw: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const known = values.get(name);
    if (known === undefined) values.set(name, [raw[at + 1] as string]);
    else known.push(raw[at + 1] as string);
  }
  return values;
}

function tooEarly(field: string): never {
  throw new Error(`exchange.${field} was read before the pipeline set it`);
}

/** Go drops a pair whose escapes cannot be read, and keeps the others. */
function withoutBrokenPairs(search: string): string {
  if (!brokenEscape.test(search)) return search;
  return search
    .split('&')
    .filter((pair) => !brokenEscape.test(pair))
    .join('&');
}

/** Go's url.ParseQuery drops pairs with an escape that cannot be read, and pairs with a semicolon. */
const brokenEscape = /;|%(?![0-9a-fA-F]{2})/;
