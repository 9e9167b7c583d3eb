// What runs beside the requests of a server, and the post-start hooks that tell when it does. Each hook finishes when its work is done.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { discoveryProblem } from '#aggregation/discovery-check.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { beginControllers } from '#app/loops/controllers.ts';
import { coordinateElections } from '#app/loops/coordinated-elections.ts';
import { isElected, whileElected } from '#app/loops/elected.ts';
import { beginNodes } from '#app/loops/nodes.ts';
import { type OwnEndpoints, startOwnService } from '#app/loops/own-service.ts';
import { ownPeerEndpoint } from '#app/loops/peer-endpoint.ts';
import { followPeers } from '#app/loops/peers.ts';
import { keepCertificates } from '#app/certificates/keep-certificates.ts';
import { compactRegularly } from '#app/open-store.ts';
import { keepIdentity, liveFacts, serverFacts } from '#app/loops/server-facts.ts';
import { startStages } from '#app/loops/start-stages.ts';
import { onceReadable } from '#app/loops/once-readable.ts';
import { unlessRefused } from '#app/loops/unless-refused.ts';
import { pause } from '#base/timers.ts';
import { apiServiceAvailability } from '#controllers/api-service-availability-controller.ts';
import { apiServiceDocuments } from '#controllers/api-service-documents-controller.ts';
import { apiServiceRegistration } from '#controllers/api-service-registration-controller.ts';
import { authenticationKey, authenticationTrust } from '#controllers/authentication-trust-controller.ts';
import { type BootstrapStep, bootstrapSteps } from '#controllers/bootstrap/bootstrap.ts';
import type { ServerFacts } from '#controllers/bootstrap/server-objects.ts';
import type { LoopParts } from '#controllers/controller.ts';
import { flowSchemaStatus } from '#controllers/flow-schema-status-controller.ts';
import { identityLeases } from '#controllers/identity-lease-controller.ts';
import { serveCustomResources } from '#crd/definition-loop.ts';

/** How long a start waits for servers that do not answer. */
const patienceMs = 500;

/** What goes on when the server is ready; the loops end with its signal. */
export interface StartedLoops {
  /** Settles when no controller and no node is on its way up any more. */
  readonly rising: Promise<unknown>;
  readonly endpoints: OwnEndpoints;
}

/** Resolves when the server is ready. */
export async function startLoops(server: ListeningServer): Promise<StartedLoops> {
  const { options, reads, certificates, api, access, conversion, flowControl, hooks, queues, signal } = server;
  const { catalog, clock, timers, log, places } = reads;
  const facts = serverFacts(options, { catalog, certificates, clock });
  const loops: LoopParts = { log, timers, metrics: queues };
  const trust = authenticationTrust({ ...loops, client: api.client, sources: reads.sources, facts: () => liveFacts(facts, server.live) });
  keepCertificates({ ...server, ...reads, onAuthorities: () => trust.enqueue(authenticationKey) });
  hooks.finish(...startStages.serving);
  const registration = apiServiceRegistration({ ...loops, client: api.client, sources: reads.sources, builtIn: facts.groupVersions });
  await serveCustomResources(
    { client: api.client, world: api.world, definitions: reads.definitions },
    {
      ...loops,
      clock,
      factsFile: factsFileOf(server),
      webhookConverterOf: conversion.converterOf,
      ruleTimes: server.custom.rules.times,
      onDocumentChanges: server.custom.documents.observe,
      onServed: (versions) => {
        registration.setCustom(versions);
        server.peerProxy?.own.set(
          'definitions',
          versions.map(({ group, version }) => `${group}/${version}`),
        );
      },
      asStored: server.encryption.asStored,
    },
    signal,
  );
  hooks.finish(...startStages.customResources);
  // Not before all definitions are known: the APIServices of those that are there would be taken for spurious ones.
  void registration.run(signal);
  const founded = bootstrap(server, facts, 'cluster');
  // Writes that wait for the disk wait together.
  const [endpoints] = await Promise.all([
    founded.then(() => startOwnService(server, loops)),
    founded.then(() => bootstrap(server, facts, 'server')),
    founded.then(() => flowControl.start(signal)).then(() => hooks.finish(...startStages.flowControl)),
    access.ready().then(() => hooks.finish(...startStages.access)),
    registration.settled.then(() => hooks.finish(...startStages.registration)),
  ]);
  hooks.finish(...startStages.services);
  void trust.run(signal);
  keepIdentity(api, facts, log, signal);
  void identityLeases({ ...loops, client: api.client, sources: reads.sources, clock }).run(signal);
  for (const place of places.all) void compactRegularly(options, { ...place, timers, log }, signal);
  void server.sizes.keep(options.flags.durationMs('etcd-db-metric-poll-interval'), timers, signal);
  await startApiServices(server, loops);
  if (server.peerProxy) void followPeers(server.peerProxy, server, loops).then(() => hooks.finish(...startStages.peers));
  void coordinateElections(server, loops);
  hooks.finish(...startStages.elections);
  const rising = Promise.all([beginNodesOnce(server), beginControllers(server, loops)]);
  return { rising, endpoints: together(endpoints, await ownPeerEndpoint(server)) };
}

/** Of several servers one plays them; whoever is not elected has nothing to begin. */
async function beginNodesOnce(server: ListeningServer): Promise<void> {
  if (!isElected(server) || server.options.nodes === 0) return void (await beginNodes(server));
  void whileElected('binnacle-nodes', server, async (leader) => void (await (await beginNodes(leader)).run));
}

function together(...all: readonly (OwnEndpoints | undefined)[]): OwnEndpoints {
  return {
    announce: () => all.forEach((one) => one?.announce()),
    leave: async () => void (await Promise.all(all.map((one) => one?.leave()))),
  };
}

/** Facts of definitions that lie encrypted in the store are kept nowhere else. */
function factsFileOf({ options, encryption }: ListeningServer): string | undefined {
  if (options.memory || options.etcdServers.length > 0) return undefined;
  const file = join(options.dataDir, 'definition-facts');
  if (!encryption.isEncrypted({ group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' })) return file;
  rmSync(file, { force: true });
  return undefined;
}

/** What all of a cluster begins with is made in its order, what this server says of itself at the same time. */
async function bootstrap({ api, hooks, reads, isFilled, signal }: ListeningServer, facts: ServerFacts, of: 'cluster' | 'server'): Promise<void> {
  const take = async ({ hook, run, isRepeated, isPrepared }: BootstrapStep) => {
    const step = () => onceReadable(reads, hook, () => run(api.client, facts), signal);
    if (isRepeated) await unlessRefused(reads.log, hook, step);
    else if (!(isPrepared && isFilled)) await step();
    hooks.finish(hook);
  };
  if (of === 'server') await Promise.all(bootstrapSteps.filter(({ isPrepared }) => !isPrepared).map(take));
  else for (const step of bootstrapSteps) if (step.isPrepared) await take(step);
}

/** A server that hangs delays what its hook tells, and nothing else. */
async function startApiServices(server: ListeningServer, loops: LoopParts): Promise<void> {
  const { reads, api, aggregation, flowControl, hooks, signal } = server;
  const { apiServices, discovery, openApi, metrics } = aggregation;
  const parts = { ...loops, client: api.client, sources: reads.sources, now: () => reads.clock.now() };
  await apiServices.follow(reads.sources, signal);
  hooks.finish(...startStages.apiServices);
  const availability = apiServiceAvailability({
    ...parts,
    discoveryProblem: (name, { group = '', version = '' }) => discoveryProblem(apiServices.remoteNamed(name)?.server, group, version),
    onUnavailable: metrics.onUnavailable.bind(metrics),
  });
  apiServices.onUnreachable((name) => availability.enqueue(`/${name}`));
  const discovering = apiServiceDocuments({ ...parts, name: 'discovery-manager', refresh: (name) => discovery.refresh(name) });
  const describing = apiServiceDocuments({ ...parts, name: 'open_api_v3_aggregation_controller', refresh: (name) => openApi.refresh(name) });
  for (const loop of [availability, discovering, describing]) void loop.run(signal);
  void availability.settled.then(() => hooks.finish(...startStages.availability));
  void discovering.settled.then(() => hooks.finish(...startStages.discovery));
  if (flowControl.controller) void flowSchemaStatus(parts).run(signal);
  await Promise.race([Promise.all([availability.settled, discovering.settled]), pause(reads.timers, patienceMs, signal)]);
}
