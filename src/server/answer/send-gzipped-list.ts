// A list for clients that take gzip, put together from runs that were compressed before; new ones are made on another thread.
import { nextTurn } from '#base/next-turn.ts';
import { type Deflated, deflated, gzipHead, GzipSum } from '#server/answer/deflated.ts';
import { type DeflatedRuns, runEnd } from '#server/answer/deflated-runs.ts';
import type { Exchange } from '#server/front/exchange.ts';
import type { Frame, List, Listable } from '#server/answer/list-text.ts';

/** Each is written in one go. */
const chunkBytes = 64 * 1024;

export interface FramedList<I> extends Frame, Pick<List<I>, 'items' | 'writer'> {}

export async function sendGzippedList<I extends Listable>(exchange: Exchange, contentType: string, list: FramedList<I>, runs: DeflatedRuns): Promise<void> {
  exchange.setHeader('content-encoding', 'gzip');
  exchange.setHeader('vary', 'Accept-Encoding');
  const stream = exchange.stream(200, contentType);
  for await (const chunk of chunksOf(gzipped(list, runs))) {
    if (exchange.signal.aborted) return;
    await stream.write(chunk);
    await nextTurn();
  }
  stream.end();
}

async function* gzipped<I extends Listable>(list: FramedList<I>, runs: DeflatedRuns): AsyncGenerator<Buffer, undefined> {
  const sum = new GzipSum();
  yield gzipHead;
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

async function* chunksOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < chunkBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  yield Buffer.concat(waiting);
}
