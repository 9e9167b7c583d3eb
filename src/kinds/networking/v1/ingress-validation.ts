import { FieldErrors } from '#api/field-error.ts';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  nameIsSubdomain,
  pathSegmentProblems,
  portNameProblems,
  portNumberProblems,
  wildcardDns1123SubdomainProblems,
} from '#base/formats.ts';
import { parseIpSloppy } from '#base/ip-address.ts';
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressServiceBackend, IngressSpec, IngressTLS } from '#kinds/networking/v1/ingress.ts';
import { validateLegacyIp } from '#kinds/rules/addresses.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

interface IngressRules {
  /** The stored ingress has a bad secret name. */
  readonly anySecretName: boolean;
  /** The stored ingress has a rule for a wildcard host that is not valid. */
  readonly anyWildcardRule: boolean;
  /** Services may be named like any other object. */
  readonly relaxedServiceName: boolean;
}

export function validateIngressCreate(ingress: Ingress, errors: FieldErrors, { gate }: StrategyContext): void {
  const relaxedServiceName = gate('RelaxedServiceNameValidation');
  validateIngress(ingress, errors, { anySecretName: false, anyWildcardRule: false, relaxedServiceName });
  const annotation = ingress.metadata.annotations?.['kubernetes.io/ingress.class'];
  const { ingressClassName } = ingress.spec;
  if (annotation !== undefined && ingressClassName !== undefined && annotation !== ingressClassName) {
    errors.invalid('annotations.kubernetes.io/ingress.class', annotation, 'must match `ingressClassName` when both are specified');
  }
}

export function validateIngressUpdate(ingress: Ingress, old: Ingress, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMetaUpdate(ingress.metadata, old.metadata, errors);
  const anySecretName = old.spec.tls?.some(({ secretName }) => secretName !== undefined && dns1123SubdomainProblems(secretName).length > 0) ?? false;
  const relaxedServiceName = gate('RelaxedServiceNameValidation') || serviceNames(old.spec).some(isRelaxedName);
  validateIngress(ingress, errors, { anySecretName, anyWildcardRule: hasBadWildcardRule(old.spec), relaxedServiceName });
}

function serviceNames({ defaultBackend, rules = [] }: IngressSpec): readonly string[] {
  const backends = [defaultBackend, ...rules.flatMap(({ http }) => http?.paths?.map(({ backend }) => backend) ?? [])];
  return backends.flatMap((backend) => (backend?.service === undefined ? [] : [backend.service.name]));
}

function isRelaxedName(name: string): boolean {
  return dns1123LabelProblems(name).length === 0 && dns1035LabelProblems(name).length > 0;
}

function hasBadWildcardRule({ rules = [] }: IngressSpec): boolean {
  return rules.some((rule) => {
    const errors = new FieldErrors();
    if (rule.host?.includes('*')) validatePaths(rule, '', errors, { anySecretName: false, anyWildcardRule: false, relaxedServiceName: false });
    return !errors.empty;
  });
}

function validateIngress({ metadata, spec }: Ingress, errors: FieldErrors, rules: IngressRules): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  if (!spec.rules?.length && spec.defaultBackend === undefined) {
    errors.invalid('spec', wasGivenEmpty(spec, 'rules') ? [] : null, 'either `defaultBackend` or `rules` must be specified');
  }
  if (spec.defaultBackend !== undefined) validateBackend(spec.defaultBackend, 'spec.defaultBackend', errors, rules);
  spec.rules?.forEach((rule, index) => validateRule(rule, `spec.rules[${index}]`, errors, rules));
  spec.tls?.forEach((tls, index) => validateTls(tls, `spec.tls[${index}]`, errors, rules));
  const { ingressClassName } = spec;
  if (ingressClassName !== undefined) errors.invalidEach('spec.ingressClassName', ingressClassName, dns1123SubdomainProblems(ingressClassName));
}

function hostProblems(host: string): readonly string[] {
  return host.includes('*') ? wildcardDns1123SubdomainProblems(host) : dns1123SubdomainProblems(host);
}

function validateTls({ hosts = [], secretName }: IngressTLS, path: string, errors: FieldErrors, rules: IngressRules): void {
  hosts.forEach((host, index) => errors.invalidEach(`${path}.hosts[${index}]`, host, hostProblems(host)));
  if (secretName && !rules.anySecretName) errors.invalidEach(`${path}.secretName`, secretName, dns1123SubdomainProblems(secretName));
}

function validateRule(rule: IngressRule, path: string, errors: FieldErrors, rules: IngressRules): void {
  const { host = '' } = rule;
  if (host !== '') {
    if (parseIpSloppy(host) !== undefined) errors.invalid(`${path}.host`, host, 'must be a DNS name, not an IP address');
    errors.invalidEach(`${path}.host`, host, hostProblems(host));
  }
  if (!host.includes('*') || !rules.anyWildcardRule) validatePaths(rule, path, errors, rules);
}

function validatePaths({ http }: IngressRule, path: string, errors: FieldErrors, rules: IngressRules): void {
  if (http === undefined) return;
  if (!http.paths?.length) errors.required(`${path}.http.paths`);
  http.paths?.forEach((entry, index) => validatePath(entry, `${path}.http.paths[${index}]`, errors, rules));
}

function validatePath({ path: value = '', pathType, backend }: HTTPIngressPath, path: string, errors: FieldErrors, rules: IngressRules): void {
  switch (pathType) {
    case undefined:
      return errors.required(`${path}.pathType`, 'pathType must be specified');
    case 'Exact':
    case 'Prefix':
      validateExactPath(value, `${path}.path`, errors);
      break;
    case 'ImplementationSpecific':
      if (value !== '' && !value.startsWith('/')) errors.invalid(`${path}.path`, value, 'must be an absolute path');
      break;
    default:
      errors.notSupported(`${path}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix']);
  }
  validateBackend(backend, `${path}.backend`, errors, rules);
}

function validateExactPath(value: string, path: string, errors: FieldErrors): void {
  if (!value.startsWith('/')) errors.invalid(path, value, 'must be an absolute path');
  for (const part of ['//', '/./', '/../', '%2f', '%2F']) if (value.includes(part)) errors.invalid(path, value, `must not contain '${part}'`);
  for (const end of ['/..', '/.']) if (value.endsWith(end)) errors.invalid(path, value, `cannot end with '${end}'`);
}

function validateBackend({ resource, service }: IngressBackend, path: string, errors: FieldErrors, rules: IngressRules): void {
  if (resource !== undefined && service !== undefined) errors.invalid(path, '', 'cannot set both resource and service backends');
  else if (resource !== undefined) validateReference(resource, `${path}.resource`, errors);
  else if (service !== undefined) validateServiceBackend(service, path, errors, rules);
  else errors.invalid(path, '', 'resource or service backend is required');
}

function validateServiceBackend({ name, port }: IngressServiceBackend, path: string, errors: FieldErrors, rules: IngressRules): void {
  if (name === '') errors.required(`${path}.service.name`);
  else errors.invalidEach(`${path}.service.name`, name, rules.relaxedServiceName ? dns1123LabelProblems(name) : dns1035LabelProblems(name));
  if (port.name && port.number) errors.invalid(path, '', 'cannot set both port name & port number');
  else if (port.name) errors.invalidEach(`${path}.service.port.name`, port.name, portNameProblems(port.name));
  else if (port.number) errors.invalidEach(`${path}.service.port.number`, port.number, portNumberProblems(port.number));
  else errors.required(path, 'port name or number is required');
}

interface Reference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** A reference to an object of any kind. */
export function validateReference({ apiGroup, kind, name }: Reference, path: string, errors: FieldErrors): void {
  if (apiGroup !== undefined) errors.invalidEach(`${path}.apiGroup`, apiGroup, dns1123SubdomainProblems(apiGroup));
  validateSegment(kind, `${path}.kind`, errors);
  validateSegment(name, `${path}.name`, errors);
}

export function validateSegment(value: string | undefined, path: string, errors: FieldErrors): void {
  if (!value) errors.required(path);
  else errors.invalidEach(path, value, pathSegmentProblems(value));
}

export function validateIngressStatusUpdate(ingress: Ingress, old: Ingress, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMetaUpdate(ingress.metadata, old.metadata, errors);
  const stored = (old.status.loadBalancer.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  ingress.status.loadBalancer.ingress?.forEach(({ ip, hostname }, index) => {
    const at = `status.loadBalancer.ingress[${index}]`;
    if (ip) validateLegacyIp(ip, `${at}.ip`, errors, gate('StrictIPCIDRValidation'), stored);
    if (hostname) validateBalancerHostname(hostname, `${at}.hostname`, errors);
  });
}

export function validateBalancerHostname(hostname: string, path: string, errors: FieldErrors): void {
  errors.invalidEach(path, hostname, dns1123SubdomainProblems(hostname));
  if (parseIpSloppy(hostname) !== undefined) errors.invalid(path, hostname, 'must be a DNS name, not an IP address');
}
