import type { Clock } from '#base/clock.ts';

/** The `date` of answers. It changes once a second, and is made as often. */
export function httpDate(clock: Clock): () => string {
  let second = -1;
  let text = '';
  return () => {
    const now = clock.now();
    const current = Math.floor(now.getTime() / 1000);
    if (current !== second) {
      second = current;
      text = now.toUTCString();
    }
    return text;
  };
}
