import type { Readable } from 'node:stream';
import { badRequest, tooLarge } from '#api/api-error.ts';

/** The whole stream; 413 as soon as it is, or says that it will be, longer than `limit`. */
export function readLimited(input: Readable, announced: number, limit: number): Promise<Buffer> {
  if (announced > limit) return Promise.reject(refusal(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let whole = false;
    input.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else reject(refusal(limit));
    });
    input.on('end', () => {
      whole = true;
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    input.on('error', reject);
    // Every stream closes in the end; an error is made only for one that closes early, for its stack is dear.
    input.on('close', () => whole || reject(badRequest('unexpected EOF')));
  });
}

function refusal(limit: number): Error {
  return tooLarge(`limit is ${limit}`);
}
