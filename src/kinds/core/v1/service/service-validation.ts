import { asJson, type FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, nameIsLabel, nameIsLabel1035, portNameProblems, portNumberProblems } from '#base/formats.ts';
import { parseIpSloppy } from '#base/ip-address.ts';
import type { LoadBalancerIngress, Service, ServicePort, ServiceSpec } from '#kinds/core/v1/service/service.ts';
import { validateClusterIps, validateClusterIpsUpdate, validateFamiliesUpdate } from '#kinds/core/v1/service/service-address-validation.ts';
import { isExternallyAccessible, isHeadless, isLoadBalancer, needsHealthCheck } from '#kinds/core/v1/service/service-kinds.ts';
import { validateLegacyCidr, validateLegacyIp } from '#kinds/rules/addresses.ts';
import { validateEndpointIp } from '#kinds/rules/endpoint-addresses.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateChoice } from '#kinds/rules/values.ts';
import { validateLabelKey, validateLabels } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";

export function validateServiceCreate(service: Service, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMeta(service.metadata, true, gate('RelaxedServiceNameValidation') ? nameIsLabel : nameIsLabel1035, errors);
  validateService(service, undefined, errors, gate('StrictIPCIDRValidation'));
}

export function validateServiceUpdate(service: Service, old: Service, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMetaUpdate(service.metadata, old.metadata, errors);
  validateClusterIpsUpdate(service, old, errors);
  validateFamiliesUpdate(service, old, errors);
  const { loadBalancerClass, healthCheckNodePort } = service.spec;
  if (isLoadBalancer(service) && isLoadBalancer(old) && loadBalancerClass !== old.spec.loadBalancerClass) {
    errors.invalid('spec.loadBalancerClass', loadBalancerClass, 'may not change once set');
  }
  // Upstream looks at the class here and again with the rest.
  validateBalancerClass(service, errors);
  if (needsHealthCheck(service) && needsHealthCheck(old) && healthCheckNodePort !== old.spec.healthCheckNodePort) {
    errors.forbidden('spec.healthCheckNodePort', 'field is immutable');
  }
  validateService(service, old, errors, gate('StrictIPCIDRValidation'));
}

function validateService(service: Service, old: Service | undefined, errors: FieldErrors, strict: boolean): void {
  const { spec } = service;
  validateTopologyAnnotations(service, errors);
  if (!spec.ports?.length && !isHeadless(service) && spec.type !== 'ExternalName') errors.required('spec.ports');
  validateByType(service, errors);
  validatePorts(spec.ports ?? [], errors);
  validateLabels(spec.selector, 'spec.selector', errors);
  validateAffinity(spec, errors);
  validateClusterIps(service, old, errors, strict);
  spec.externalIPs?.forEach((address, index) => {
    const before = errors.list.length;
    validateLegacyIp(address, `spec.externalIPs[${index}]`, errors, strict, old?.spec.externalIPs);
    if (errors.list.length === before) validateEndpointIp(address, `spec.externalIPs[${index}]`, errors);
  });
  validateChoice(spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], 'spec.type', errors);
  validatePortNumbers(spec, errors);
  validateSourceRanges(service, old, errors, strict);
  validateLoadBalancer(service, errors);
  validateTraffic(service, errors);
}

const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';

function validateTopologyAnnotations({ metadata }: Service, errors: FieldErrors): void {
  const { [topologyHints]: hints, [topologyMode]: mode } = metadata.annotations ?? {};
  if (hints === undefined || mode === undefined || hints === mode) return;
  errors.invalid(`metadata.annotations[${topologyMode}]`, mode, `must match annotations[${topologyHints}] when both are specified`);
}

function validateByType(service: Service, errors: FieldErrors): void {
  const { type, clusterIPs, ipFamilies, ipFamilyPolicy, externalName = '' } = service.spec;
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(service)) {
    errors.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`);
  }
  if (type !== 'ExternalName') return;
  const unset = 'may not be set for ExternalName services';
  if (clusterIPs?.length) errors.forbidden('spec.clusterIPs', unset);
  if (ipFamilies?.length) errors.forbidden('spec.ipFamilies', unset);
  if (ipFamilyPolicy !== undefined) errors.forbidden('spec.ipFamilyPolicy', unset);
  const name = externalName.replace(/\.$/, '');
  if (name === '') errors.required('spec.externalName');
  else errors.invalidEach('spec.externalName', name, dns1123SubdomainProblems(name));
}

function validatePorts(ports: readonly ServicePort[], errors: FieldErrors): void {
  const names = new Set<string>();
  ports.forEach((port, index) => {
    const at = `spec.ports[${index}]`;
    if (port.name) {
      errors.invalidEach(`${at}.name`, port.name, dns1123LabelProblems(port.name));
      if (names.has(port.name)) errors.duplicate(`${at}.name`, port.name);
      names.add(port.name);
    } else if (ports.length > 1) errors.required(`${at}.name`);
    validatePort(port, at, errors);
  });
}

function validatePort({ port, protocol, targetPort = 0, appProtocol }: ServicePort, path: string, errors: FieldErrors): void {
  errors.invalidEach(`${path}.port`, port, portNumberProblems(port));
  validateChoice(protocol, ['SCTP', 'TCP', 'UDP'], `${path}.protocol`, errors);
  errors.invalidEach(`${path}.targetPort`, targetPort, typeof targetPort === 'number' ? portNumberProblems(targetPort) : portNameProblems(targetPort));
  if (appProtocol !== undefined) validateLabelKey(appProtocol, `${path}.appProtocol`, errors);
}

/** Node ports only where they work, and no number twice. */
function validatePortNumbers({ type, ports = [] }: ServiceSpec, errors: FieldErrors): void {
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  if (type === 'ClusterIP') {
    ports.forEach(({ nodePort }, index) => {
      if (nodePort) errors.forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'");
    });
  }
  ports.forEach(({ protocol = '', nodePort, port }, index) => {
    const at = `spec.ports[${index}]`;
    if (nodePort && nodePorts.has(`${protocol} ${nodePort}`)) errors.duplicate(`${at}.nodePort`, nodePort);
    if (nodePort) nodePorts.add(`${protocol} ${nodePort}`);
    if (numbers.has(`${protocol} ${port}`)) {
      errors.duplicate(at, { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 });
    }
    numbers.add(`${protocol} ${port}`);
  });
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec, errors: FieldErrors): void {
  validateChoice(sessionAffinity, ['ClientIP', 'None'], 'spec.sessionAffinity', errors);
  const path = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'None' && config !== undefined) errors.forbidden(path, 'must not be set when session affinity is None');
  if (sessionAffinity !== 'ClientIP') return;
  const detail = 'when session affinity type is ClientIP';
  const timeout = config?.clientIP?.timeoutSeconds;
  if (config === undefined) errors.required(path, detail);
  else if (config.clientIP === undefined) errors.required(`${path}.clientIP`, detail);
  else if (timeout === undefined) errors.required(`${path}.clientIP.timeoutSeconds`, detail);
  else if (timeout <= 0 || timeout > 86_400) errors.invalid(`${path}.clientIP.timeoutSeconds`, timeout, 'must be greater than 0 and less than 86400');
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function validateSourceRanges(service: Service, old: Service | undefined, errors: FieldErrors, strict: boolean): void {
  const { loadBalancerSourceRanges: ranges = [] } = service.spec;
  const annotation = service.metadata.annotations?.[rangesAnnotation];
  if (ranges.length > 0) {
    // The original spells the field with a capital here.
    const path = 'spec.LoadBalancerSourceRanges';
    if (!isLoadBalancer(service)) errors.forbidden(path, onlyLoadBalancer);
    const stored = (old?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    errors.each(ranges, (range, index, found) => validateLegacyCidr(range.trim(), `${path}[${index}]`, found, strict, stored));
  } else if (annotation !== undefined) {
    const path = `metadata.annotations[${rangesAnnotation}]`;
    if (!isLoadBalancer(service)) errors.forbidden(path, onlyLoadBalancer);
    if (old?.metadata.annotations?.[rangesAnnotation] === annotation || annotation.trim() === '') return;
    for (const range of annotation.trim().split(',')) validateLegacyCidr(range.trim(), path, errors, strict);
  }
}

function validateLoadBalancer(service: Service, errors: FieldErrors): void {
  const { allocateLoadBalancerNodePorts: allocate } = service.spec;
  if (allocate !== undefined && !isLoadBalancer(service)) errors.forbidden('spec.allocateLoadBalancerNodePorts', onlyLoadBalancer);
  if (allocate === undefined && isLoadBalancer(service)) errors.required('allocateLoadBalancerNodePorts');
  validateBalancerClass(service, errors);
}

function validateBalancerClass(service: Service, errors: FieldErrors): void {
  const { loadBalancerClass } = service.spec;
  if (loadBalancerClass === undefined) return;
  if (isLoadBalancer(service)) validateLabelKey(loadBalancerClass, 'spec.loadBalancerClass', errors);
  else errors.forbidden('spec.loadBalancerClass', onlyLoadBalancer);
}

function validateTraffic(service: Service, errors: FieldErrors): void {
  const { externalTrafficPolicy: external, healthCheckNodePort, internalTrafficPolicy: internal, trafficDistribution, type = '' } = service.spec;
  const policies = ['Cluster', 'Local'];
  if (isExternallyAccessible(service)) validateChoice(external, policies, 'spec.externalTrafficPolicy', errors);
  else if (external) errors.invalid('spec.externalTrafficPolicy', asJson(external), 'may only be set for externally-accessible services');
  validateHealthCheck(service, healthCheckNodePort ?? 0, errors);
  if (internal === undefined) {
    if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(type)) errors.required('spec.internalTrafficPolicy');
  } else if (!policies.includes(internal)) errors.notSupported('spec.internalTrafficPolicy', internal, policies);
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    errors.notSupported('spec.trafficDistribution', trafficDistribution, distributions);
  }
}

function validateHealthCheck(service: Service, port: number, errors: FieldErrors): void {
  const path = 'spec.healthCheckNodePort';
  if (!needsHealthCheck(service)) {
    if (port !== 0) errors.invalid(path, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  } else if (port === 0) errors.required(path);
  else errors.invalidEach(path, port, portNumberProblems(port));
}

export function validateServiceStatusUpdate(service: Service, old: Service, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMetaUpdate(service.metadata, old.metadata, errors);
  const { ingress = [] } = service.status.loadBalancer;
  const path = 'status.loadBalancer.ingress';
  if (ingress.length > 0 && !isLoadBalancer(service)) return errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
  const stored = (old.status.loadBalancer.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  ingress.forEach((point, index) => validateIngressPoint(point, `${path}[${index}]`, errors, gate('StrictIPCIDRValidation'), stored));
}

function validateIngressPoint(point: LoadBalancerIngress, path: string, errors: FieldErrors, strict: boolean, stored: readonly string[]): void {
  const { ip, ipMode, hostname } = point;
  const modes = ['Proxy', 'VIP'];
  if (ip) validateLegacyIp(ip, `${path}.ip`, errors, strict, stored);
  if (ipMode === undefined) {
    if (ip) errors.required(`${path}.ipMode`, 'must be specified when `ip` is set');
  } else if (!ip) errors.forbidden(`${path}.ipMode`, 'may not be specified when `ip` is not set');
  else if (!modes.includes(ipMode)) errors.notSupported(`${path}.ipMode`, ipMode, modes);
  if (!hostname) return;
  errors.invalidEach(`${path}.hostname`, hostname, dns1123SubdomainProblems(hostname));
  if (parseIpSloppy(hostname) !== undefined) errors.invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address');
}
