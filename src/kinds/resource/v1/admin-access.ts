// Devices with the access of an administrator are only for namespaces that a label names for it.
import type { FieldErrors } from '#api/field-error.ts';
import type { ResourceClaim } from '#kinds/resource/v1/resource-claim.ts';
import type { StrategyContext } from '#resource/strategy.ts';

const label = 'resource.kubernetes.io/admin-access';
const namespaces = { group: '', resource: 'namespaces' };

type Requests = NonNullable<ResourceClaim['spec']['devices']>['requests'];

export function refuseAdminRequests(requests: Requests, namespace: string | undefined, errors: FieldErrors, context: StrategyContext): void {
  const index = (requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess);
  if (index >= 0) refuseUnlessLabelled(`spec.devices.requests[${index}].adminAccess`, namespace, errors, context);
}

/** What was granted once stays: an allocation does not change. */
export function refuseAdminResults({ metadata, status }: ResourceClaim, old: ResourceClaim, errors: FieldErrors, context: StrategyContext): void {
  const granted = ({ allocation }: ResourceClaim['status']) => (allocation?.devices.results ?? []).findIndex(({ adminAccess }) => adminAccess);
  const index = granted(status);
  if (index < 0 || granted(old.status) >= 0) return;
  refuseUnlessLabelled(`status.allocation.devices.results[${index}].adminAccess`, metadata.namespace, errors, context);
}

function refuseUnlessLabelled(field: string, namespace: string | undefined, errors: FieldErrors, { lister }: StrategyContext): void {
  const found = lister.get(namespaces, '', namespace ?? '');
  // Admission has asked for the namespace before: only a server that has just lost its cache does not know it.
  if (found === undefined || found instanceof Promise)
    errors.internal(field, `could not retrieve namespace to verify admin access: namespaces "${namespace}" not found`);
  else if (found.metadata.labels?.[label] !== 'true')
    errors.forbidden(field, `admin access to devices requires the \`${label}: true\` label on the containing namespace`);
}
