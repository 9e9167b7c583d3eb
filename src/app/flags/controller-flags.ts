// Flags of kube-controller-manager for controllers that run here, with its names and defaults.
import type { FlagDefinition } from '#app/flags/flags.ts';

const section = 'controllers';

export const controllerFlags: readonly FlagDefinition[] = [
  duration('node-monitor-period', '5s', 'How often all nodes are looked at.'),
  duration('node-monitor-grace-period', '50s', 'How long a node may be silent before it is not ready.'),
  duration('node-startup-grace-period', '1m0s', 'How long a new node may be silent before it is not ready.'),
  number('node-eviction-rate', 0.1, 'How many nodes a second are given up in a zone that is well.'),
  number('secondary-node-eviction-rate', 0.01, 'How many nodes a second are given up in a large zone that is not well.'),
  whole('large-cluster-size-threshold', 50, 'Zones with more nodes than this are large; smaller ones are left alone while they are not well.'),
  number('unhealthy-zone-threshold', 0.55, 'The share of silent nodes from which a zone is not well.'),
  whole('terminated-pod-gc-threshold', 12_500, 'How many pods that have ended may stay. 0: all.'),
  {
    name: 'leader-elect',
    type: 'bool',
    default: false,
    section,
    help: 'Run controllers and scheduler only while this server holds the Leases of kube-controller-manager and kube-scheduler. Default: where objects are in an etcd.',
  },
  duration('horizontal-pod-autoscaler-sync-period', '15s', 'How often the metrics of autoscalers are looked at.'),
  text(
    'cluster-signing-cert-file',
    'The authority that signs approved signing requests. Default: that of the data directory, where it is the authority of clients.',
  ),
  text('cluster-signing-key-file', 'Its key.'),
  text('cluster-cidr', 'The networks of which nodes get one for their pods: one, or one of each family. Empty: nodes get none.'),
  whole('node-cidr-mask-size', 0, 'The size of the network of a node where all are of one family. Default: 24 for IPv4, 64 for IPv6.'),
  whole('node-cidr-mask-size-ipv4', 0, 'The same for IPv4 beside IPv6. Default: 24.'),
  whole('node-cidr-mask-size-ipv6', 0, 'The same for IPv6 beside IPv4. Default: 64.'),
];

function duration(name: string, otherwise: string, help: string): FlagDefinition {
  return { name, type: 'duration', default: otherwise, section, help };
}

function whole(name: string, otherwise: number, help: string): FlagDefinition {
  return { name, type: 'int', default: otherwise, section, help };
}

function number(name: string, otherwise: number, help: string): FlagDefinition {
  return { name, type: 'float', default: otherwise, section, help };
}

function text(name: string, help: string): FlagDefinition {
  return { name, type: 'string', default: '', section, help };
}
