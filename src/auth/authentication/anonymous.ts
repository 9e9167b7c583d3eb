import { anonymousUser } from '#api/user.ts';
import type { Authenticator } from '#auth/authenticator.ts';

/** Stands last: whoever shows no credentials at all. */
export const anonymous: Authenticator = () => Promise.resolve(anonymousUser);
