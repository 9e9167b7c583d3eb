import { networkpolicies } from '#kinds/networking/v1/network-policy-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const networkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'one' },
  spec: {
    podSelector: { matchLabels: { app: 'web' } },
    ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ protocol: 'TCP', port: 80 }] }],
    egress: [{ to: [{ podSelector: {} }], ports: [{ protocol: 'UDP', port: 'dns' }] }],
    policyTypes: ['Ingress', 'Egress'],
  },
};

describeRefusals('network policies in both directions', networkpolicies, networkPolicy, [
  [
    'a selector with an unknown operator',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    'spec.podSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
  ],
  [
    'a selector with an odd label',
    { 'spec.podSelector': { matchLabels: { a: '-' } } },
    "spec.podSelector.matchLabels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'unknown protocols',
    { 'spec.ingress.0.ports.0.protocol': 'ICMP', 'spec.egress.0.ports.0.protocol': 'ICMP' },
    'spec.egress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
    'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
  ],
  [
    'ports that are none',
    { 'spec.ingress.0.ports.0.port': 0, 'spec.egress.0.ports.0.port': 'DNS_' },
    'spec.egress[0].ports[0].port: Invalid value: "DNS_": must contain at least one letter (a-z)',
    'spec.egress[0].ports[0].port: Invalid value: "DNS_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
  ],
  [
    'no peers',
    { 'spec.ingress.0.from': [{}], 'spec.egress.0.to': [{}] },
    'spec.egress[0].to[0]: Required value: must specify a peer',
    'spec.ingress[0].from[0]: Required value: must specify a peer',
  ],
  [
    'a block beside other peers',
    { 'spec.ingress.0.from.0.podSelector': {}, 'spec.egress.0.to': [{ ipBlock: { cidr: '10.0.0.0/8' }, namespaceSelector: {} }] },
    'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
    'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
  ],
  [
    'more types than there are',
    { 'spec.policyTypes': ['Ingress', 'Egress', 'Ingress'] },
    'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
  ],
  ['an unknown type', { 'spec.policyTypes': ['Sideways'] }, 'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
]);
