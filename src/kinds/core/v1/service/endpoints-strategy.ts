import type { FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, nameIsSubdomain, portNumberProblems } from '#base/formats.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '#kinds/core/v1/service/endpoints.ts';
import { ipWarnings, validateLegacyIp } from '#kinds/rules/addresses.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateEndpointIp } from '#kinds/rules/endpoint-addresses.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateChoice } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultEndpointsPort(port: EndpointPort): void {
  port.protocol ||= 'TCP';
}

export const endpointsStrategy: Strategy<Endpoints> = {
  allowCreateOnUpdate: true,
  validate({ metadata, subsets }, errors, { gate }) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateSubsets(subsets, 'subsets', errors, gate('StrictIPCIDRValidation'));
  },
  validateUpdate({ metadata, subsets }, old, errors, { gate }) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    if (!semanticEqual(subsets, old.subsets)) validateSubsets(subsets, 'subsets', errors, gate('StrictIPCIDRValidation'));
  },
  warnOnCreate: addressWarnings,
  warnOnUpdate: addressWarnings,
};

function validateSubsets(subsets: readonly EndpointSubset[] | undefined, path: string, errors: FieldErrors, strict: boolean): void {
  subsets?.forEach(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const at = `${path}[${index}]`;
    if (addresses.length + notReadyAddresses.length === 0) errors.required(at, 'must specify `addresses` or `notReadyAddresses`');
    addresses.forEach((address, number) => validateAddress(address, `${at}.addresses[${number}]`, errors, strict));
    notReadyAddresses.forEach((address, number) => validateAddress(address, `${at}.notReadyAddresses[${number}]`, errors, strict));
    ports.forEach((port, number) => validatePort(port, ports.length > 1, `${at}.ports[${number}]`, errors));
  });
}

function validateAddress({ ip, hostname, nodeName }: EndpointAddress, path: string, errors: FieldErrors, strict: boolean): void {
  validateLegacyIp(ip, `${path}.ip`, errors, strict);
  if (hostname) errors.invalidEach(`${path}.hostname`, hostname, dns1123LabelProblems(hostname));
  if (nodeName !== undefined) errors.invalidEach(`${path}.nodeName`, nodeName, dns1123SubdomainProblems(nodeName));
  validateEndpointIp(ip, `${path}.ip`, errors);
}

function validatePort({ name, port, protocol, appProtocol }: EndpointPort, needsName: boolean, path: string, errors: FieldErrors): void {
  if (name) errors.invalidEach(`${path}.name`, name, dns1123LabelProblems(name));
  else if (needsName) errors.required(`${path}.name`);
  errors.invalidEach(`${path}.port`, port, portNumberProblems(port));
  validateChoice(protocol, ['SCTP', 'TCP', 'UDP'], `${path}.protocol`, errors);
  if (appProtocol !== undefined) validateLabelKey(appProtocol, `${path}.appProtocol`, errors);
}

function addressWarnings({ metadata, subsets = [] }: Endpoints): readonly string[] {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [] }, index) => [
    ...addresses.flatMap(({ ip }, number) => ipWarnings(ip, `subsets[${index}].addresses[${number}].ip`)),
    ...notReadyAddresses.flatMap(({ ip }, number) => ipWarnings(ip, `subsets[${index}].notReadyAddresses[${number}].ip`)),
  ]);
}

const shownEndpoints = 3;

function endpointsCell(subsets: readonly EndpointSubset[] = []): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0 ? addresses.map(({ ip }) => ip) : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port))),
  );
  const more = all.length > shownEndpoints ? ` + ${all.length - shownEndpoints} more...` : '';
  return `${all.slice(0, shownEndpoints).join(',')}${more}`;
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

export const endpointsColumns: readonly Column<Endpoints>[] = [
  nameColumn(),
  { name: 'Endpoints', type: 'string', read: ({ subsets }) => endpointsCell(subsets) },
  ageColumn(),
];
