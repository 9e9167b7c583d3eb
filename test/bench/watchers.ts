// Many watchers on few connections that count what they are sent.
import type { Http2Connection } from './http2-connection.ts';
import type { Target } from './target.ts';

const newline = 10;
const inProtobuf = { accept: 'application/vnd.kubernetes.protobuf;stream=watch' };

interface Watching {
  readonly count: number;
  readonly connections: number;
  readonly isProtobuf?: boolean;
}

function lineCount(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  return lines;
}

/** Frames that end in the next chunk of one stream. Each begins with its length. */
function frameCounter(): (chunk: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let frames = 0;
    for (; bytes.length >= 4 && bytes.length - 4 >= bytes.readUInt32BE(0); frames++) bytes = bytes.subarray(4 + bytes.readUInt32BE(0));
    rest = bytes;
    return frames;
  };
}

export class Watchers implements Disposable {
  readonly count: number;
  readonly #connections: readonly Http2Connection[];
  #delivered = 0;
  #awaited: { readonly events: number; readonly done: () => void } | undefined;

  private constructor(connections: readonly Http2Connection[], count: number) {
    this.#connections = connections;
    this.count = count;
  }

  /** Resolves when every watch has been answered. */
  static async open(target: Target, path: string, { count, connections, isProtobuf = false }: Watching): Promise<Watchers> {
    const opened = await Promise.all(Array.from({ length: connections }, () => target.connectHttp2()));
    const watchers = new Watchers(opened, count);
    await Promise.all(Array.from({ length: count }, (_, i) => watchers.#watch(opened[i % connections] as Http2Connection, path, isProtobuf)));
    return watchers;
  }

  #watch(connection: Http2Connection, path: string, isProtobuf: boolean): Promise<void> {
    const eventsIn = isProtobuf ? frameCounter() : lineCount;
    return connection.follow(path, isProtobuf ? inProtobuf : {}, (piece) => this.#count(eventsIn(piece)));
  }

  #count(events: number): void {
    this.#delivered += events;
    if (this.#awaited && this.#delivered >= this.#awaited.events) this.#awaited.done();
  }

  /** Resolves when each watcher has got that many events since it was opened. */
  received(each: number): Promise<void> {
    const events = each * this.count;
    if (this.#delivered >= events) return Promise.resolve();
    return new Promise((resolve) => {
      this.#awaited = { events, done: resolve };
    });
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }
}
