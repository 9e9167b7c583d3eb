// Nodes that this server plays itself, each as the user that its kubelet would be.
import { AUTHENTICATED, type User } from '#api/user.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

/** Resolves when the server's signal has aborted. Loaded only where there are nodes to play. */
export async function runNodes({ options, reads, own, signal }: ListeningServer): Promise<void> {
  if (options.nodes === 0) return;
  const { playNodes } = await import('#nodes/play-nodes.ts');
  const { log, timers, clock, sources } = reads;
  const clientOf = (name: string) => own.as(nodeUser(name), 'kubelet');
  const kubeletVersion = kubernetesVersion.gitVersion;
  await playNodes(
    { log, timers, clock, sources, clientOf, nodes: options.nodes, kubeletVersion, givesPodCidrs: options.flags.text('cluster-cidr') === '' },
    signal,
  );
}

function nodeUser(name: string): User {
  return { name, groups: ['system:nodes', AUTHENTICATED] };
}
