import { AUTHENTICATED, MASTERS, type User } from '#api/user.ts';
import { type Authenticator, otherwise } from '#auth/authenticator.ts';

/** Under this name kube-apiserver knew the users of its insecure port, as long as it had one. */
const unsecured: User = { name: 'system:unsecured', groups: [MASTERS, AUTHENTICATED] };

/** Of requests that come in where only administrators of this machine can: without a credential they are one; a wrong one is refused all the same. */
export function localAdministrator(credentials: Authenticator): Authenticator {
  return otherwise(credentials, () => unsecured);
}
