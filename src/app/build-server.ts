// One server, put together in steps: what is read, who may come in, what admission says, and the pipeline over all of it. Nothing runs yet.
import { otherProxyHeaders } from '#app/access/proxy-headers.ts';
import { networkInterfaces } from 'node:os';
import { AdmissionMetrics } from '#admission/admission-metrics.ts';
import type { Writer } from '#api/lister.ts';
import { paramPermission } from '#admission/policies/param-permission.ts';
import { QuotaLedger } from '#admission/quota/ledger.ts';
import { type Access, buildAccess } from '#app/access/access.ts';
import { type AdmissionParts, admissionPlugins } from '#app/admission/admission.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { AccessMetrics } from '#server/metrics/access-metrics.ts';
import { readAdmissionConfig } from '#app/admission/admission-config.ts';
import { followManifests } from '#app/admission/follow-manifests.ts';
import { admissionManifests, manifestFolders } from '#app/admission/static-manifests.ts';
import { type ApiServer, assembleServer } from '#app/api-server.ts';
import { type Audit, buildAudit } from '#app/operations/audit.ts';
import type { Certificates } from '#app/certificates/certificates.ts';
import { clientWriter } from '#app/client-writer.ts';
import { type Aggregation, buildAggregation } from '#app/aggregation.ts';
import { buildConversionWebhooks, type ConversionWebhooks } from '#app/conversion-webhooks.ts';
import { buildCors } from '#app/operations/cors.ts';
import { documentRouter } from '#app/operations/documents.ts';
import { buildFlowControl, type FlowControl } from '#app/operations/flow-control.ts';
import { startupChecks } from '#app/operations/health.ts';
import type { Encryption } from '#app/encryption/encryption.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import type { Metric } from '#base/metrics.ts';
import { StorageSizes } from '#server/metrics/storage-sizes.ts';
import { buildOperations, type Operations } from '#app/operations/operations.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { buildOutgoing, type Outgoing } from '#app/outgoing.ts';
import type { OwnClients } from '#app/own-clients.ts';
import type { PeerProxy } from '#app/peers.ts';
import type { Reads } from '#app/reads.ts';
import { subresourceHandlers } from '#app/subresource-handlers.ts';
import type { QueueMetrics } from '#client/queue-metrics.ts';
import { ServiceAllocators } from '#kinds/core/v1/service/service-allocators.ts';
import type { PostStartHooks } from '#server/health/post-start-hooks.ts';
import { CustomMetrics } from '#crd/custom-metrics.ts';
import { impersonate } from '#server/middleware/impersonate.ts';
import { quotaStorage } from '#verbs/quota-status.ts';

/** What is there before anything is built. */
export interface Base {
  readonly options: ServerOptions;
  readonly isFilled: boolean;
  /** Other servers may work on the same objects. */
  readonly isShared: boolean;
  readonly reads: Reads;
  readonly certificates: Certificates;
  readonly live: LiveCertificates;
  readonly hooks: PostStartHooks;
  readonly own: OwnClients;
  readonly queues: QueueMetrics;
  readonly encryption: Encryption;
  readonly storeMetrics: readonly Metric[];
  readonly verbosity: { value: number };
  readonly started: Date;
  readonly signal: AbortSignal;
}

export interface BuiltServer {
  readonly api: ApiServer;
  readonly access: Access;
  readonly audit: Audit | undefined;
  readonly aggregation: Aggregation;
  /** Undefined without --peer-ca-file. */
  readonly peerProxy: PeerProxy | undefined;
  readonly conversion: ConversionWebhooks;
  readonly flowControl: FlowControl;
  readonly operations: Operations;
  readonly ledger: QuotaLedger;
  readonly pool: ServiceAllocators;
  readonly outgoing: Outgoing;
  readonly custom: CustomMetrics;
  readonly sizes: StorageSizes;
}

function storageMetrics({ encryption, storeMetrics }: Base, sizes: StorageSizes): readonly Metric[] {
  return [...sizes.metrics, ...encryption.metrics, ...storeMetrics];
}

export async function buildServer(base: Base): Promise<BuiltServer> {
  const { options, reads, own, queues, verbosity, started } = base;
  const { catalog, clock, log, gate, caches } = reads;
  const serverAddress = `${advertised(options)}:${options.securePort}`;
  const writer = clientWriter(own.as(own.self, 'kube-apiserver'), catalog);
  const access = await buildAccess(options, { ...base, writer, serverAddress });
  const { authenticator, localAuthenticator, authorizer } = access;
  const audit = await buildAudit(options, catalog, clock, log);
  const flowControl = buildFlowControl(options, reads);
  const outgoing = buildOutgoing(options, reads);
  const aggregation = buildAggregation(options, { ...reads, ...outgoing, live: base.live });
  const peerProxy = await peersOf(base, aggregation);
  const conversion = buildConversionWebhooks(outgoing);
  const admission = new AdmissionMetrics(() => performance.now());
  const custom = new CustomMetrics();
  const ledger = new QuotaLedger(quotaStorage({ ...reads, writer }));
  const observers = { webhooks: { ...outgoing, observer: admission.webhooks }, policies: admission.policies };
  const built = buildAdmission(base, { options, authorizer, catalog, ledger, log, ...observers }, writer);
  const sizes = new StorageSizes(reads.places.all.map(({ store }) => store));
  const timing = new AccessMetrics(() => performance.now());
  const counted = () => [
    ...timing.metrics(),
    ...access.metrics,
    ...admission.metrics(),
    ...outgoing.metrics,
    ...conversion.metrics.metrics(),
    ...custom.metrics(),
    ...passedOnMetrics(aggregation, peerProxy),
    ...built.metrics,
    ...storageMetrics(base, sizes),
  ];
  const operations = buildOperations(options, { catalog, gate, log, verbosity, started, flowControl, audit, counted, caches, queues });
  const pool = await serviceAllocators(base);
  const chosen = pipelineSteps(options, operations, { audit, aggregation, peerProxy });
  const steps = { ...chosen, impersonate: impersonate(authorizer), flowControl: flowControl.step };
  const handlers = subresourceHandlers(access.reviews, access.tokenRequests);
  const cbor = gate('CBORServingAndStorage') ? await import('#schema/cbor/cbor.ts') : undefined;
  const documents = (stopping: () => boolean) => documentsOf(base, access, operations, { serverAddress, stopping, cbor, aggregation, peerProxy });
  const api = assembleServer({
    reads,
    own,
    writer,
    authenticator: timing.timed(authenticator),
    localAuthenticator,
    authorizer,
    requestAuthorizer: timing.timedAccess(authorizer),
    plugins: [...built.plugins, access.escalationCheck, paramPermission(authorizer)],
    observer: admission.steps,
    steps,
    handlers,
    services: pool,
    ...limitsOf(options),
    documents,
    cbor,
  });
  return { api, access, audit, aggregation, peerProxy, conversion, flowControl, operations, ledger, pool, outgoing, custom, sizes };
}

function passedOnMetrics({ metrics }: Aggregation, peerProxy: PeerProxy | undefined): readonly Metric[] {
  return [...metrics.metrics(), ...(peerProxy?.metrics.metrics() ?? [])];
}

async function peersOf({ options, reads, live }: Base, { apiServices }: Aggregation): Promise<PeerProxy | undefined> {
  if (options.flags.text('peer-ca-file') === '') return undefined;
  const { buildPeers } = await import('#app/peers.ts');
  return buildPeers(options, { reads, live, apiServices });
}

/** Node ports are handed out by all servers together where others share the store. */
async function serviceAllocators({ options, reads, isShared }: Base): Promise<ServiceAllocators> {
  const { serviceClusterIpRanges: clusterIps, serviceNodePorts: nodePorts } = options;
  const { store } = reads.places.of({ group: '', plural: 'servicenodeportallocations' });
  const sharedPorts = isShared ? (await import('#app/shared-node-ports.ts')).sharedNodePorts(store, nodePorts) : undefined;
  return new ServiceAllocators({ clusterIps, nodePorts }, Math.random, sharedPorts);
}

/** What flags put into the pipeline. */
function pipelineSteps(
  options: ServerOptions,
  { outer, onAuthenticated }: Operations,
  { audit, aggregation, peerProxy }: Pick<BuiltServer, 'audit' | 'aggregation' | 'peerProxy'>,
) {
  const cors = buildCors(options);
  const isProxyHeader = otherProxyHeaders(options.authentication.requestHeader);
  const passedOn = { ...(peerProxy && { peers: peerProxy.step }), aggregate: aggregation.step };
  return { outer, onAuthenticated, isProxyHeader, ...(cors && { cors }), ...(audit && { audit: audit.step }), ...passedOn };
}

/** The plugins with their configuration; manifests are followed from here on. */
function buildAdmission({ reads, signal }: Base, parts: Omit<AdmissionParts, 'configurations' | 'manifests'>, writer: Writer) {
  const configurations = readAdmissionConfig(parts.options.admission.configFile);
  const manifests = admissionManifests(configurations, reads.gate, manifestFolders({ ...reads, writer }));
  const plugins = admissionPlugins({ ...parts, configurations, manifests });
  return { plugins, metrics: followManifests(manifests.opened, { ...reads, signal }) };
}

function limitsOf({ eventTtlSeconds, allowPrivileged, requestTimeoutMs, minRequestTimeoutSeconds, flags }: ServerOptions) {
  const deleteCollectionWorkers = Math.max(1, flags.number('delete-collection-workers'));
  return { eventTtlSeconds, allowPrivileged, requestTimeoutMs, minRequestTimeoutSeconds, deleteCollectionWorkers };
}

function documentsOf(
  { options, reads: { catalog, places, log, clock, timers, gate }, hooks, encryption, verbosity, started }: Base,
  { openId }: Access,
  operations: Operations,
  {
    serverAddress,
    stopping,
    cbor,
    aggregation,
    peerProxy,
  }: { readonly serverAddress: string; readonly stopping: () => boolean; readonly cbor: Cbor | undefined } & Pick<BuiltServer, 'aggregation' | 'peerProxy'>,
) {
  const storeTimeoutMs = { health: options.flags.durationMs('etcd-healthcheck-timeout'), readiness: options.flags.durationMs('etcd-readycheck-timeout') };
  const checks = startupChecks({ hooks, places, stopping, timers, storeTimeoutMs, encryption: encryption.checks });
  const debug = { started, flags: () => options.flags.all(), verbosity };
  return documentRouter({ catalog, aggregation, peers: peerProxy?.peers, serverAddress, checks, log, clock, gate, debug, openId, cbor, more: operations.serve })
    .handle;
}

/** What other machines call us: the address given, or that of the first interface that leaves this machine. */
export function advertised({ advertiseAddress, bindAddress }: ServerOptions): string {
  if (advertiseAddress !== '') return advertiseAddress;
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return bindAddress;
  const outward = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.filter(({ internal, family }) => !internal && family === 'IPv4') ?? []);
  return outward[0]?.address ?? '127.0.0.1';
}
