// The issuer of service account tokens, for relying parties: who it is and which keys it signs with.
import { withoutTrailing } from '#base/without-trailing.ts';
import { methodNotAllowed, noSuchPath } from '#api/api-error.ts';
import type { Handler } from '#server/front/exchange.ts';
import { refuseUnproduced } from '#server/answer/negotiate.ts';
import type { PathRouter } from '#server/path-router.ts';

export interface OpenIdPages {
  readonly configuration: string;
  readonly keys: string;
}

export function serveOpenId(router: PathRouter, { configuration, keys }: OpenIdPages): void {
  for (const [path, type, text] of [
    ['/.well-known/openid-configuration', 'application/json', configuration],
    ['/openid/v1/jwks', 'application/jwk-set+json', keys],
  ] as const) {
    router.under(path, page(path, type, text), () => [path]);
  }
}

function page(path: string, mediaType: string, text: string): Handler {
  return async (exchange) => {
    if (withoutTrailing(exchange.info.path, '/') !== path) throw noSuchPath();
    if (exchange.method !== 'GET') throw methodNotAllowed();
    refuseUnproduced(exchange.headers, [mediaType]);
    exchange.setHeader('cache-control', 'public, max-age=3600');
    exchange.send(200, mediaType, text);
  };
}
