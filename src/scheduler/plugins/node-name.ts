import { type Plugin, rejecter } from '#scheduler/framework.ts';
import { nodeHint } from '#scheduler/queue/hints.ts';

const name = 'NodeName';
const another = rejecter(name).final("node(s) didn't match the requested node name");

export function nodeName(): Plugin {
  return {
    name,
    isLocal: true,
    filter: (pod) => (pod.nodeName === '' ? undefined : { check: (node) => (node.name === pod.nodeName ? undefined : another) }),
    hints: [nodeHint(['Add'])],
  };
}
