// The issuer of service account tokens, for relying parties: who it is and which keys it signs with.
import { methodNotAllowed } from '#api/api-error.ts';
import type { Handler } from '#server/exchange.ts';
import { refuseUnknownAccept } from '#server/negotiate.ts';
import type { PathRouter } from '#server/path-router.ts';

export interface OpenIdPages {
  readonly configuration: string;
  readonly keys: string;
}

export function serveOpenId(router: PathRouter, { configuration, keys }: OpenIdPages): void {
  router.under('/.well-known/openid-configuration', page('application/json', configuration), () => ['/.well-known/openid-configuration']);
  router.under('/openid/v1/jwks', page('application/jwk-set+json', keys), () => ['/openid/v1/jwks']);
}

function page(mediaType: string, text: string): Handler {
  return async (exchange) => {
    if (exchange.method !== 'GET') throw methodNotAllowed();
    refuseUnknownAccept(exchange, 'single', [mediaType]);
    exchange.setHeader('cache-control', 'public, max-age=3600');
    exchange.send(200, mediaType, text);
  };
}
