// A list for clients that take gzip, put together from runs that were compressed before; new ones are made on another thread.
import { type Deflated, deflated, gzipHead, GzipSum } from '#server/answer/deflated.ts';
import { type DeflatedRuns, runEnd } from '#server/answer/deflated-runs.ts';
import { type Content, sendChunks } from '#server/answer/send-chunks.ts';
import type { Exchange } from '#server/front/exchange.ts';
import type { Frame, List, Listable } from '#server/answer/list-text.ts';

export interface FramedList<I> extends Frame, Pick<List<I>, 'items' | 'writer'> {}

export async function sendGzippedList<I extends Listable>(exchange: Exchange, contentType: string, list: FramedList<I>, runs: DeflatedRuns): Promise<void> {
  exchange.setHeader('content-encoding', 'gzip');
  exchange.setHeader('vary', 'Accept-Encoding');
  await sendChunks(exchange, exchange.stream(200, contentType), new Pieces(gzipped(list, runs)));
}

async function* gzipped<I extends Listable>(list: FramedList<I>, runs: DeflatedRuns): AsyncGenerator<Buffer, undefined> {
  const sum = new GzipSum();
  for (const making of partsOf(list, runs)) {
    const part = await making;
    sum.add(part);
    yield part.bytes;
  }
  yield sum.end();
}

/** The first item of a list may be written in another way than others, so it goes with the head. */
function* partsOf<I extends Listable>(list: FramedList<I>, runs: DeflatedRuns): Generator<Promise<Deflated>, undefined> {
  const { head, tail, items, writer } = list;
  yield deflated(Buffer.concat([head, firstItem(list)]));
  for (let from = 1, end = 1; from < items.length; from = end) {
    end = runEnd(items, from);
    yield runs.of({ items, from, end, writer });
  }
  yield deflated(tail);
}

function firstItem<I>({ items: [first], writer }: FramedList<I>): Buffer {
  if (first === undefined) return Buffer.alloc(0);
  const text = Buffer.allocUnsafe(writer.length(first, true));
  writer.write(first, true, text, 0);
  return text;
}

/** Pieces one behind the other; a piece that a buffer has no room for goes on in the next. */
class Pieces implements Content {
  readonly #pieces: AsyncIterator<Buffer, undefined>;
  #piece: Buffer = gzipHead;

  constructor(pieces: AsyncIterator<Buffer, undefined>) {
    this.#pieces = pieces;
  }

  async fill(buffer: Buffer): Promise<number> {
    let length = 0;
    for (;;) {
      const copied = this.#piece.copy(buffer, length);
      length += copied;
      this.#piece = this.#piece.subarray(copied);
      if (this.#piece.length > 0) return length;
      const { value } = await this.#pieces.next();
      if (value === undefined) return length;
      this.#piece = value;
    }
  }
}
