// `binnacle nodes`: nodes that play, on any server of Kubernetes, until the command is told to stop. `binnacle stages`: the definition of Stages.
import { environmentOfUser } from '#base/outgoing/authorities.ts';
import type { GroupResource } from '#api/names.ts';
import { adminKubeconfig } from '#app/command/kubeconfig-command.ts';
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import { compileStageExpression } from '#app/loops/stage-expressions.ts';
import { systemClock } from '#base/clock.ts';
import { makeLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { documentOf } from '#cli/state/state-file.ts';
import type { ResourceAddress } from '#client/address.ts';
import { configOf } from '#client/client-config.ts';
import { connect } from '#client/connect.ts';
import { informerSources } from '#client/informer-source.ts';
import { withImpersonation } from '#client/interceptors.ts';
import { kinds } from '#client/kinds.ts';
import { readKubeconfig } from '#client/kubeconfig.ts';
import { RestClient } from '#client/rest-client.ts';
import { NoMatch, RestMapper } from '#client/rest-mapper.ts';
import { playNodes } from '#nodes/play-nodes.ts';
import { playStages, stages } from '#nodes/stages/play-stages.ts';
import { stageDefinition } from '#nodes/stages/stage-definition.ts';

export function stagesCommand(): void {
  process.stdout.write(documentOf(stageDefinition as unknown as Parameters<typeof documentOf>[0]));
}

/** Nodes are who they are by impersonation: the user of the kubeconfig must be allowed to. */
export async function nodesCommand(flags: FlagValues): Promise<void> {
  const nodes = flags.number('nodes');
  if (nodes < 0) throw new FlagError(`--nodes ${nodes} must not be negative`);
  const file = flags.text('kubeconfig') || adminKubeconfig(flags);
  const kubeconfig = readKubeconfig({ file, env: process.env, homeDir: '' });
  await using server = connect(configOf(kubeconfig, { env: environmentOfUser(process.env), clock: systemClock }), { userAgent: 'binnacle-nodes' });
  const { gitVersion } = await server.client.request<{ gitVersion: string }>({ method: 'GET', path: '/version' });
  const stopped = stopOnSignals();
  const log = makeLog({ format: 'text', level: () => 'info', write: (line) => process.stderr.write(line), now: () => systemClock.now() });
  const addresses = new Map<string, ResourceAddress>([kinds.nodes, kinds.pods, stages].map((address) => [nameOf(address), address]));
  const addressOf = (resource: GroupResource) => addresses.get(nameOf(resource)) ?? { ...resource, version: 'v1', namespaced: true };
  const timers = systemTimers;
  const sources = informerSources({ client: server.client, addressOf, signal: stopped, random: Math.random, timers, log });
  const parts = { log, timers, clock: systemClock, sources };
  const clientOf = (user: string) => new RestClient(withImpersonation(server.transport, { user, groups: ['system:nodes'] }), 'kubelet');
  const mapper = new RestMapper(server.client);
  const resourceOf = async (apiVersion: string, kind: string) => {
    const found = await mapper.forKind(apiVersion, kind).catch((error: unknown) => {
      if (error instanceof NoMatch) return undefined;
      throw error;
    });
    if (found) addresses.set(nameOf(found), found);
    return found;
  };
  process.stderr.write(`binnacle plays ${nodes} nodes on ${gitVersion}: pods become ready, nothing runs\n`);
  await Promise.all([
    playNodes({ ...parts, clientOf, nodes, kubeletVersion: gitVersion, givesPodCidrs: false }, stopped),
    playStages({ ...parts, random: Math.random, client: server.client, compile: compileStageExpression, resourceOf }, stopped),
    untilAborted(stopped),
  ]);
}

function nameOf({ group, resource }: GroupResource): string {
  return `${resource}.${group}`;
}

function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  const end = () => (stop.signal.aborted ? process.exit(1) : stop.abort());
  process.on('SIGTERM', end).on('SIGINT', end);
  return stop.signal;
}

/** Timers alone do not keep the process. */
function untilAborted(signal: AbortSignal): Promise<void> {
  const keeping = setInterval(() => {}, 60_000);
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(keeping);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
