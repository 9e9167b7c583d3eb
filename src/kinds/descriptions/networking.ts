import type { GroupTexts } from '#kinds/descriptions/group-texts.ts';
import { specAndStatus } from '#kinds/descriptions/group-texts.ts';

const peers = 'Left out or empty: everywhere.';

export const networkingTexts: GroupTexts = {
  package: 'io.k8s.api.networking.v1',
  also: ['io.k8s.api.networking.v1beta1'],
  structs: {
    Ingress: { '': 'Rules by which HTTP requests from outside reach services.', ...specAndStatus },
    IngressSpec: {
      '': 'The rules.',
      ingressClassName: 'Ingress class, and so which controller is in charge.',
      defaultBackend: 'Where requests go that no rule matches.',
      tls: 'Certificates for hosts.',
      rules: 'Rules by host.',
    },
    IngressRule: {
      '': 'Rules for one host.',
      host: 'Host name; `*.` at its start stands for one label. Empty: all hosts.',
      http: 'Rules by path.',
    },
    HTTPIngressRuleValue: { '': 'Rules by path.', paths: 'The longest path that matches wins.' },
    HTTPIngressPath: {
      '': 'Where requests for a path go.',
      path: 'The path, beginning with `/`.',
      pathType: 'Exact, Prefix by elements, or ImplementationSpecific.',
      backend: 'Where they go.',
    },
    IngressBackend: { '': 'Where requests go; one of these.', service: 'A service.', resource: 'Another object in the namespace of the ingress.' },
    IngressServiceBackend: { '': 'A service and its port.', name: 'Name of the service.', port: 'Port of the service.' },
    ServiceBackendPort: { '': 'A port of a service; one of these.', name: 'Name of the port.', number: 'Number of the port.' },
    IngressTLS: { '': 'A certificate for hosts.', hosts: 'The hosts.', secretName: 'Secret with certificate and key.' },
    IngressStatus: { '': 'State of an ingress.', loadBalancer: 'Where it takes requests.' },
    IngressLoadBalancerStatus: { '': 'State of a load balancer.', ingress: 'Its addresses.' },
    IngressLoadBalancerIngress: { '': 'An address of a load balancer.', ip: 'Address.', hostname: 'Host name.', ports: 'State of its ports.' },
    IngressClass: { '': 'Names a controller for ingresses and its settings.', spec: 'The controller.' },
    IngressClassSpec: {
      '': 'Which controller is in charge.',
      controller: 'Name of the controller, such as `example.com/ingress`. It cannot be changed.',
      parameters: 'Object with settings for the controller.',
    },
    IngressClassParametersReference: {
      '': 'Points to the settings of a class.',
      apiGroup: 'Group of the object; left out for the core group.',
      kind: 'Kind of the object.',
      name: 'Name of the object.',
      scope: 'Cluster (the default) or Namespace.',
      namespace: 'Namespace of the object, for scope Namespace.',
    },
    NetworkPolicy: { '': 'Says which traffic some pods may have. Traffic that no policy for a pod allows is stopped.', spec: 'Which pods and which traffic.' },
    NetworkPolicySpec: {
      '': 'Which pods and which traffic.',
      podSelector: 'Pods that the policy is for; an empty selector is all pods of the namespace.',
      ingress: 'Incoming traffic that is allowed. Empty: none.',
      egress: 'Outgoing traffic that is allowed. Empty: none.',
      policyTypes: 'What the policy is about: Ingress, Egress or both. Default: Ingress, and Egress if there are such rules.',
    },
    NetworkPolicyIngressRule: { '': 'Incoming traffic that is allowed.', ports: `To which ports. ${peers}`, from: `Where from. ${peers}` },
    NetworkPolicyEgressRule: { '': 'Outgoing traffic that is allowed.', ports: `To which ports. ${peers}`, to: `Where to. ${peers}` },
    NetworkPolicyPeer: {
      '': 'The other side of the traffic.',
      podSelector: 'Pods, in the namespaces of namespaceSelector or else in that of the policy.',
      namespaceSelector: 'Namespaces; an empty selector is all.',
      ipBlock: 'A network; alone only.',
    },
    NetworkPolicyPort: {
      '': 'Ports of the traffic.',
      protocol: 'TCP (the default), UDP or SCTP.',
      port: 'Number or name. Left out: all.',
      endPort: 'Last port of a range that begins with port.',
    },
    IPBlock: { '': 'A network with exceptions.', cidr: 'The network.', except: 'Parts of it that do not count.' },
    IPAddress: { '': 'Stands for an address that is in use, so that it is not given away twice.', spec: 'Who uses it.' },
    IPAddressSpec: { '': 'Who uses an address.', parentRef: 'The object that uses it.' },
    ParentReference: {
      '': 'Points to an object.',
      group: 'Group of the object.',
      resource: 'Resource of the object.',
      namespace: 'Namespace of the object.',
      name: 'Name of the object.',
    },
    ServiceCIDR: { '': 'A range of addresses for services.', ...specAndStatus },
    ServiceCIDRSpec: { '': 'The ranges.', cidrs: 'Ranges, at most one per family. They cannot be changed.' },
    ServiceCIDRStatus: { '': 'State of a range.', conditions: 'Aspects such as Ready.' },
  },
};

export const discoveryTexts: GroupTexts = {
  package: 'io.k8s.api.discovery.v1',
  structs: {
    EndpointSlice: {
      '': 'A part of the addresses behind a service.',
      addressType: 'IPv4, IPv6 or FQDN. It cannot be changed.',
      endpoints: 'The addresses; at most 1000.',
      ports: 'Ports that all of them have.',
    },
    Endpoint: {
      '': 'Something behind a service, usually a pod.',
      addresses: 'Its addresses; only the first counts.',
      conditions: 'Whether it can be used.',
      hostname: 'Its host name.',
      targetRef: 'The object behind it.',
      deprecatedTopology: 'Outdated.',
      nodeName: 'Node it is on.',
      zone: 'Zone it is in.',
      hints: 'Who should use it.',
    },
    EndpointConditions: {
      '': 'Whether an endpoint can be used.',
      ready: 'It takes new traffic. Left out counts as true.',
      serving: 'Like ready, but may be true while it is ending.',
      terminating: 'It is ending.',
    },
    EndpointHints: { '': 'Who should use an endpoint.', forZones: 'Clients in these zones.', forNodes: 'Clients on these nodes.' },
    ForZone: { '': 'A zone.', name: 'Name of the zone.' },
    ForNode: { '': 'A node.', name: 'Name of the node.' },
    EndpointPort: {
      '': 'A port.',
      name: 'Name of the port of the service.',
      protocol: 'TCP (the default), UDP or SCTP.',
      port: 'Number.',
      appProtocol: 'Protocol inside, as a hint.',
    },
  },
};
