import type { IncomingMessage, ServerResponse } from 'node:http';

/** So much, and for so long, a client may go on sending after its answer; then its connection ends. Clients that are cut off earlier lose the answer. */
const mostBytes = 4 * 1024 * 1024;
const mostMs = 10_000;

/** The request was answered before its body had come: what comes is thrown away, so that the next request can follow it. */
export function throwAwayRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const hangUp = () => socket.destroySoon();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= mostBytes) return;
    if (response.writableFinished) hangUp();
    else request.pause();
  });
  request.once('end', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
  response.once('finish', () => {
    if (bytes > mostBytes) hangUp();
    else if (!request.complete) timer = setTimeout(hangUp, mostMs).unref();
  });
  request.resume();
}
