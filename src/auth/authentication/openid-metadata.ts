// What others need to check our service account tokens: the discovery document and the public keys.
import type { VerifyingKey } from '#auth/authentication/jwt.ts';

export interface OpenIdDocuments {
  readonly configuration: string;
  readonly keys: string;
}

/** Undefined when the issuer is no https URL: relying parties could not find us by it. */
export function openIdDocuments(issuer: string, jwksUri: string, keys: readonly VerifyingKey[]): OpenIdDocuments | undefined {
  if (!/^https:\/\/[^?#]+$/.test(issuer)) return undefined;
  return {
    configuration: JSON.stringify({
      issuer,
      jwks_uri: jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
    }),
    keys: JSON.stringify({ keys: keys.map(jwkOf) }),
  };
}

function jwkOf({ id, algorithm, key }: VerifyingKey): object {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, ...(crv !== undefined && { crv }), alg: algorithm, ...(n === undefined ? { x, y } : { n, e }) };
}
