// A list as a stream of stored bytes: never the whole list in one buffer, other requests in between.
import type { ListFrame } from '#api/stored-form.ts';
import type { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import type { ResponseStream, Exchange } from '#server/front/exchange.ts';
import { nextTurn } from '#base/next-turn.ts';
import { acceptsGzip, compressionThreshold } from '#server/answer/accepts-gzip.ts';
import { type ListedItem, ListText, type Text } from '#server/answer/list-text.ts';
import { giveSendBufferBack, takeSendBuffer } from '#server/answer/send-buffers.ts';

const itemsInOneGo = 20_000;

export interface List {
  readonly frame: ListFrame;
  readonly items: readonly ListedItem[];
}

export async function sendList(exchange: Exchange, contentType: string, list: List, runs: DeflatedRuns): Promise<void> {
  const { frame, items } = list;
  const text = new ListText(frame, items);
  const length = await lengthOf(text, items.length);
  if (length <= compressionThreshold || !acceptsGzip(exchange)) return sendText(exchange, contentType, text, length);
  const { sendGzippedList } = await import('#server/answer/send-gzipped-list.ts');
  return sendGzippedList(exchange, contentType, list, runs);
}

export async function sendText(exchange: Exchange, contentType: string, text: Text, length: number): Promise<void> {
  if (length <= compressionThreshold) {
    const whole = Buffer.allocUnsafe(length);
    text.fill(whole);
    exchange.send(200, contentType, whole);
    return;
  }
  if (acceptsGzip(exchange)) {
    const { sendGzipped } = await import('#server/answer/send-gzipped.ts');
    return sendGzipped(exchange, contentType, text);
  }
  exchange.setHeader('content-length', String(length));
  await sendChunks(exchange, exchange.stream(200, contentType), text);
}

async function lengthOf(text: ListText, count: number): Promise<number> {
  let length = text.length(0, Math.min(count, itemsInOneGo));
  for (let from = itemsInOneGo; from < count; from += itemsInOneGo) {
    await nextTurn();
    length += text.length(from, Math.min(count, from + itemsInOneGo));
  }
  return length;
}

/** Two buffers in turn: one is filled while the other is on its way. */
async function sendChunks(exchange: Exchange, stream: ResponseStream, text: Text): Promise<void> {
  const buffers = [takeSendBuffer(), takeSendBuffer()];
  const onTheirWay: Promise<boolean>[] = [];
  for (let turn = 0; ; turn = 1 - turn) {
    await onTheirWay[turn];
    // What a socket that broke still holds is left to it.
    if (exchange.signal.aborted) return;
    const buffer = buffers[turn] as Buffer;
    const length = text.fill(buffer);
    if (length === 0) break;
    onTheirWay[turn] = stream.writeThrough(buffer.subarray(0, length));
    await nextTurn();
  }
  stream.end();
  const free = await Promise.all(onTheirWay);
  buffers.filter((_, index) => free[index] ?? true).forEach(giveSendBufferBack);
}
