import { anonymousUser } from '#api/user.ts';
import type { Authenticator } from '#auth/authenticator.ts';

/** Stands last: whoever shows no credentials at all. */
export const anonymous: Authenticator = () => anonymousUser;

/** Only on these paths; elsewhere credentials are needed. */
export function anonymousAt(paths: readonly string[]): Authenticator {
  return ({ path }) => (path !== undefined && paths.includes(path) ? anonymousUser : undefined);
}
