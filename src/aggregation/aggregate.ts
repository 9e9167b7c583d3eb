// The step of the pipeline that comes before everything served here: group-versions of other servers are passed on to them.
import type { ApiServices, RemoteService } from '#aggregation/api-services.ts';
import { forward, type ForwardOptions, unavailable } from '#aggregation/forward.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';

export interface AggregateOptions extends ForwardOptions {
  readonly apiServices: ApiServices;
}

export function aggregate({ apiServices, ...options }: AggregateOptions): Middleware {
  return (next) => (exchange) => {
    const remote = apiServices.allLocal ? undefined : remoteFor(apiServices, exchange.info.path);
    if (remote === undefined) return next(exchange);
    return passOn(exchange, remote, options);
  };
}

async function passOn(exchange: Exchange, remote: RemoteService, options: ForwardOptions): Promise<void> {
  return remote.available ? forward(exchange, remote.server, options) : unavailable(exchange);
}

/** The server of the core group is responsible for all of `/api`, as upstream's aggregator has it. */
function remoteFor(apiServices: ApiServices, path: string): RemoteService | undefined {
  const [prefix, group = '', version] = path.split('/', 4).slice(1);
  if (prefix === 'api') return apiServices.remote('', 'v1');
  return prefix === 'apis' && version !== undefined && version !== '' ? apiServices.remote(group, version) : undefined;
}
