import { asJson, type FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { parseIpSloppy } from '#base/ip-address.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';
import { ipWarnings, validateIp, validateLegacyIp } from '#kinds/rules/addresses.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateEndpointIp } from '#kinds/rules/endpoint-addresses.ts';
import { startGeneration } from '#kinds/rules/generation.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateChoice, validateImmutable } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import { validateLabelKey, validateLabels } from '#resource/metadata-rules.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

const maxPorts = 20_000;
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxTopologyLabels = 16;
const maxHints = 8;

export function defaultEndpointPort(port: EndpointPort): void {
  port.name ??= '';
  port.protocol ??= 'TCP';
}

export const endpointSliceStrategy: Strategy<EndpointSlice> = {
  prepareForCreate(slice) {
    startGeneration(slice.metadata);
    for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology;
  },
  validate: (slice, errors, context) => validateSlice(slice, undefined, errors, context),
  warnOnCreate: (slice) => [...(slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []), ...addressWarnings(slice)],

  prepareForUpdate(slice, old) {
    if (!sameSlice(slice, old)) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    if (!semanticEqual(slice.endpoints, old.endpoints)) moveTopology(slice, old);
  },
  validateUpdate(slice, old, errors, context) {
    validateSlice(slice, old, errors, context);
    validateImmutable(slice.addressType, old.addressType, 'addressType', errors);
  },
  warnOnUpdate: addressWarnings,
};

function sameSlice({ metadata, ...slice }: EndpointSlice, { metadata: oldMetadata, ...old }: EndpointSlice): boolean {
  return semanticEqual(slice, old) && semanticEqual(metadata.labels ?? {}, oldMetadata.labels ?? {});
}

/** The topology of v1beta1 goes away, but for the name of the node. */
function moveTopology(slice: EndpointSlice, old: EndpointSlice): void {
  const label = 'kubernetes.io/hostname';
  const nodes = new Set((old.endpoints ?? []).map(({ deprecatedTopology }) => deprecatedTopology?.[label]));
  for (const endpoint of slice.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[label];
    if (node && endpoint.nodeName === undefined && nodes.has(node) && dns1123SubdomainProblems(node).length === 0) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

function validateSlice(slice: EndpointSlice, old: EndpointSlice | undefined, errors: FieldErrors, { gate }: StrategyContext): void {
  validateObjectMeta(slice.metadata, true, nameIsSubdomain, errors);
  validateChoice(slice.addressType, ['FQDN', 'IPv4', 'IPv6'], 'addressType', errors);
  validatePorts(slice.ports ?? [], 'ports', errors);
  if (old !== undefined && semanticEqual(slice.endpoints, old.endpoints)) return;
  const { endpoints = [], addressType } = slice;
  if (endpoints.length > maxEndpoints) return errors.tooMany('endpoints', endpoints.length, maxEndpoints);
  const strict = gate('StrictIPCIDRValidation');
  endpoints.forEach((endpoint, index) => validateEndpoint(endpoint, addressType, `endpoints[${index}]`, errors, strict));
}

function validatePorts(ports: readonly EndpointPort[], path: string, errors: FieldErrors): void {
  if (ports.length > maxPorts) return errors.tooMany(path, ports.length, maxPorts);
  const names = new Set<string>();
  const protocols = ['SCTP', 'TCP', 'UDP'];
  ports.forEach(({ name = '', protocol, appProtocol }, index) => {
    const at = `${path}[${index}]`;
    if (name !== '') errors.invalidEach(`${at}.name`, name, dns1123LabelProblems(name));
    if (names.has(name)) errors.duplicate(`${at}.name`, asJson(name));
    names.add(name);
    if (protocol === undefined) errors.required(`${at}.protocol`);
    else if (!protocols.includes(protocol)) errors.notSupported(`${at}.protocol`, protocol, protocols);
    if (appProtocol !== undefined) validateLabelKey(appProtocol, `${at}.appProtocol`, errors);
  });
}

function validateEndpoint(endpoint: Endpoint, type: string, path: string, errors: FieldErrors, strict: boolean): void {
  const { addresses = [], nodeName, deprecatedTopology, hostname, hints } = endpoint;
  if (addresses.length === 0) errors.required(`${path}.addresses`, 'must contain at least 1 address');
  else if (addresses.length > maxAddresses) errors.tooMany(`${path}.addresses`, addresses.length, maxAddresses);
  addresses.forEach((address, index) => validateAddress(address, { type, strict, list: `${path}.addresses` }, `${path}.addresses[${index}]`, errors));
  if (nodeName !== undefined) errors.invalidEach(`${path}.nodeName`, nodeName, dns1123SubdomainProblems(nodeName));
  const labels = Object.keys(deprecatedTopology ?? {}).length;
  if (labels > maxTopologyLabels) errors.tooMany(`${path}.deprecatedTopology`, labels, maxTopologyLabels);
  validateLabels(deprecatedTopology, `${path}.deprecatedTopology`, errors);
  if (hostname !== undefined) errors.invalidEach(`${path}.hostname`, hostname, dns1123LabelProblems(hostname));
  if (hints !== undefined) validateHints(hints, `${path}.hints`, errors);
}

interface AddressRules {
  readonly type: string;
  readonly strict: boolean;
  readonly list: string;
}

function validateAddress(address: string, { type, strict, list }: AddressRules, at: string, errors: FieldErrors): void {
  if (type === 'FQDN') return validateDomainName(address, at, errors);
  if (type !== 'IPv4' && type !== 'IPv6') return;
  const before = errors.list.length;
  if (type === 'IPv4') validateLegacyIp(address, at, errors, strict);
  else validateIp(address, at, errors);
  if (errors.list.length > before) return;
  // The original names the list here, not the address.
  if (`IPv${parseIpSloppy(address)?.family}` !== type) errors.invalid(list, address, `must be an ${type} address`);
  validateEndpointIp(address, at, errors);
}

/** At least two labels; a dot at the end is fine. */
function validateDomainName(address: string, path: string, errors: FieldErrors): void {
  if (address === '') return errors.required(path);
  const name = address.replace(/\.$/, '');
  const problems = dns1123SubdomainProblems(name);
  const labels = name.split('.');
  if (problems.length > 0) return errors.invalid(path, name, problems.join(','));
  if (labels.length < 2) return errors.invalid(path, name, 'should be a domain with at least two segments separated by dots');
  const bad = labels.find((label) => dns1123LabelProblems(label).length > 0);
  if (bad !== undefined) errors.invalid(path, bad, dns1123LabelProblems(bad).join(','));
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: string, errors: FieldErrors): void {
  const check = (hints: readonly { name: string }[], list: string, problems: (name: string) => readonly string[]): boolean => {
    const at = `${path}.${list}`;
    if (hints.length > maxHints) errors.tooMany(at, hints.length, maxHints);
    else
      hints.forEach(({ name }, index) => {
        if (hints.findIndex((hint) => hint.name === name) < index) errors.duplicate(`${at}[${index}].name`, name);
        errors.invalidEach(`${at}[${index}].name`, name, problems(name));
      });
    return hints.length <= maxHints;
  };
  if (check(forZones, 'forZones', labelValueProblems)) check(forNodes, 'forNodes', dns1123SubdomainProblems);
}

const ownControllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function addressWarnings({ metadata, endpoints = [] }: EndpointSlice): readonly string[] {
  if (ownControllers.includes(metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return [];
  return endpoints.flatMap(({ addresses = [] }, index) =>
    addresses.flatMap((address, number) => ipWarnings(address, `endpoints[${index}].addresses[${number}]`)),
  );
}

const shownItems = 3;

function firstFew(items: readonly string[]): string {
  const more = items.length > shownItems ? ` + ${items.length - shownItems} more...` : '';
  return `${items.slice(0, shownItems).join(',')}${more}` || '<unset>';
}

export const endpointSliceColumns: readonly Column<EndpointSlice>[] = [
  nameColumn(),
  { name: 'AddressType', type: 'string', read: ({ addressType }) => addressType },
  { name: 'Ports', type: 'string', read: ({ ports = [] }) => firstFew(ports.map(({ port, name }) => (port === undefined ? (name ?? '*') : String(port)))) },
  { name: 'Endpoints', type: 'string', read: ({ endpoints = [] }) => firstFew(endpoints.flatMap(({ addresses = [] }) => addresses)) },
  ageColumn(),
];
