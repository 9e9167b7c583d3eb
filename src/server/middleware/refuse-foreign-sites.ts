import { ApiError } from '#api/api-error.ts';
import type { Exchange, Handler, Middleware } from '#server/front/exchange.ts';

/**
 * For a port on which no credential is asked for: only programs of this machine that know where they ask may pass. A page of another site
 * reaches such a port through the browser of somebody who works here; its `Host` (a name of the attacker that was made to resolve to
 * 127.0.0.1), its `Origin` or its `Sec-Fetch-Site` tells it apart, and a page can set none of the three.
 */
export function refuseForeignSites(): Middleware {
  return (next: Handler) => (exchange) => {
    const problem = foreignTo(exchange);
    if (problem === undefined) return next(exchange);
    return Promise.reject(new ApiError(403, 'Forbidden', `the insecure port refuses this request: ${problem}`, { details: {} }));
  };
}

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

function foreignTo(exchange: Exchange): string | undefined {
  const hosts = exchange.headerValues('host');
  const [host = ''] = hosts;
  if (hosts.length !== 1 || !localHost.test(host)) return 'Host must be localhost, 127.0.0.1 or [::1]';
  const foreignOrigin = exchange.headerValues('origin').some((origin) => origin.toLowerCase() !== `http://${host.toLowerCase()}`);
  if (foreignOrigin) return 'it has the Origin of another site';
  // `none`: somebody typed the address; another port of the same machine (`same-site`) is another origin and may serve anybody's pages.
  const foreignFetch = exchange.headerValues('sec-fetch-site').some((site) => site !== 'same-origin' && site !== 'none');
  return foreignFetch ? 'a browser sent it from another site' : undefined;
}
