// The rules of a service's addresses and address families, and how those may change.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import type { Service, ServiceSpec } from '#kinds/core/v1/service/service.ts';
import { familyOf, isExternalName, isHeadless } from '#kinds/core/v1/service/service-kinds.ts';
import { validateLegacyIp } from '#kinds/rules/addresses.ts';

/** `old` is the stored service, whose addresses stay valid however they are written. */
export function validateClusterIps(service: Service, old: Service | undefined, errors: FieldErrors, strict: boolean): void {
  if (isExternalName(service)) return;
  const { spec } = service;
  validatePairing(spec, errors);
  validateFamilies(spec, errors);
  if (!validateEachAddress(spec.clusterIPs ?? [], old?.spec.clusterIPs ?? [], errors, strict)) return;
  validateAddressFamilies(service, errors);
}

/** The single address of old and the list must agree. */
function validatePairing({ clusterIP, clusterIPs = [] }: ServiceSpec, errors: FieldErrors): void {
  if (!clusterIP) {
    if (clusterIPs.length > 0) errors.invalid('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified');
  } else if (clusterIPs.length === 0) errors.required('spec.clusterIPs');
  else if (clusterIPs[0] !== clusterIP) errors.invalid('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`');
}

function validateFamilies({ ipFamilies = [], ipFamilyPolicy }: ServiceSpec, errors: FieldErrors): void {
  const families = ['IPv4', 'IPv6'];
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  ipFamilies.forEach((family, index) => {
    if (!families.includes(family)) errors.notSupported(`spec.ipFamilies[${index}]`, family, families);
    if (ipFamilies.indexOf(family) < index) errors.duplicate(`spec.ipFamilies[${index}]`, asJson(family));
  });
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) errors.notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, policies);
}

function validateEachAddress(addresses: readonly string[], stored: readonly string[], errors: FieldErrors, strict: boolean): boolean {
  const before = errors.list.length;
  addresses.forEach((address, index) => {
    if (index > 0 || address !== 'None') validateLegacyIp(address, `spec.clusterIPs[${index}]`, errors, strict, stored);
    else if (addresses.length > 1) errors.invalid('spec.clusterIPs', addresses, "'None' must be the first and only value");
  });
  const fine = errors.list.length === before;
  if (addresses.length > 2) errors.invalid('spec.clusterIPs', addresses, 'may only hold up to 2 values');
  return fine;
}

function validateAddressFamilies(service: Service, errors: FieldErrors): void {
  const { clusterIPs = [], ipFamilies = [] } = service.spec;
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < 2) {
    errors.invalid('spec.clusterIPs', clusterIPs, 'may specify no more than one IP for each IP family');
  }
  if (isHeadless(service)) return;
  clusterIPs.slice(0, ipFamilies.length).forEach((address, index) => {
    const wanted = ipFamilies[index];
    if ((wanted !== 'IPv4' && wanted !== 'IPv6') || (familyOf(address) === 'IPv6') === (wanted === 'IPv6')) return;
    errors.invalid(`spec.clusterIPs[${index}]`, address, `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``);
  });
}

/** Addresses are fixed; a second one may come and go. */
export function validateClusterIpsUpdate(service: Service, old: Service, errors: FieldErrors): void {
  if (isExternalName(service) || isExternalName(old) || (isHeadless(service) && isHeadless(old))) return;
  const { clusterIPs = [] } = service.spec;
  const { clusterIPs: before = [] } = old.spec;
  const change = (index: number) => errors.invalid(`spec.clusterIPs[${index}]`, clusterIPs, 'may not change once set');
  if (before.length === clusterIPs.length) {
    before.forEach((address, index) => {
      if (address !== clusterIPs[index]) change(index);
    });
    return;
  }
  if (clusterIPs.length === 0) errors.invalid('spec.clusterIPs[0]', clusterIPs, 'primary clusterIP can not be unset');
  else if (before.length > 0 && clusterIPs[0] !== before[0]) change(0);
  if (clusterIPs.length === 1 && before.length > 1) validateReleasePolicy(service, 'clusterIP', errors);
}

export function validateFamiliesUpdate(service: Service, old: Service, errors: FieldErrors): void {
  if (isExternalName(service) || isExternalName(old) || isHeadless(service) || isHeadless(old)) return;
  const { ipFamilies = [], clusterIPs = [] } = service.spec;
  const { ipFamilies: before = [] } = old.spec;
  const path = 'spec.ipFamilies[0]';
  if (before.length === ipFamilies.length) {
    before.forEach((family, index) => {
      if (family !== ipFamilies[index]) errors.invalid(path, ipFamilies, 'may not change once set');
    });
    return;
  }
  if (before.length > ipFamilies.length && clusterIPs.length === 0) errors.invalid(path, ipFamilies, 'primary ipFamily can not be unset');
  if (before.length > 0 && ipFamilies.length > 0 && ipFamilies[0] !== before[0]) errors.invalid(path, clusterIPs, 'may not change once set');
  if (before.length > ipFamilies.length && ipFamilies.length === 1) validateReleasePolicy(service, 'ipFamily', errors);
}

function validateReleasePolicy({ spec }: Service, what: string, errors: FieldErrors): void {
  if (spec.ipFamilyPolicy === 'SingleStack') return;
  errors.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? null, `must be set to 'SingleStack' when releasing the secondary ${what}`);
}
