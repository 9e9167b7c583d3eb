// A KMS v2 plugin as operators run them, small: gRPC over a unix socket, keys in memory. Written by hand, so that it can be put in the way of both sides.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

type Fields = ReadonlyMap<number, readonly Buffer[]>;

export class KmsPlugin implements AsyncDisposable {
  keyId = 'key-1';
  healthz = 'ok';
  readonly calls: string[] = [];
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor() {
    this.#server = createServer();
    this.#server.on('session', (session) => this.#sessions.add(session));
    this.#server.on('stream', (stream, headers) => void this.#answer(stream, String(headers[':path']).split('/').at(-1) ?? ''));
  }

  static async listen(path: string, keyId = 'key-1'): Promise<KmsPlugin> {
    const plugin = new KmsPlugin();
    plugin.keyId = keyId;
    await new Promise<void>((resolve) => plugin.#server.listen(path, resolve));
    return plugin;
  }

  async #answer(stream: ServerHttp2Stream, method: string): Promise<void> {
    this.calls.push(method);
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    const fields = read(Buffer.concat(pieces).subarray(5));
    const message = this.#messageFor(method, fields);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(message ? { 'grpc-status': '0' } : { 'grpc-status': '2', 'grpc-message': 'no such key' }));
    if (message === undefined) return void stream.end();
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([head, message]));
  }

  #messageFor(method: string, fields: Fields): Buffer | undefined {
    if (method === 'Status') return Buffer.concat([field(1, 'v2'), field(2, this.healthz), field(3, this.keyId)]);
    if (method === 'Encrypt') {
      const annotation = Buffer.concat([field(1, 'kms.example.com'), field(2, 'note')]);
      return Buffer.concat([field(1, sealed(this.keyId, first(fields, 1))), field(2, this.keyId), field(3, annotation)]);
    }
    const plain = opened(first(fields, 3).toString(), first(fields, 1));
    return plain && field(1, plain);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function keyOf(keyId: string): Buffer {
  return createHash('sha256').update(`the key that is called ${keyId}`).digest();
}

function sealed(keyId: string, plain: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keyId), nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function opened(keyId: string, bytes: Buffer): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(keyId), bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function first(fields: Fields, number: number): Buffer {
  return fields.get(number)?.[0] ?? Buffer.alloc(0);
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >>> 7)]);
}

function field(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.of((number << 3) | 2), varint(bytes.length), bytes]);
}

/** Fields with a length; numbers are read as none. */
export function read(message: Buffer): Fields {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const number = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = message[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  };
  while (at < message.length) {
    const key = number();
    const length = number();
    if ((key & 7) !== 2) continue;
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), message.subarray(at, at + length)]);
    at += length;
  }
  return fields;
}

/** What an object's bytes hold, by the rules of the original: the envelope behind the prefix, its seed from the plugin's key, its key from the seed. */
export function decodedByHand(stored: Buffer, provider: string, storeKey: string): string {
  const envelope = read(stored.subarray(`k8s:enc:kms:v2:${provider}:`.length));
  const seed = opened(first(envelope, 2).toString(), first(envelope, 3)) ?? Buffer.alloc(32);
  const data = first(envelope, 1);
  const key = hkdfExpand(seed, data.subarray(0, 32));
  const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(32, 44)).setAAD(Buffer.from(storeKey)).setAuthTag(data.subarray(-16));
  return Buffer.concat([decipher.update(data.subarray(44, -16)), decipher.final()]).toString();
}

/** RFC 5869, 2.3, of 32 bytes: HMAC written out (RFC 2104), so that it is not the one under test. */
function hkdfExpand(seed: Buffer, info: Buffer): Buffer {
  const padded = Buffer.concat([seed, Buffer.alloc(64 - seed.length)]);
  const hash = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  return hash(
    padded.map((byte) => byte ^ 0x5c),
    hash(
      padded.map((byte) => byte ^ 0x36),
      info,
      Uint8Array.of(1),
    ),
  );
}
