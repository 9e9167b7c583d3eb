/** Who makes a request, once authenticated. */
export interface User {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export const MASTERS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';
export const UNAUTHENTICATED = 'system:unauthenticated';

/** The server itself: what it does after its start that is not a controller's work, over the in-process transport. */
export const loopbackUser: User = { name: 'system:apiserver', groups: [AUTHENTICATED, MASTERS] };
/** What of kube-controller-manager has no service account of its own. */
export const controllerManagerUser: User = { name: 'system:kube-controller-manager', groups: [AUTHENTICATED] };
export const schedulerUser: User = { name: 'system:kube-scheduler', groups: [AUTHENTICATED] };
export const anonymousUser: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] };

export function serviceAccountUser(namespace: string, name: string): User {
  return { name: `system:serviceaccount:${namespace}:${name}`, groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED] };
}
