// Buffers in which lists are put together for the socket. They are used again: 256 kB of fresh memory for every page of a list makes V8
// collect all of the heap some twenty times a second (`npm run bench -- --only "a page"`).

/** Larger ones cost less per byte, smaller ones let others through sooner: a fraction of a millisecond each. */
const chunkBytes = 128 * 1024;
/** What is kept for the next lists: 2 MB. */
const mostSpare = 16;

const spare: Buffer[] = [];

export function takeSendBuffer(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
}

/** Only buffers that the socket is done with: what is on its way would be overwritten by the next list. */
export function giveSendBufferBack(buffer: Buffer): void {
  if (spare.length < mostSpare) spare.push(buffer);
}
