// XSalsa20 (Bernstein, «Extending the Salsa20 nonce»): the stream cipher of secretbox, which node:crypto does not have.
const ROUNDS = 20;
const BLOCK = 64;
const sigma = words(Buffer.from('expand 32-byte k'));

/** `data` combined with the stream of a key of 32 and a nonce of 24 bytes, from its first byte on: the same again brings it back. */
export function xsalsa20(data: Uint8Array, key: Uint8Array, nonce: Uint8Array): Buffer {
  const inner = hsalsa20(key, nonce.subarray(0, 16));
  const state = initial(inner, [...words(nonce.subarray(16, 24)), 0, 0]);
  const result = Buffer.allocUnsafe(data.length);
  const block = new Uint32Array(16);
  for (let at = 0, counter = 0; at < data.length; at += BLOCK, counter++) {
    state[8] = counter;
    permuted(state, block);
    for (let i = 0; i < 16; i++) block[i] = (block[i] as number) + (state[i] as number);
    const stream = bytesOf(block);
    const end = Math.min(BLOCK, data.length - at);
    for (let i = 0; i < end; i++) result[at + i] = (data[at + i] as number) ^ (stream[i] as number);
  }
  return result;
}

/** The key for the rest of the nonce. */
function hsalsa20(key: Uint8Array, nonce: Uint8Array): Uint32Array {
  const block = new Uint32Array(16);
  permuted(initial(words(key), words(nonce)), block);
  return Uint32Array.from([0, 5, 10, 15, 6, 7, 8, 9], (at) => block[at] as number);
}

function initial(key: ArrayLike<number>, four: ArrayLike<number>): Uint32Array {
  const state = new Uint32Array(16);
  for (let i = 0; i < 4; i++) {
    state[5 * i] = sigma[i] as number;
    state[1 + i] = key[i] as number;
    state[6 + i] = four[i] as number;
    state[11 + i] = key[4 + i] as number;
  }
  return state;
}

/** Four words for each quarter round: the columns, then the rows. */
const quarters = Uint8Array.of(0, 4, 8, 12, 5, 9, 13, 1, 10, 14, 2, 6, 15, 3, 7, 11, 0, 1, 2, 3, 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14);

function permuted(state: Uint32Array, block: Uint32Array): void {
  block.set(state);
  for (let round = 0; round < ROUNDS; round += 2) {
    for (let at = 0; at < quarters.length; at += 4) quarterRound(block, at);
  }
}

function quarterRound(block: Uint32Array, at: number): void {
  const [i, j, k, l] = [quarters[at] as number, quarters[at + 1] as number, quarters[at + 2] as number, quarters[at + 3] as number];
  let [a, b, c, d] = [block[i] as number, block[j] as number, block[k] as number, block[l] as number];
  b ^= rotated(a + d, 7);
  c ^= rotated(b + a, 9);
  d ^= rotated(c + b, 13);
  a ^= rotated(d + c, 18);
  block[i] = a;
  block[j] = b;
  block[k] = c;
  block[l] = d;
}

function rotated(sum: number, by: number): number {
  return (sum << by) | (sum >>> (32 - by));
}

function words(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(4 * at, true));
}

function bytesOf(block: Uint32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(BLOCK));
  block.forEach((word, at) => bytes.setUint32(4 * at, word, true));
  return new Uint8Array(bytes.buffer);
}
