/** How the Kubernetes API names things. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return undefined;
  return parts.length === 1 ? { group: '', version: parts[0] ?? '' } : { group: parts[0] ?? '', version: parts[1] ?? '' };
}

/** `pods`, `deployments.apps`: the form that error messages use. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Pod`, `Deployment.apps`. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
