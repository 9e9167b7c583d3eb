// What this server understands beyond the flags of kube-apiserver.
import type { FlagDefinition } from '#app/flags/flags.ts';

export const binnacleFlags: readonly FlagDefinition[] = [
  {
    name: 'data-dir',
    type: 'string',
    default: '',
    section: 'binnacle',
    help: 'Where objects, certificates and the kubeconfig of the administrator are kept. Default: ~/.binnacle',
  },
  { name: 'memory', type: 'bool', default: false, section: 'binnacle', help: 'Keep objects in memory only; certificates stay in the data directory.' },
  {
    name: 'controllers',
    type: 'strings',
    default: ['*'],
    section: 'binnacle',
    help: "Which controllers of kube-controller-manager run, by its names: '*' all that are on by default, 'name' this one, '-name' not this one; empty: none.",
  },
  {
    name: 'nodes',
    type: 'int',
    default: 1,
    section: 'binnacle',
    help: 'How many nodes are played, so that pods become ready although nothing runs: node-0, node-1 … 0: none.',
  },
  {
    name: 'insecure-port',
    type: 'int',
    default: 0,
    section: 'binnacle',
    help: 'Also serve plain HTTP/1.1 on this port of the loopback addresses, where whoever asks without a credential is the administrator. 0: off.',
  },
  { name: 'help-all', type: 'bool', default: false, section: 'binnacle', help: 'Show every flag, also those of kube-apiserver.' },
];
