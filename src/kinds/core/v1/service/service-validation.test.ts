import { describe, expect, test } from 'vitest';
import { services } from '#kinds/core/v1/service/service-resource.ts';
import { notCidr, notIp, notKey, notLabel, notLabelValue, notPort, notSubdomain } from '../../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'web' },
  spec: {
    ports: [
      { name: 'http', port: 80, targetPort: 'web', appProtocol: 'example.com/x' },
      { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
    ],
    selector: { app: 'web' },
    externalIPs: ['192.0.2.1'],
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    internalTrafficPolicy: 'Local',
    trafficDistribution: 'PreferSameZone',
    publishNotReadyAddresses: true,
  },
};
const balancer = {
  metadata: { name: 'web' },
  spec: {
    type: 'LoadBalancer',
    ports: [{ port: 80, nodePort: 30_080 }],
    clusterIP: '10.96.0.9',
    clusterIPs: ['10.96.0.9'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    loadBalancerClass: 'example.com/lb',
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30_090,
  },
};
const elsewhere = { metadata: { name: 'web' }, spec: { type: 'ExternalName', externalName: 'example.com.' } };
const only = "Forbidden: may only be used when `type` is 'LoadBalancer'";
const port = 'spec.ports[0]';
const timeout = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';

describeRefusals('services', services, valid, [
  ['a name that is none', { 'metadata.name': 'A' }, `metadata.name: ${notLabel('A')}`],
  [
    'topology annotations that disagree',
    { 'metadata.annotations': { 'service.kubernetes.io/topology-aware-hints': 'a', 'service.kubernetes.io/topology-mode': 'b' } },
    'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "b": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
  ],
  [
    'an unknown type',
    { 'spec.type': 'Magic', 'spec.externalIPs': [] },
    'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  ['no ports', { 'spec.ports': [] }, 'spec.ports: Required value'],
  ['one of several ports without name', { 'spec.ports.0.name': '' }, `${port}.name: Required value`],
  ['a port name that is none', { 'spec.ports.0.name': 'A' }, `${port}.name: ${notLabel('A')}`],
  ['a port name twice', { 'spec.ports.1.name': 'http' }, 'spec.ports[1].name: Duplicate value: "http"'],
  ['a port that is none', { 'spec.ports.0.port': 0 }, `${port}.port: Invalid value: 0: ${notPort}`],
  ['an unknown protocol', { 'spec.ports.0.protocol': 'X' }, `${port}.protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"`],
  ['a target that is no port', { 'spec.ports.0.targetPort': 70_000 }, `${port}.targetPort: Invalid value: 70000: ${notPort}`],
  ['an application protocol that is no name', { 'spec.ports.0.appProtocol': 'a b' }, `${port}.appProtocol: ${notKey('a b')}`],
  ['a node port inside of the cluster', { 'spec.ports.0.nodePort': 30_001 }, `${port}.nodePort: Forbidden: may not be used when \`type\` is 'ClusterIP'`],
  [
    'a port twice',
    { 'spec.ports.1': { name: 'b', port: 80 } },
    'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
  ],
  ['a selector that is no label', { 'spec.selector.app': 'a b' }, `spec.selector: ${notLabelValue('a b')}`],
  ['an unknown affinity', { 'spec.sessionAffinity': 'Any' }, 'spec.sessionAffinity: Unsupported value: "Any": supported values: "ClientIP", "None"'],
  ['no time', { [timeout]: 0 }, `${timeout}: Invalid value: 0: must be greater than 0 and less than 86400`],
  ['an external address that is none', { 'spec.externalIPs': ['x'] }, `spec.externalIPs[0]: ${notIp('x')}`],
  [
    'an external address that is ours',
    { 'spec.externalIPs': ['127.0.0.1'] },
    'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  ['source ranges without balancer', { 'spec.loadBalancerSourceRanges': ['10.0.0.0/8'] }, `spec.LoadBalancerSourceRanges: ${only}`],
  [
    'source ranges in an annotation without balancer',
    { 'metadata.annotations': { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8,x' } },
    `metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: ${only}`,
    `metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: ${notCidr('x')}`,
  ],
  ['node ports of a balancer without balancer', { 'spec.allocateLoadBalancerNodePorts': true }, `spec.allocateLoadBalancerNodePorts: ${only}`],
  ['a class of balancers without balancer', { 'spec.loadBalancerClass': 'a' }, `spec.loadBalancerClass: ${only}`],
  [
    'a health check port without balancer',
    { 'spec.healthCheckNodePort': 30_001 },
    "spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
  ],
  [
    'a policy for traffic that does not come',
    { 'spec.externalIPs': [], 'spec.externalTrafficPolicy': 'Local' },
    'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
  ],
  [
    'an unknown external policy',
    { 'spec.externalTrafficPolicy': 'Near' },
    'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
  ],
  [
    'an unknown internal policy',
    { 'spec.internalTrafficPolicy': 'Near' },
    'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
  ],
  [
    'an unknown distribution',
    { 'spec.trafficDistribution': 'Even' },
    'spec.trafficDistribution: Unsupported value: "Even": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
  ],
  [
    'none and an address',
    { 'spec.clusterIP': 'None', 'spec.clusterIPs': ['None', '10.96.0.9'] },
    'spec.clusterIPs: Invalid value: ["None","10.96.0.9"]: \'None\' must be the first and only value',
  ],
]);

const allocated = { notAsked: 'the allocators speak first' };

describeRefusals('balancers', services, balancer, [
  [
    'no address',
    { 'spec.clusterIP': 'None', 'spec.clusterIPs': ['None'] },
    'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services',
  ],
  ['a class that is no name', { 'spec.loadBalancerClass': 'a b' }, `spec.loadBalancerClass: ${notKey('a b')}`],
  ['a source range that is none', { 'spec.loadBalancerSourceRanges': ['x'] }, `spec.LoadBalancerSourceRanges[0]: ${notCidr('x')}`],
  [
    'source ranges in an annotation that are none',
    { 'spec.loadBalancerSourceRanges': [], 'metadata.annotations': { 'service.beta.kubernetes.io/load-balancer-source-ranges': 'x' } },
    `metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: ${notCidr('x')}`,
  ],
  ['a single address beside the list', { 'spec.clusterIP': '10.96.0.8' }, 'spec.clusterIPs: Invalid value: ["10.96.0.9"]: first value must match `clusterIP`'],
  [
    'a list without the single address',
    { 'spec.clusterIP': '' },
    'spec.clusterIPs: Invalid value: ["10.96.0.9"]: must be empty when `clusterIP` is not specified',
  ],
  ['a family twice', { 'spec.ipFamilies': ['IPv4', 'IPv4'] }, 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
  ['an unknown family', { 'spec.ipFamilies': ['IPv5'] }, 'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"'],
  [
    'an unknown policy',
    { 'spec.ipFamilyPolicy': 'Both' },
    'spec.ipFamilyPolicy: Unsupported value: "Both": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
  ],
  [
    'an address of another family',
    { 'spec.ipFamilies': ['IPv6'] },
    'spec.clusterIPs[0]: Invalid value: "10.96.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`',
  ],
  [
    'two addresses of a family',
    { 'spec.clusterIPs': ['10.96.0.9', '10.96.0.8'] },
    'spec.clusterIPs: Invalid value: ["10.96.0.9","10.96.0.8"]: may specify no more than one IP for each IP family',
  ],
  [
    'three addresses',
    { 'spec.clusterIPs': ['10.96.0.9', 'fd00::1', '10.96.0.8'] },
    'spec.clusterIPs: Invalid value: ["10.96.0.9","fd00::1","10.96.0.8"]: may only hold up to 2 values',
  ],
  ['an address and none', { 'spec.clusterIPs': ['10.96.0.9', 'None'] }, `spec.clusterIPs[1]: ${notIp('None')}`],
  ['an address that is none', { 'spec.clusterIP': 'x', 'spec.clusterIPs': ['x'] }, `spec.clusterIPs[0]: ${notIp('x')}`],
]);

describeRefusals(
  'balancers with ports',
  services,
  balancer,
  [
    ['no health check port', { 'spec.healthCheckNodePort': 0 }, 'spec.healthCheckNodePort: Required value'],
    [
      'a health check port that is none',
      { 'spec.healthCheckNodePort': 70_000 },
      'spec.healthCheckNodePort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      'a node port twice',
      {
        'spec.ports': [
          { name: 'a', port: 1, nodePort: 30_001 },
          { name: 'b', port: 2, nodePort: 30_001 },
        ],
      },
      'spec.ports[1].nodePort: Duplicate value: 30001',
    ],
  ],
  allocated,
);

describeRefusals('services elsewhere', services, elsewhere, [
  ['no name', { 'spec.externalName': '' }, 'spec.externalName: Required value'],
  ['a name that is none', { 'spec.externalName': 'A' }, `spec.externalName: ${notSubdomain('A')}`],
  ['an address', { 'spec.clusterIP': '10.96.0.9', 'spec.clusterIPs': ['10.96.0.9'] }, 'spec.clusterIPs: Forbidden: may not be set for ExternalName services'],
  ['families', { 'spec.ipFamilies': ['IPv4'] }, 'spec.ipFamilies: Forbidden: may not be set for ExternalName services'],
  ['a policy for families', { 'spec.ipFamilyPolicy': 'SingleStack' }, 'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services'],
]);

describe('services', () => {
  const context = contextWith();

  test('are defaulted', () => {
    const { spec } = prepared(services, { metadata: { name: 'a' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }, context) as never as {
      spec: object;
    };
    expect(spec).toEqual({
      type: 'LoadBalancer',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      sessionAffinity: 'None',
      externalTrafficPolicy: 'Cluster',
      internalTrafficPolicy: 'Cluster',
      allocateLoadBalancerNodePorts: true,
    });
  });
});

describeUpdateRefusals('updates of services', services, { ...balancer, status: { loadBalancer: {} } }, [
  [
    'another address',
    { 'spec.clusterIP': '10.96.0.8', 'spec.clusterIPs': ['10.96.0.8'] },
    'spec.clusterIPs[0]: Invalid value: ["10.96.0.8"]: may not change once set',
  ],
  ['another class', { 'spec.loadBalancerClass': 'b' }, 'spec.loadBalancerClass: Invalid value: "b": may not change once set'],
  ['another health check port', { 'spec.healthCheckNodePort': 30_091 }, 'spec.healthCheckNodePort: Forbidden: field is immutable'],
]);

describeUpdateRefusals(
  'statuses of services',
  services,
  { ...balancer, status: { loadBalancer: {} } },
  [
    ['an address that is none', { 'status.loadBalancer.ingress': [{ ip: 'x' }] }, `status.loadBalancer.ingress[0].ip: ${notIp('x')}`],
    [
      'an unknown mode',
      { 'status.loadBalancer.ingress': [{ ip: '1.2.3.4', ipMode: 'Odd' }] },
      'status.loadBalancer.ingress[0].ipMode: Unsupported value: "Odd": supported values: "Proxy", "VIP"',
    ],
    [
      'a mode without address',
      { 'status.loadBalancer.ingress': [{ hostname: 'a', ipMode: 'VIP' }] },
      'status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set',
    ],
    [
      'an address as host name',
      { 'status.loadBalancer.ingress': [{ hostname: '1.2.3.4' }] },
      'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
    ['a host name that is none', { 'status.loadBalancer.ingress': [{ hostname: 'A' }] }, `status.loadBalancer.ingress[0].hostname: ${notSubdomain('A')}`],
  ],
  'status',
);

describe('a service that changes its type', () => {
  const context = contextWith();
  const old = { ...prepared(services, balancer, context), status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } } };
  const turned = (type: string, changes: Record<string, unknown> = {}) => {
    const service = changed(old, { 'spec.type': type, ...changes });
    services.strategy.prepareForUpdate?.(service, old, context);
    return service as never as { spec: Record<string, unknown>; status: object };
  };

  test('drops what belonged to the former one', () => {
    const { spec, status } = turned('ClusterIP');
    for (const field of ['loadBalancerClass', 'allocateLoadBalancerNodePorts', 'healthCheckNodePort', 'externalTrafficPolicy'])
      expect(spec).not.toHaveProperty(field);
    expect(spec['ports']).toEqual([{ port: 80, protocol: 'TCP', targetPort: 80 }]);
    expect(status).toEqual({ loadBalancer: {} });
  });

  test('keeps what the client has changed along with it, to be refused', () => {
    expect(turned('ClusterIP', { 'spec.loadBalancerClass': 'other' }).spec).toMatchObject({ loadBalancerClass: 'other' });
  });

  test('loses its address when it is elsewhere', () => {
    const { spec } = turned('ExternalName', { 'spec.externalName': 'a.b' });
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) expect(spec).not.toHaveProperty(field);
  });
});

const both = {
  metadata: { name: 'web' },
  spec: {
    ports: [{ port: 80 }],
    clusterIP: '10.96.0.9',
    clusterIPs: ['10.96.0.9', 'fd00::9'],
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
  },
};

describeUpdateRefusals(
  'updates of services of two families',
  services,
  both,
  [
    [
      'another first address',
      { 'spec.clusterIP': '10.96.0.8', 'spec.clusterIPs': ['10.96.0.8', 'fd00::9'] },
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.8","fd00::9"]: may not change once set',
    ],
    [
      'another second address',
      { 'spec.clusterIPs': ['10.96.0.9', 'fd00::8'] },
      'spec.clusterIPs[1]: Invalid value: ["10.96.0.9","fd00::8"]: may not change once set',
    ],
    [
      'the first address less',
      { 'spec.clusterIP': 'fd00::9', 'spec.clusterIPs': ['fd00::9'], 'spec.ipFamilies': ['IPv6'], 'spec.ipFamilyPolicy': 'SingleStack' },
      'spec.clusterIPs[0]: Invalid value: ["fd00::9"]: may not change once set',
      'spec.ipFamilies[0]: Invalid value: ["fd00::9"]: may not change once set',
    ],
    [
      'the second address less while both are required',
      { 'spec.clusterIPs': ['10.96.0.9'] },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be set to \'SingleStack\' when releasing the secondary clusterIP',
    ],
    [
      'the second family less while both are required',
      { 'spec.ipFamilies': ['IPv4'] },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be set to \'SingleStack\' when releasing the secondary ipFamily',
    ],
    [
      'families the other way round',
      { 'spec.ipFamilies': ['IPv6', 'IPv4'] },
      'spec.clusterIPs[0]: Invalid value: "10.96.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`',
      'spec.clusterIPs[1]: Invalid value: "fd00::9": expected an IPv4 value as indicated by `ipFamilies[1]`',
      'spec.ipFamilies[0]: Invalid value: ["IPv6","IPv4"]: may not change once set',
    ],
  ],
  '',
  { notAsked: 'the allocators speak first, in other words' },
);

describeUpdateRefusals(
  'statuses of services inside',
  services,
  { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } },
  [
    [
      'an address outside',
      { 'status.loadBalancer': { ingress: [{ ip: '1.2.3.4' }] } },
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ],
  ],
  'status',
);
