// May this user do that too? Plugins that guard something beyond the request itself ask this way.
import type { User } from '#api/user.ts';

export interface Permission {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface PermissionAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

export type AskPermission = (user: User, permission: Permission) => Promise<PermissionAnswer>;

/** Rights over a signer are given by its name, or for all signers of its domain. */
export async function maySign(ask: AskPermission, user: User, verb: 'approve' | 'sign' | 'attest', signerName: string): Promise<boolean> {
  const signer = { verb, group: 'certificates.k8s.io', version: '*', resource: 'signers' };
  if ((await ask(user, { ...signer, name: signerName })).allowed) return true;
  return (await ask(user, { ...signer, name: `${signerName.split('/')[0]}/*` })).allowed;
}
