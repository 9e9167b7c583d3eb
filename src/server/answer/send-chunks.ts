// An answer that is put together in buffers which are used again, a chunk at a time.
import { nextTurn } from '#base/next-turn.ts';
import { giveSendBufferBack, takeSendBuffer } from '#server/answer/send-buffers.ts';
import type { Exchange, ResponseStream } from '#server/front/exchange.ts';

export interface Content {
  /** How many bytes of what is left were written; 0 at the end. */
  fill(buffer: Buffer): number | Promise<number>;
}

/** Two buffers in turn: one is filled while the other is on its way. */
export async function sendChunks(exchange: Exchange, stream: ResponseStream, content: Content): Promise<void> {
  const buffers = [takeSendBuffer(), takeSendBuffer()];
  const onTheirWay: Promise<boolean>[] = [];
  for (let turn = 0; ; turn = 1 - turn) {
    await onTheirWay[turn];
    // What a socket that broke still holds is left to it.
    if (exchange.signal.aborted) return;
    const buffer = buffers[turn] as Buffer;
    const length = await content.fill(buffer);
    if (length === 0) break;
    onTheirWay[turn] = stream.writeThrough(buffer.subarray(0, length));
    await nextTurn();
  }
  stream.end();
  const free = await Promise.all(onTheirWay);
  buffers.filter((_, index) => free[index] ?? true).forEach(giveSendBufferBack);
}
