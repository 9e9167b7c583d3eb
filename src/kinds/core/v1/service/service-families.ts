// Which address families a service has: settled before addresses are drawn, because it decides how many there are.
import { invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import { validateClusterIps } from '#kinds/core/v1/service/service-address-validation.ts';
import { familyOf, isExternalName, otherFamily, sameTexts } from '#kinds/core/v1/service/service-kinds.ts';

/** `families` are those of the cluster, the default one first. */
export function settleFamilies(service: Service, old: Service | undefined, families: readonly string[], strict: boolean): void {
  if (isExternalName(service) || staysPreferDualStack(service, old)) return;
  const { spec } = service;
  const headlessWithoutSelector = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? (headlessWithoutSelector ? 'RequireDualStack' : 'SingleStack');
  refuse(service, (errors) => validateClusterIps(service, old, errors, strict));
  refuse(service, (errors) => {
    if (old !== undefined) reduceToPolicy(service, old, errors);
    validateCount(service, errors);
    familiesFromAddresses(service, families, errors);
  });
  if (headlessWithoutSelector) return completeHeadless(service, families);
  refuse(service, (errors) => validateConfigured(service, families, errors));
  completeFamilies(service, families);
}

function refuse(service: Service, check: (errors: FieldErrors) => void): void {
  const errors = new FieldErrors();
  check(errors);
  if (!errors.empty) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors.list);
}

/** Nothing to do for a service that prefers two families, has what it got, and keeps it. */
export function staysPreferDualStack({ spec }: Service, old: Service | undefined): boolean {
  if (old === undefined || spec.ipFamilyPolicy !== 'PreferDualStack' || old.spec.type !== spec.type || spec.type === 'ExternalName') return false;
  const { ipFamilyPolicy: before = 'PreferDualStack' } = old.spec;
  return before === 'PreferDualStack' && sameTexts(spec.clusterIPs, old.spec.clusterIPs) && sameTexts(spec.ipFamilies, old.spec.ipFamilies);
}

/** A change to a single family drops the second one; any other way of dropping it is refused. */
function reduceToPolicy({ spec }: Service, { spec: old }: Service, errors: FieldErrors): void {
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameTexts(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1);
    if (sameTexts(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
    return;
  }
  const fewer = (now: readonly string[] = [], before: readonly string[] = []) => now.length > 0 && now.length < before.length;
  const released = (what: string) => errors.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`);
  if (fewer(spec.clusterIPs, old.clusterIPs)) released('cluster IP');
  if (fewer(spec.ipFamilies, old.ipFamilies)) released('IP family');
}

function validateCount({ spec }: Service, errors: FieldErrors): void {
  if (spec.ipFamilyPolicy !== 'SingleStack') return;
  const several = (what: string) =>
    errors.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`);
  if (spec.clusterIPs?.length === 2) several('cluster IPs');
  if (spec.ipFamilies?.length === 2) several('IP families');
}

function familiesFromAddresses({ spec }: Service, families: readonly string[], errors: FieldErrors): void {
  const { clusterIPs = [] } = spec;
  if (clusterIPs[0] === 'None') return;
  clusterIPs.forEach((address, index) => {
    if (index < (spec.ipFamilies?.length ?? 0)) return;
    const family = familyOf(address);
    if (families.includes(family)) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else errors.invalid(`spec.clusterIPs[${index}]`, clusterIPs, `${family} is not configured on this cluster`);
  });
}

/** Endpoints that somebody else keeps may be of any family, whatever the cluster has. */
function completeHeadless({ spec }: Service, families: readonly string[]): void {
  const [first = families[0] ?? 'IPv4', ...rest] = spec.ipFamilies ?? [];
  const second = rest.length === 0 && spec.ipFamilyPolicy !== 'SingleStack' ? [otherFamily(first)] : rest;
  spec.ipFamilies = [first, ...second];
}

function validateConfigured({ spec }: Service, families: readonly string[], errors: FieldErrors): void {
  if (spec.ipFamilyPolicy === 'RequireDualStack' && families.length < 2) {
    errors.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  }
  spec.ipFamilies?.forEach((family, index) => {
    if (!families.includes(family)) errors.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster');
  });
}

function completeFamilies({ spec }: Service, families: readonly string[]): void {
  if (!spec.ipFamilies?.length) spec.ipFamilies = families.slice(0, 1);
  if (spec.ipFamilyPolicy !== 'SingleStack' && spec.ipFamilies.length === 1 && families.length === 2) {
    spec.ipFamilies = [...spec.ipFamilies, otherFamily(spec.ipFamilies[0])];
  }
}
