// A list as a stream of stored bytes: never the whole list in one buffer, other requests in between.
import type { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import type { ResponseStream, Exchange } from '#server/front/exchange.ts';
import { nextTurn } from '#base/next-turn.ts';
import { acceptsGzip, compressionThreshold } from '#server/answer/accepts-gzip.ts';
import { type List, type Listable, ListText, type Text } from '#server/answer/list-text.ts';
import { giveSendBufferBack, takeSendBuffer } from '#server/answer/send-buffers.ts';

/** Whether others wait is asked after so many items. */
const itemsBetweenLooks = 64;
const longestTurnMs = 5;
/** So many take a turn or two; a list of more begins without saying how long it is. */
const measuredFirst = 5000;

export async function sendList<I extends Listable>(exchange: Exchange, contentType: string, list: List<I>, runs: DeflatedRuns): Promise<void> {
  const early = begins(list) && !acceptsGzip(exchange) ? exchange.stream(200, contentType) : undefined;
  const itemsLength = await lengthOf(list);
  const frame = list.frame(itemsLength);
  if (early !== undefined) return sendChunks(exchange, early, new ListText(list, frame));
  const length = frame.head.length + itemsLength + frame.tail.length;
  if (length <= compressionThreshold || !acceptsGzip(exchange)) return sendText(exchange, contentType, new ListText(list, frame), length);
  const { sendGzippedList } = await import('#server/answer/send-gzipped-list.ts');
  return sendGzippedList(exchange, contentType, { ...list, ...frame }, runs);
}

/** Whether the client hears of the answer before its items are measured, which takes many turns then. */
function begins<I>({ items, writer }: List<I>): boolean {
  return writer.knownLength !== undefined && items.length > measuredFirst;
}

/** A list whose length is not known before it is written. */
export async function streamList<I>(exchange: Exchange, contentType: string, list: List<I>): Promise<void> {
  const text = new ListText(list, list.frame(0));
  if (acceptsGzip(exchange)) return compressText(exchange, contentType, text);
  await sendChunks(exchange, exchange.stream(200, contentType), text);
}

export async function sendText(exchange: Exchange, contentType: string, text: Text, length: number): Promise<void> {
  if (length <= compressionThreshold) {
    const whole = Buffer.allocUnsafe(length);
    text.fill(whole);
    exchange.send(200, contentType, whole);
    return;
  }
  if (acceptsGzip(exchange)) return compressText(exchange, contentType, text);
  exchange.setHeader('content-length', String(length));
  await sendChunks(exchange, exchange.stream(200, contentType), text);
}

async function compressText(exchange: Exchange, contentType: string, text: Text): Promise<void> {
  const { sendGzipped } = await import('#server/answer/send-gzipped.ts');
  return sendGzipped(exchange, contentType, text);
}

async function lengthOf<I>({ items, writer }: List<I>): Promise<number> {
  let [length, began] = [0, performance.now()];
  for (let i = 0; i < items.length; i++) {
    length += writer.knownLength?.(items[i] as I, i === 0) ?? writer.length(items[i] as I, i === 0);
    if (i % itemsBetweenLooks !== 0 || performance.now() - began < longestTurnMs) continue;
    await nextTurn();
    began = performance.now();
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
