// Who is asking? One function per kind of credential, tried in order.
import type { User } from '#api/user.ts';

/** What authentication may look at. An Exchange is one. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  headerValues(name: string): readonly string[];
  /** DER, leaf first; the same array for all requests of a connection. */
  readonly clientCertificates: readonly Buffer[];
  readonly remoteAddress: string;
  /** As sent; where it matters who may stay anonymous. */
  readonly path?: string;
  warn(text: string): void;
}

/** Undefined: this credential is not mine. Throws ApiError 401 for a credential that is mine and wrong. */
export type Authenticator = (request: Credentials) => Promise<User | undefined>;

/** The first authenticator with an answer wins; an error counts only if nobody answers. */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return async (request) => {
    const failures: unknown[] = [];
    for (const authenticate of authenticators) {
      try {
        const user = await authenticate(request);
        if (user !== undefined) return user;
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
    return undefined;
  };
}

/** Asks the second only when the first has no opinion: a wrong credential is refused, never made anonymous. */
export function otherwise(first: Authenticator, second: Authenticator): Authenticator {
  return async (request) => (await first(request)) ?? second(request);
}
