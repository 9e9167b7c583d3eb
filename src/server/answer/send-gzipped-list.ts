// A list for clients that take gzip, put together from runs that were compressed before; new ones are made on another thread.
import { nextTurn } from '#base/next-turn.ts';
import { type Deflated, deflated, gzipHead, GzipSum } from '#server/answer/deflated.ts';
import { type DeflatedRuns, runEnd } from '#server/answer/deflated-runs.ts';
import type { Exchange } from '#server/front/exchange.ts';
import type { List } from '#server/answer/send-list.ts';

/** Each is written in one go. */
const chunkBytes = 64 * 1024;

export async function sendGzippedList(exchange: Exchange, contentType: string, list: List, runs: DeflatedRuns): Promise<void> {
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

async function* gzipped(list: List, runs: DeflatedRuns): AsyncGenerator<Buffer, undefined> {
  const sum = new GzipSum();
  yield gzipHead;
  for (const making of partsOf(list, runs)) {
    const part = await making;
    sum.add(part);
    yield part.bytes;
  }
  yield sum.end();
}

/** Every run has a comma before each item, so the first item goes with the head. */
function* partsOf({ frame: { head, tail, skip }, items }: List, runs: DeflatedRuns): Generator<Promise<Deflated>, undefined> {
  yield deflated(Buffer.concat([Buffer.from(head), firstItem(items, skip)]));
  for (let from = 1, end = 1; from < items.length; from = end) {
    end = runEnd(items, from);
    yield runs.of({ items, from, end, skip });
  }
  yield deflated(Buffer.from(tail));
}

function firstItem([first]: List['items'], skip: number): Buffer {
  if (first === undefined) return Buffer.alloc(0);
  const text = Buffer.alloc(first.byteLength - skip + 1, '{');
  first.copyTo(text, 1, skip);
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
