// Does an extension server answer what it must serve? Asked as the aggregator, several times at once before it counts as gone.
import type { ExtensionServer } from '#aggregation/extension-server.ts';
import { userHeaders } from '#aggregation/forwarded-head.ts';
import { deadline } from '#base/deadline.ts';
import { goQuote } from '#base/go-text.ts';

const attempts = 5;
const timeoutMs = 5_000;
const lateMs = 500;
const aggregator = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** Undefined as soon as one attempt succeeds; otherwise why the last one failed, in the words of the original. Throws when none can be made. */
export async function discoveryProblem(server: ExtensionServer | undefined, group: string, version: string): Promise<string | undefined> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  // The server is told of the APIService a moment later.
  if (server === undefined) return `no requests are forwarded to ${path} yet`;
  if (server.problem !== undefined) throw new Error(server.problem);
  const answered = new AbortController();
  const attempt = async () => {
    const { signal, cancel } = deadline(answered.signal, timeoutMs);
    const problem = await problemOf(server, path, signal).finally(cancel);
    if (problem !== undefined) throw new Error(problem);
  };
  try {
    const first = attempt();
    // One that answers as it should is asked once. One that hangs is asked again by the others before the first has given up.
    const others = Array.from({ length: attempts - 1 }, () => failedOrLate(first).then(attempt));
    await Promise.any([first, ...others]);
    return undefined;
  } catch (error) {
    return ((error as AggregateError).errors.at(-1) as Error).message;
  } finally {
    answered.abort();
  }
}

/** Never resolves when the attempt succeeds in time. */
function failedOrLate(first: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lateMs);
    first.then(
      () => clearTimeout(timer),
      () => {
        clearTimeout(timer);
        resolve();
      },
    );
  });
}

async function problemOf(server: ExtensionServer, path: string, signal: AbortSignal): Promise<string | undefined> {
  let url = path;
  try {
    const { host, port } = await server.address();
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    url = `https://${authority}${path}`;
    const headers = { host: authority, 'user-agent': 'Go-http-client/1.1', ...userHeaders(aggregator) };
    const { response, socket } = await server.ask({ method: 'GET', path, headers, signal });
    socket?.destroy();
    response.on('error', () => {}).resume();
    const code = response.statusCode ?? 0;
    if (code >= 200 && code < 300) return undefined;
    return `failing or missing response from ${url}: bad status from ${url}: ${code}`;
  } catch (error) {
    const { message } = error as Error;
    return url === path ? message : `failing or missing response from ${url}: Get ${goQuote(url)}: ${timedOut(message)}`;
  }
}

function timedOut(message: string): string {
  return message === 'context canceled' ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)' : message;
}
