// Which authorizers this server asks, in order.
import { FlagError } from '#app/flags.ts';
import type { ServerOptions } from '#app/options.ts';
import { allowMasters, alwaysAllow, alwaysDeny, type Authorizer, firstOpinion } from '#auth/authorizer.ts';

/** Authorizers by the name of their mode; the ones that need services are handed in. */
export type AuthorizerModes = Readonly<Record<string, Authorizer>>;

const simpleModes: AuthorizerModes = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny };

export function buildAuthorizer({ authorizationModes }: ServerOptions, modes: AuthorizerModes): Authorizer {
  const known = { ...simpleModes, ...modes };
  const chosen = authorizationModes.map((mode) => known[mode] ?? unknownMode(mode, Object.keys(known)));
  return firstOpinion([allowMasters, ...chosen]);
}

function unknownMode(mode: string, known: readonly string[]): never {
  throw new FlagError(`--authorization-mode: ${JSON.stringify(mode)} is not served, known modes are ${known.toSorted().join(', ')}`);
}
