// A list as a stream of stored bytes: never the whole list in one buffer, other requests in between.
import type { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import type { Exchange, ResponseStream } from '#server/front/exchange.ts';
import { nextTurn } from '#base/next-turn.ts';
import { acceptsGzip, compressionThreshold } from '#server/answer/accepts-gzip.ts';
import { type List, type Listable, ListText, type Text } from '#server/answer/list-text.ts';
import { sendChunks } from '#server/answer/send-chunks.ts';

/** Whether others wait is asked after so many bytes of items, some of which have to be parsed to be measured; each counts for a few more. */
const bytesBetweenLooks = 128 * 1024;
const bytesOfAnyItem = 2048;
const longestTurnMs = 5;
/** So many take a turn or two; a list of more that a turn is too short for begins without saying how long it is. */
const measuredFirst = 5000;

export async function sendList<I extends Listable>(exchange: Exchange, contentType: string, list: List<I>, runs: DeflatedRuns): Promise<void> {
  const measured: Measured = { items: 0, bytes: 0 };
  const begun = isNew(list) ? begin(exchange, contentType, list) : undefined;
  // What has begun is sent when this turn is over.
  if (begun !== undefined) await nextTurn();
  measureForATurn(list, measured);
  const early = begun ?? (measured.items < list.items.length ? begin(exchange, contentType, list) : undefined);
  while (measured.items < list.items.length) {
    await nextTurn();
    measureForATurn(list, measured);
  }
  const frame = list.frame(measured.bytes);
  if (early !== undefined) return sendChunks(exchange, early, new ListText(list, frame));
  const length = frame.head.length + measured.bytes + frame.tail.length;
  if (length <= compressionThreshold || !acceptsGzip(exchange)) return sendText(exchange, contentType, new ListText(list, frame), length);
  const { sendGzippedList } = await import('#server/answer/send-gzipped-list.ts');
  return sendGzippedList(exchange, contentType, { ...list, ...frame }, runs);
}

/** How many items of a list were measured, and how long they are together. */
interface Measured {
  items: number;
  bytes: number;
}

/**
 * Lets the client hear of an answer before its items are measured, where that takes many turns. Where most lengths are known from the
 * list before, one turn is enough, and an answer that says its length is sent without copies (node puts chunks together with their frames).
 */
function begin<I>(exchange: Exchange, contentType: string, { items, writer }: List<I>): ResponseStream | undefined {
  const isLong = writer.knownLength !== undefined && items.length > measuredFirst;
  return isLong && !acceptsGzip(exchange) ? exchange.stream(200, contentType) : undefined;
}

/** Nobody has asked for its items in this form yet: the first of them alone can take longer than a turn. */
function isNew<I>({ items: [first], writer }: List<I>): boolean {
  return first !== undefined && writer.knows?.(first) === false;
}

/** A list whose length is not known before it is written. */
export async function streamList<I extends Listable>(exchange: Exchange, contentType: string, list: List<I>): Promise<void> {
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

function measureForATurn<I extends Listable>({ items, writer }: List<I>, measured: Measured): void {
  const began = performance.now();
  let unlooked = 0;
  for (let i = measured.items; i < items.length; i++) {
    const item = items[i] as I;
    if (unlooked >= bytesBetweenLooks) {
      unlooked = 0;
      if (performance.now() - began >= longestTurnMs) {
        measured.items = i;
        return;
      }
    }
    unlooked += item.byteLength + bytesOfAnyItem;
    measured.bytes += writer.knownLength?.(item, i === 0) ?? writer.length(item, i === 0);
  }
  measured.items = items.length;
}
