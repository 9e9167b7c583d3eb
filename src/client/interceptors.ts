// Transports around a transport: each adds one thing to every request.
import { pause, type Timers } from '#base/timers.ts';
import { readAll, type Transport, type TransportResponse, withHeaders } from '#client/transport.ts';

export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Asks as somebody else. */
export function withImpersonation(transport: Transport, { user, uid, groups = [], extra = {} }: Impersonation): Transport {
  const headers = {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`.toLowerCase(), values])),
  };
  return (request) => transport(withHeaders(request, headers));
}

const maxRetries = 10;
const never = new AbortController().signal;

/** Waits and asks again when the server says when: 429, or a failure of its own, with Retry-After. */
export function withRetryAfter(transport: Transport, timers: Timers): Transport {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const response = await transport(request);
      const seconds = secondsToWait(response);
      if (seconds === undefined || attempt === maxRetries) return response;
      await readAll(response);
      await pause(timers, seconds * 1000, request.signal ?? never);
      request.signal?.throwIfAborted();
    }
  };
}

function secondsToWait({ code, headers }: TransportResponse): number | undefined {
  if (code !== 429 && code < 500) return undefined;
  const told = headers['retry-after'];
  return told !== undefined && /^\d+$/.test(told) ? Number(told) : undefined;
}
