// A text for clients that take gzip: compressed on another thread, a piece at a time.
import { once } from 'node:events';
import { constants, createGzip } from 'node:zlib';
import type { Exchange } from '#server/front/exchange.ts';
import type { Text } from '#server/answer/list-text.ts';

/** Each is a trip to the other thread and back. */
const chunkBytes = 512 * 1024;
/** Objects of a list are so alike that codes made for them gain little, and making them takes a third of the time. */
const options = { level: 1, strategy: constants.Z_FIXED, memLevel: 9, chunkSize: 64 * 1024 };

export async function sendGzipped(exchange: Exchange, contentType: string, text: Text): Promise<void> {
  exchange.setHeader('content-encoding', 'gzip');
  exchange.setHeader('vary', 'Accept-Encoding');
  const stream = exchange.stream(200, contentType);
  const gzip = createGzip(options);
  const ended = once(gzip, 'end');
  let room: Promise<void> | undefined;
  gzip.on('data', (piece: Buffer) => {
    room = stream.write(piece);
  });
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (let length = text.fill(buffer); length > 0 && !exchange.signal.aborted; length = text.fill(buffer)) {
    await new Promise((resolve) => gzip.write(buffer.subarray(0, length), resolve));
    await room;
  }
  gzip.end();
  await ended;
  stream.end();
}
