// Reads one answer of HTTP/1.1 as its bytes come, as strictly as Go's net/http: what it cannot read is an OutgoingFailure in Go's words.
import { goQuote } from '#base/go-text.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

export interface AnswerHead {
  readonly code: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
}

export interface AnswerReceiver {
  onHead(head: AnswerHead): void;
  onData(chunk: Buffer): void;
}

/** Of all lines before, between and behind the body. */
const mostLineBytes = 1 << 20;

/** `until close`: the body has no length of its own. */
type State = 'status' | 'headers' | 'sized' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'until close' | 'done';

export class AnswerReader {
  readonly #receiver: AnswerReceiver;
  #state: State = 'status';
  #code = 0;
  #headers = new Map<string, string>();
  /** Bytes of the body, or of its current chunk, that are still to come. */
  #left = 0;
  #lineBytes = 0;
  /** The beginning of a line whose end has not come. */
  #pieces: string[] = [];
  #isHttp11 = false;

  constructor(receiver: AnswerReceiver) {
    this.#receiver = receiver;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Whether the server will take another request, and for how long it may wait for one, where it says so. */
  get keepsOpen(): boolean {
    return this.#isHttp11 && !/\bclose\b/i.test(this.#headers.get('connection') ?? '');
  }

  get idleSeconds(): number | undefined {
    const [, seconds] = /timeout=(\d+)/i.exec(this.#headers.get('keep-alive') ?? '') ?? [];
    return seconds === undefined ? undefined : Number(seconds);
  }

  /** How many of the bytes belong to this answer. Throws an OutgoingFailure. */
  read(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.#state !== 'done') {
      at = this.#isInData ? this.#readData(bytes, at) : this.#readLine(bytes, at);
    }
    return at;
  }

  /** The server has closed the connection: the end of some answers, too early for others. */
  end(): void {
    if (this.#state === 'until close') this.#state = 'done';
    if (this.#state === 'done') return;
    if (this.#isInHead) throw this.#lineBytes === 0 ? new OutgoingFailure('EOF') : malformed('unexpected EOF');
    throw new OutgoingFailure('unexpected EOF', { inBody: true });
  }

  get #isInHead(): boolean {
    return this.#state === 'status' || this.#state === 'headers';
  }

  get #isInData(): boolean {
    return this.#state === 'sized' || this.#state === 'chunk' || this.#state === 'until close';
  }

  #readData(bytes: Buffer, at: number): number {
    const end = this.#state === 'until close' ? bytes.length : Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    this.#receiver.onData(bytes.subarray(at, end));
    if (this.#left === 0 && this.#state !== 'until close') this.#state = this.#state === 'chunk' ? 'chunk end' : 'done';
    return end;
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(0x0a, at);
    this.#lineBytes += (end < 0 ? bytes.length : end + 1) - at;
    if (this.#lineBytes > mostLineBytes) throw new OutgoingFailure(`net/http: server response headers exceeded ${mostLineBytes} bytes; aborted`);
    if (end < 0) {
      this.#pieces.push(bytes.toString('latin1', at));
      return bytes.length;
    }
    const last = bytes.toString('latin1', at, end > at && bytes[end - 1] === 0x0d ? end - 1 : end);
    if (this.#pieces.length === 0) this.#takeLine(last);
    else this.#takeLine([...this.#pieces.splice(0), last].join('').replace(/\r$/, ''));
    return end + 1;
  }

  #takeLine(line: string): void {
    switch (this.#state) {
      case 'status':
        return this.#takeStatus(line);
      case 'headers':
        return line === '' ? this.#beginBody() : this.#takeHeader(line);
      case 'chunk size':
        return this.#beginChunk(line);
      case 'chunk end':
        if (line !== '') throw new OutgoingFailure('malformed chunked encoding', { inBody: true });
        this.#state = 'chunk size';
        return;
      default:
        if (line === '') this.#state = 'done';
    }
  }

  #takeStatus(line: string): void {
    const [, minor, code] = /^HTTP\/1\.([01]) +(\d{3})(?: |$)/.exec(line) ?? [];
    if (code === undefined) throw malformed(`malformed HTTP response ${goQuote(line)}`);
    this.#isHttp11 = minor === '1';
    this.#code = Number(code);
    this.#headers = new Map();
    this.#state = 'headers';
  }

  #takeHeader(line: string): void {
    const colon = line.indexOf(':');
    if (colon <= 0) throw malformed(`malformed MIME header line: ${line}`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'content-length' && (this.#headers.get(name) ?? value) !== value)
      throw malformed('http: message cannot contain multiple Content-Length headers');
    if (!this.#headers.has(name)) this.#headers.set(name, value);
  }

  #beginBody(): void {
    const code = this.#code;
    if (code >= 100 && code < 200 && code !== 101) {
      this.#state = 'status';
      return;
    }
    this.#choose(code);
    this.#receiver.onHead({ code, contentType: this.#headers.get('content-type') ?? '', retryAfter: this.#headers.get('retry-after') });
  }

  #choose(code: number): void {
    const encoding = this.#headers.get('transfer-encoding');
    const length = this.#headers.get('content-length');
    if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') throw malformed(`unsupported transfer encoding: ${goQuote(encoding)}`);
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw malformed(`bad Content-Length ${goQuote(length)}`);
    if (code === 101 || code === 204 || code === 304) this.#state = 'done';
    else if (encoding !== undefined) this.#state = 'chunk size';
    else if (length === undefined) this.#state = 'until close';
    else {
      this.#left = Number(length);
      this.#state = this.#left === 0 ? 'done' : 'sized';
    }
  }

  #beginChunk(line: string): void {
    const [, digits] = /^([0-9a-f]{1,12})[ \t]*(?:;|$)/i.exec(line) ?? [];
    if (digits === undefined) throw new OutgoingFailure('invalid byte in chunk length', { inBody: true });
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'chunk';
  }
}

function malformed(why: string): OutgoingFailure {
  return new OutgoingFailure(`net/http: HTTP/1.x transport connection broken: ${why}`);
}
