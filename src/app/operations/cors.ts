import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Middleware } from '#server/front/exchange.ts';
import { allowOrigins } from '#server/middleware/allow-origins.ts';

/** `--cors-allowed-origins`; undefined when no origin is named. */
export function buildCors({ flags }: ServerOptions): Middleware | undefined {
  const patterns = flags.list('cors-allowed-origins');
  return patterns.length === 0 ? undefined : allowOrigins(patterns.map(compile));
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (cause) {
    throw new FlagError(`--cors-allowed-origins: ${JSON.stringify(pattern)}: ${(cause as Error).message}`);
  }
}
