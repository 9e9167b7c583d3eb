import { type Plugin, rejecter } from '#scheduler/framework.ts';
import { clashes } from '#scheduler/cluster/host-ports.ts';
import { hadPlace, nodeHint, podHint } from '#scheduler/queue/hints.ts';

const name = 'NodePorts';
const taken = rejecter(name).resolvable("node(s) didn't have free ports for the requested pod ports");

export function nodePorts(): Plugin {
  return {
    name,
    isLocal: true,
    filter: ({ hostPorts }) => (hostPorts.length === 0 ? undefined : { check: (node) => (clashes(hostPorts, node.usedPorts()) ? taken : undefined) }),
    hints: [
      podHint(['Delete'], ({ hostPorts }, { before }) => before !== undefined && hadPlace(before) && clashes(hostPorts, before.hostPorts)),
      nodeHint(['Add']),
    ],
  };
}
