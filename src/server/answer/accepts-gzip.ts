import type { Exchange } from '#server/front/exchange.ts';

/** Below this nothing is compressed: the original's limit. */
export const compressionThreshold = 128 * 1024;

export function acceptsGzip({ headers }: Pick<Exchange, 'headers'>): boolean {
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' && accepted.split(',').some((encoding) => encoding.trim() === 'gzip');
}
