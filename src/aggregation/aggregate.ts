// The step of the pipeline that comes before everything served here: group-versions of other servers are passed on to them.
import type { ApiServices } from '#aggregation/api-services.ts';
import { forward, type ForwardOptions, unavailable } from '#aggregation/forward.ts';
import type { Handler, Middleware } from '#server/front/exchange.ts';

export interface AggregateOptions extends ForwardOptions {
  readonly apiServices: ApiServices;
  /** Answers `/apis` and `/apis/<group>` while other servers serve groups; false for what is left to this server. */
  readonly serveGroups: (exchange: Parameters<Handler>[0], parts: readonly string[]) => Promise<boolean>;
}

export function aggregate({ apiServices, serveGroups, ...options }: AggregateOptions): Middleware {
  return (next) => async (exchange) => {
    if (apiServices.allLocal) return next(exchange);
    const parts = exchange.info.path.split('/').filter((part) => part !== '');
    const [prefix, ...rest] = parts;
    if (prefix !== 'apis' && prefix !== 'api') return next(exchange);
    const [group = '', version] = prefix === 'api' ? ['', ...rest] : rest;
    const remote = version === undefined ? undefined : apiServices.remote(group, version);
    if (remote !== undefined) return remote.available ? forward(exchange, remote.server, options) : unavailable(exchange);
    if (prefix === 'apis' && rest.length < 2 && (await serveGroups(exchange, rest))) return;
    return next(exchange);
  };
}
