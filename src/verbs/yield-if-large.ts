import { nextTurn } from '#base/next-turn.ts';

/** From here on each step of a write takes long enough to let other requests in between two of them. */
const largeBytes = 128 * 1024;

/** Undefined for most bodies, whose steps belong together. */
export function yieldIfLarge(bytes: number): Promise<void> | undefined {
  return isLarge(bytes) ? nextTurn() : undefined;
}

export function isLarge(bytes: number): boolean {
  return bytes > largeBytes;
}
