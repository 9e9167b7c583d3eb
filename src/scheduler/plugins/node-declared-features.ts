import { type Plugin, rejecter } from '#scheduler/framework.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';
import { nodeHint } from '#scheduler/queue/hints.ts';

const name = 'NodeDeclaredFeatures';
const lacking = rejecter(name).final("node(s) didn't match Pod's required features");

/** Some fields of pods work only on nodes that declare the feature behind them. */
export function nodeDeclaredFeatures(): Plugin {
  return {
    name,
    isLocal: true,
    filter: ({ pod }) => {
      const features = featuresOf(pod);
      if (features.length === 0) return undefined;
      return { check: ({ node }) => (features.every((feature) => node?.status?.declaredFeatures?.includes(feature)) ? undefined : lacking) };
    },
    hints: [nodeHint(['Add', 'UpdateFeatures'])],
  };
}

function featuresOf({ spec }: StoredPod): readonly string[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const restartsAll = containers.some(({ restartPolicyRules = [] }) => restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'));
  const hasOwnUsersOnHost = spec.hostNetwork === true && spec.hostUsers === false;
  return [...(restartsAll ? ['RestartAllContainersOnContainerExits'] : []), ...(hasOwnUsersOnHost ? ['UserNamespacesHostNetworkSupport'] : [])];
}
