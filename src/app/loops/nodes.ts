// Nodes that this server plays itself, each as the user that its kubelet would be, and Stages where their definition is installed.
import { parseApiVersion } from '#api/names.ts';
import { AUTHENTICATED, MASTERS, type User } from '#api/user.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { nextTurn } from '#base/next-turn.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

/** It does what Stages say, whatever that is: whoever may write Stages is trusted with everything. */
const stagePlayer: User = { name: 'binnacle:stages', groups: [AUTHENTICATED, MASTERS] };

/** Resolves when nodes are played, which ends with the server's signal. Loaded only where there are nodes to play. */
export async function beginNodes({ options, reads, own, signal }: ListeningServer): Promise<{ readonly run: Promise<unknown> }> {
  if (options.nodes === 0) return { run: Promise.resolve() };
  // Clients of a server that has just become ready come first.
  await nextTurn();
  const { playNodes } = await import('#nodes/play-nodes.ts');
  const { log, timers, clock, sources, catalog } = reads;
  const parts = { log, timers, clock, sources };
  const clientOf = (name: string) => own.as(nodeUser(name), 'kubelet');
  const kubeletVersion = kubernetesVersion.gitVersion;
  const givesPodCidrs = options.flags.text('cluster-cidr') === '';
  const resourceOf = async (apiVersion: string, kind: string) => {
    const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
    const found = catalog.byKind(group, version, kind);
    return found && { group, version, resource: found.plural, namespaced: found.namespaced };
  };
  const startStages = async () => {
    const [{ playStages }, { compileStageExpression: compile }] = await Promise.all([
      import('#nodes/stages/play-stages.ts'),
      import('#app/loops/stage-expressions.ts'),
    ]);
    await playStages({ ...parts, random: Math.random, client: own.as(stagePlayer, 'binnacle-stages'), compile, resourceOf }, signal);
  };
  const nodes = playNodes({ ...parts, clientOf, nodes: options.nodes, kubeletVersion, givesPodCidrs }, signal);
  return { run: Promise.all([nodes, onceServed(reads, signal, startStages)]) };
}

/** Most servers have no Stages: what plays them is loaded with their definition. */
async function onceServed({ catalog }: ListeningServer['reads'], signal: AbortSignal, start: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!signal.aborted && catalog.versionsOf('nodes.binnacle.dev', 'stages').length === 0) return;
      stop();
      resolve();
    };
    const stop = catalog.onChange(look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });
  if (!signal.aborted) await start();
}

function nodeUser(name: string): User {
  return { name, groups: ['system:nodes', AUTHENTICATED] };
}
