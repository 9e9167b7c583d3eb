import { describe, expect, test } from 'vitest';
import { networkpolicies } from '#kinds/networking/v1/network-policy-resource.ts';
import { notCidr, notPort } from '../../../../test/support/format-texts.ts';
import { contextWith, describeRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'one' },
  spec: {
    podSelector: { matchLabels: { app: 'web' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        ports: [{ protocol: 'TCP', port: 80, endPort: 90 }, { port: 'http' }],
        from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }, { podSelector: {}, namespaceSelector: {} }],
      },
    ],
    egress: [{ to: [{ ipBlock: { cidr: 'fd00::/8' } }], ports: [{ protocol: 'UDP', port: 53 }] }],
  },
};
const ports = 'spec.ingress[0].ports[0]';
const port = 'spec.ingress.0.ports.0';
const block = 'spec.ingress[0].from[0].ipBlock';

describeRefusals('network policies', networkpolicies, valid, [
  [
    'a selector with an unknown operator',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
    'spec.podSelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
  ],
  ['an unknown protocol', { [`${port}.protocol`]: 'ICMP' }, `${ports}.protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"`],
  ['a port that is none', { [`${port}.port`]: 0 }, `${ports}.port: Invalid value: 0: ${notPort}`],
  ['a range that ends before it begins', { [`${port}.endPort`]: 79 }, `${ports}.endPort: Invalid value: 80: must be greater than or equal to \`port\``],
  ['a range of a named port', { [`${port}.port`]: 'http' }, `${ports}.endPort: Invalid value: 90: may not be specified when \`port\` is non-numeric`],
  ['a range without port', { [`${port}.port`]: undefined }, `${ports}.endPort: Invalid value: 90: may not be specified when \`port\` is not specified`],
  ['nobody as peer', { 'spec.ingress.0.from.0': {} }, 'spec.ingress[0].from[0]: Required value: must specify a peer'],
  [
    'a network and somebody else as peer',
    { 'spec.ingress.0.from.0.podSelector': {} },
    'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
  ],
  ['no network', { 'spec.ingress.0.from.0.ipBlock': { cidr: '' } }, `${block}.cidr: Required value`],
  ['a network that is none', { 'spec.ingress.0.from.0.ipBlock': { cidr: '10.0.0.0' } }, `${block}.cidr: ${notCidr('10.0.0.0')}`],
  [
    'a network with bits of a host',
    { 'spec.ingress.0.from.0.ipBlock': { cidr: '10.0.0.1/8' } },
    `${block}.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
  ],
  [
    'an exception outside of the network',
    { 'spec.ingress.0.from.0.ipBlock.except': ['11.0.0.0/16'] },
    `${block}.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
  ],
  [
    'three types',
    { 'spec.policyTypes': ['Ingress', 'Egress', 'Ingress'] },
    'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
  ],
  ['an unknown type', { 'spec.policyTypes': ['Sideways'] }, 'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
]);

describe('network policies', () => {
  test('are about what they have rules for, and always about ingress', () => {
    const typesOf = (spec: object) => prepared(networkpolicies, { metadata: { name: 'a' }, spec: { podSelector: {}, ...spec } }, contextWith())['spec'];
    expect(typesOf({})).toMatchObject({ policyTypes: ['Ingress'] });
    expect(typesOf({ egress: [{}] })).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
  });

  test('warn about odd spellings of networks', () => {
    const context = contextWith();
    const policy = prepared(
      networkpolicies,
      { metadata: { name: 'a' }, spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: 'FD00::/8' } }] }] } },
      context,
    );
    expect(networkpolicies.strategy.warnOnCreate?.(policy, context)).toEqual([
      'spec.ingress[0].from[0].ipBlock.cidr: IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")',
    ]);
  });
});
