// Does an extension server answer what it must serve? Asked as the aggregator, several times before it counts as gone.
import type { ExtensionServer } from '#aggregation/extension-server.ts';
import { userHeaders } from '#aggregation/forwarded-head.ts';
import { goQuote } from '#base/go-text.ts';

const attempts = 5;
const timeoutMs = 5_000;
const aggregator = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** Undefined when one attempt succeeds; otherwise why the last one failed, in the words of the original. */
export async function discoveryProblem(server: ExtensionServer | undefined, group: string, version: string): Promise<string | undefined> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  // It is told of the APIService a moment later.
  if (server === undefined) return `no requests are forwarded to ${path} yet`;
  const first = await problemOf(server, path);
  if (first === undefined) return undefined;
  const others = await Promise.all(Array.from({ length: attempts - 1 }, () => problemOf(server, path)));
  return others.includes(undefined) ? undefined : others.at(-1);
}

async function problemOf(server: ExtensionServer, path: string): Promise<string | undefined> {
  let url = path;
  try {
    const { host, port } = await server.address();
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    url = `https://${authority}${path}`;
    const headers = { host: authority, 'user-agent': 'Go-http-client/1.1', ...userHeaders(aggregator) };
    const { sent, answer } = server.open({ method: 'GET', path, headers, signal: AbortSignal.timeout(timeoutMs) });
    sent.end();
    const { response, socket } = await answer;
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
