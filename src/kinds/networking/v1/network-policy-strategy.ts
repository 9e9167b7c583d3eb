import { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain, portNameProblems, portNumberProblems } from '#base/formats.ts';
import { type IpNetwork, parseCidrSloppy } from '#base/ip-address.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from '#kinds/networking/v1/network-policy.ts';
import { cidrWarnings, validateLegacyCidr } from '#kinds/rules/addresses.ts';
import { ageColumn, nameColumn, selectorCell } from '#kinds/rules/cells.ts';
import { countGenerationExactly, startGeneration } from '#kinds/rules/generation.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultNetworkPolicy({ spec }: NetworkPolicy): void {
  if (spec.policyTypes?.length) return;
  spec.policyTypes = ['Ingress', ...(spec.egress?.length ? ['Egress'] : [])];
}

export function defaultNetworkPolicyPort(port: NetworkPolicyPort): void {
  port.protocol ??= 'TCP';
}

export const networkPolicyStrategy: Strategy<NetworkPolicy> = {
  prepareForCreate: ({ metadata }) => startGeneration(metadata),
  validate({ metadata, spec }, errors, { gate }) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateSpec(spec, 'spec', errors, { anyValue: false, strict: gate('StrictIPCIDRValidation'), stored: [] });
  },
  warnOnCreate: policyWarnings,

  prepareForUpdate: (policy, old) => countGenerationExactly(policy, old, 'spec'),
  validateUpdate({ metadata, spec }, old, errors, { gate }) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    const stored = blocksOf(old.spec).flatMap(({ block }) => [block.cidr, ...(block.except ?? [])]);
    validateSpec(spec, 'spec', errors, { anyValue: hasBadSelector(old.spec), strict: gate('StrictIPCIDRValidation'), stored });
  },
  warnOnUpdate: policyWarnings,
};

interface PolicyRules {
  /** The stored selector is not valid. */
  readonly anyValue: boolean;
  readonly strict: boolean;
  /** Networks that are stored already. */
  readonly stored: readonly string[];
}

function hasBadSelector({ podSelector }: NetworkPolicySpec): boolean {
  const errors = new FieldErrors();
  validateLabelSelector(podSelector, '', errors);
  return !errors.empty;
}

function validateSpec(spec: NetworkPolicySpec, path: string, errors: FieldErrors, rules: PolicyRules): void {
  validateLabelSelector(spec.podSelector, `${path}.podSelector`, errors, rules);
  spec.ingress?.forEach(({ ports = [], from = [] }, index) => {
    const at = `${path}.ingress[${index}]`;
    ports.forEach((port, number) => validatePort(port, `${at}.ports[${number}]`, errors));
    from.forEach((peer, number) => validatePeer(peer, `${at}.from[${number}]`, errors, rules));
  });
  spec.egress?.forEach(({ ports = [], to = [] }, index) => {
    const at = `${path}.egress[${index}]`;
    ports.forEach((port, number) => validatePort(port, `${at}.ports[${number}]`, errors));
    to.forEach((peer, number) => validatePeer(peer, `${at}.to[${number}]`, errors, rules));
  });
  validatePolicyTypes(spec.policyTypes ?? [], `${path}.policyTypes`, errors);
}

function validatePolicyTypes(types: readonly string[], path: string, errors: FieldErrors): void {
  if (types.length > 2) return errors.invalid(path, types, 'may not specify more than two policyTypes');
  types.forEach((type, index) => {
    if (type !== 'Ingress' && type !== 'Egress') errors.notSupported(`${path}[${index}]`, type, ['Ingress', 'Egress']);
  });
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: string, errors: FieldErrors): void {
  const protocols = ['TCP', 'UDP', 'SCTP'];
  if (protocol !== undefined && !protocols.includes(protocol)) errors.notSupported(`${path}.protocol`, protocol, protocols);
  if (typeof port === 'number') validatePortRange(port, endPort, path, errors);
  else {
    if (endPort !== undefined)
      errors.invalid(`${path}.endPort`, endPort, `may not be specified when \`port\` is ${port === undefined ? 'not specified' : 'non-numeric'}`);
    if (port !== undefined) errors.invalidEach(`${path}.port`, port, portNameProblems(port));
  }
}

function validatePortRange(port: number, endPort: number | undefined, path: string, errors: FieldErrors): void {
  errors.invalidEach(`${path}.port`, port, portNumberProblems(port));
  if (endPort === undefined) return;
  if (endPort < port) errors.invalid(`${path}.endPort`, port, 'must be greater than or equal to `port`');
  errors.invalidEach(`${path}.endPort`, endPort, portNumberProblems(endPort));
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: string, errors: FieldErrors, rules: PolicyRules): void {
  validateLabelSelector(podSelector, `${path}.podSelector`, errors, rules);
  validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, errors, rules);
  if (ipBlock !== undefined) validateIpBlock(ipBlock, `${path}.ipBlock`, errors, rules);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && ipBlock === undefined) errors.required(path, 'must specify a peer');
  else if (selects && ipBlock !== undefined) errors.forbidden(path, 'may not specify both ipBlock and another peer');
}

function validateIpBlock({ cidr, except = [] }: IPBlock, path: string, errors: FieldErrors, { strict, stored }: PolicyRules): void {
  if (cidr === '') return errors.required(`${path}.cidr`);
  validateLegacyCidr(cidr, `${path}.cidr`, errors, strict, stored);
  const network = parseCidrSloppy(cidr);
  if (network === undefined) return;
  errors.each(except, (text, index, found) => {
    const at = `${path}.except[${index}]`;
    validateLegacyCidr(text, at, found, strict, stored);
    const part = parseCidrSloppy(text);
    if (part !== undefined && !isStrictlyInside(part, network)) found.invalid(at, text, 'must be a strict subset of `cidr`');
  });
}

function isStrictlyInside(part: IpNetwork, network: IpNetwork): boolean {
  const { base } = part;
  if (base.family !== network.base.family || writtenPrefix(network) >= writtenPrefix(part)) return false;
  const host = BigInt((base.family === 4 ? 32 : 128) - Math.max(network.prefix, 0));
  return base.value >> host === network.base.value >> host;
}

/** Of an IPv4 network in IPv6 notation, the length in that notation: upstream compares those. */
function writtenPrefix({ address, prefix }: IpNetwork): number {
  return address.mapped ? prefix + 96 : prefix;
}

function blocksOf({ ingress = [], egress = [] }: NetworkPolicySpec): readonly { path: string; block: IPBlock }[] {
  const list = (peers: readonly NetworkPolicyPeer[] | undefined, path: string) =>
    (peers ?? []).flatMap(({ ipBlock }, index) => (ipBlock === undefined ? [] : [{ path: `${path}[${index}].ipBlock`, block: ipBlock }]));
  return [
    ...ingress.flatMap(({ from }, index) => list(from, `spec.ingress[${index}].from`)),
    ...egress.flatMap(({ to }, index) => list(to, `spec.egress[${index}].to`)),
  ];
}

function policyWarnings({ spec }: NetworkPolicy): readonly string[] {
  return blocksOf(spec).flatMap(({ path, block }) => [
    ...cidrWarnings(block.cidr, `${path}.cidr`),
    ...(block.except ?? []).flatMap((cidr, index) => cidrWarnings(cidr, `${path}.except[${index}]`)),
  ]);
}

export const networkPolicyColumns: readonly Column<NetworkPolicy>[] = [
  nameColumn(),
  { name: 'Pod-Selector', type: 'string', read: ({ spec }) => selectorCell(spec.podSelector) },
  ageColumn(),
];
