// Who is asking? One function per kind of credential, tried in order.
import type { User } from '#api/user.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

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

/** Undefined: this credential is not mine. Throws ApiError 401 for a credential that is mine and wrong. One that need not wait returns no promise. */
export type Authenticator = (request: Credentials) => MaybePromise<User | undefined>;

/** The first authenticator with an answer wins; an error counts only if nobody answers. */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return (request) => askFrom(authenticators, request, 0, undefined);
}

interface Failure {
  readonly error: unknown;
}

function askFrom(authenticators: readonly Authenticator[], request: Credentials, first: number, failure: Failure | undefined): MaybePromise<User | undefined> {
  let failed = failure;
  for (let index = first; index < authenticators.length; index++) {
    try {
      const answer = authenticators[index]?.(request);
      if (answer instanceof Promise) {
        const before = failed;
        return answer.then(
          (user) => user ?? askFrom(authenticators, request, index + 1, before),
          (error: unknown) => askFrom(authenticators, request, index + 1, before ?? { error }),
        );
      }
      if (answer !== undefined) return answer;
    } catch (error) {
      failed ??= { error };
    }
  }
  if (failed !== undefined) throw failed.error;
  return undefined;
}

/** Asks the second only when the first has no opinion: a wrong credential is refused, never made anonymous. */
export function otherwise(first: Authenticator, second: Authenticator): Authenticator {
  return (request) => andThen(first(request), (user) => user ?? second(request));
}
