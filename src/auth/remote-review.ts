// Asking another server by POSTing a review to it: webhook authentication and authorization.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { trusting } from '#base/outgoing/authorities.ts';

/** One question, one answer; throws when there is none. */
export type ReviewCall = (review: object) => Promise<ReviewAnswer>;

export interface ReviewAnswer {
  readonly status?: Readonly<Record<string, unknown>>;
}

/** What a kubeconfig file says about one server. */
export interface RemoteEndpoint {
  readonly url: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  readonly serverName?: string | undefined;
  readonly insecure?: boolean | undefined;
}

const attempts = 5;
const firstPauseMs = 500;

/** The client is loaded with the first question. */
export function reviewCall({ url, token, ...tls }: RemoteEndpoint, timeoutMs = 30_000): ReviewCall {
  let dispatcher: Agent | undefined;
  const ask = async (body: string): Promise<ReviewAnswer> => {
    const undici = await import('undici');
    dispatcher ??= new undici.Agent({ connect: connectOptions(tls) });
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const answer = await undici.request(url, { method: 'POST', headers, body, dispatcher, signal: AbortSignal.timeout(timeoutMs) });
    if (answer.statusCode >= 300) {
      await answer.body.dump();
      throw new RemoteRefusal(answer.statusCode);
    }
    return (await answer.body.json()) as ReviewAnswer;
  };
  return (review) => withRetries(() => ask(JSON.stringify(review)));
}

class RemoteRefusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`the server answered with status code ${code}`);
    this.code = code;
  }
}

/** A server that is there and says no is not asked again. */
async function withRetries<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1, pauseMs = firstPauseMs; ; attempt++, pauseMs *= 1.5) {
    try {
      return await ask();
    } catch (error) {
      const final = error instanceof RemoteRefusal && error.code < 500 && error.code !== 429;
      if (final || attempt === attempts) throw error;
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}

function connectOptions({ ca, cert, key, serverName, insecure }: Omit<RemoteEndpoint, 'url' | 'token'>) {
  return {
    ...trusting(ca),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(insecure === true && { rejectUnauthorized: false }),
  };
}
