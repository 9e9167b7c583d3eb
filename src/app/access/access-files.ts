// The configuration files of access: read at start, read again when they change. A file that became bad changes nothing.
import { isDeepStrictEqual } from 'node:util';
import { type Authorization, authorizationOfFile, authorizationOfFlags, type AuthorizerModes, refuseOtherModes } from '#app/access/authorization.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { ReloadMetrics, reloadMetrics } from '#app/operations/reload-metrics.ts';
import { serverIdentity } from '#app/loops/server-facts.ts';
import { type AuthenticationFile, parseAuthenticationFile } from '#app/access/token-issuers.ts';
import type { Clock } from '#base/clock.ts';
import { followFiles, LiveValue } from '#base/live-value.ts';
import type { Log } from '#base/log.ts';
import type { Metric } from '#base/metrics.ts';
import type { Timers } from '#base/timers.ts';
import { messageOf } from '#base/message-of.ts';

export interface Followed<T> {
  readonly current: () => T;
  readonly metrics: readonly Metric[];
}

export interface FollowParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** `--authentication-config`. */
export async function followAuthentication({ flags }: ServerOptions, audiences: readonly string[], parts: FollowParts): Promise<Followed<AuthenticationFile>> {
  const file = flags.text('authentication-config');
  if (file === '') return fixed({ issuers: [], anonymous: undefined });
  let first: AuthenticationFile | undefined;
  return follow('authentication', file, parts, async (text) => {
    const next = await parseAuthenticationFile(file, text, audiences, parts.clock);
    first ??= next;
    if (!isDeepStrictEqual(first.anonymous, next.anonymous)) throw new FlagError('anonymous: Forbidden: changed from initial configuration file');
    return next;
  });
}

/** `--authorization-config`, or the flags. */
export async function followAuthorization(options: ServerOptions, handed: AuthorizerModes, parts: FollowParts): Promise<Followed<Authorization>> {
  const file = options.flags.text('authorization-config');
  if (file === '') return fixed(await authorizationOfFlags(options, handed, parts.clock));
  let first: Authorization | undefined;
  return follow('authorization', file, parts, async (text) => {
    const next = await authorizationOfFile(text, options, handed, parts.clock);
    first ??= next;
    refuseOtherModes(first, next);
    return next;
  });
}

function fixed<T>(value: T): Followed<T> {
  return { current: () => value, metrics: [] };
}

async function follow<T>(
  what: 'authentication' | 'authorization',
  file: string,
  { clock, timers, log, signal }: FollowParts,
  read: (text: string) => Promise<T>,
): Promise<Followed<T>> {
  const value = await LiveValue.open([file], ([text = '']) => read(text));
  const metrics = new ReloadMetrics({ identity: serverIdentity(), clock, config: value.texts[0] ?? '' });
  followFiles([value], {
    timers,
    signal,
    onRefreshed: (_, refreshed) => {
      metrics.record(refreshed.outcome === 'changed' ? 'success' : 'failure', value.texts[0] ?? '');
      if (refreshed.outcome === 'changed') log.info(`reloaded ${what} config`);
      else log.error(`failed to load ${what} config`, messageOf(refreshed.problem));
    },
  });
  return { current: () => value.value, metrics: reloadMetrics(what, 'BETA', [metrics]) };
}
