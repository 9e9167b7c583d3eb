// A list as a stream of stored bytes: first byte at once, never the whole list in one buffer, other requests in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from '#server/exchange.ts';

const chunkBytes = 128 * 1024;
const comma = Buffer.from(',');
const tail = Buffer.from(']}\n');

/** `items` are byte sequences; small lists go out in one piece. */
export async function sendList(exchange: Exchange, contentType: string, head: string, items: readonly (readonly Buffer[])[]): Promise<void> {
  const total = items.reduce((sum, parts) => sum + parts.reduce((size, part) => size + part.length, 1), 0);
  if (total <= chunkBytes) {
    exchange.send(200, contentType, Buffer.concat([Buffer.from(head), ...joined(items), tail]));
    return;
  }
  const stream = exchange.stream(200, contentType);
  for (const chunk of chunks(head, items)) {
    if (exchange.signal.aborted) return;
    await stream.write(chunk);
    await nextTurn();
  }
  stream.end();
}

function* joined(items: readonly (readonly Buffer[])[]): Generator<Buffer> {
  let first = true;
  for (const parts of items) {
    if (!first) yield comma;
    first = false;
    yield* parts;
  }
}

function* chunks(head: string, items: readonly (readonly Buffer[])[]): Generator<Buffer> {
  let pending: Buffer[] = [Buffer.from(head)];
  let size = head.length;
  for (const part of joined(items)) {
    pending.push(part);
    size += part.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(pending, size);
    pending = [];
    size = 0;
  }
  pending.push(tail);
  yield Buffer.concat(pending);
}
