// From options to a server that listens: the order in which its parts come to life, and in which they stop.
import { useSharedMemos } from '#base/shared-memos.ts';
import { setMaxListeners } from 'node:events';
import type { ApiServer } from '#app/api-server.ts';
import { type Base, buildServer } from '#app/build-server.ts';
import type { Certificates } from '#app/certificates/certificates.ts';
import { writeAdminKubeconfig } from '#app/certificates/kubeconfig.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import { refuseUnknownReconciler } from '#app/etcd/server-addresses.ts';
import { openEncryption } from '#app/encryption/encryption.ts';
import { openDataDirectory } from '#app/open-data-directory.ts';
import { type OpenStore, openStore, type StoreKind, storeKind } from '#app/open-store.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { refusePeerFlags } from '#app/flags/unserved-flags.ts';
import { OwnClients } from '#app/own-clients.ts';
import { buildReads } from '#app/reads.ts';
import { resourcesIn } from '#app/stored-resources.ts';
import { atOnce, shutDown, shutdownOptions } from '#app/shut-down.ts';
import { refuseAbsentControllers } from '#app/loops/controllers.ts';
import { startLoops } from '#app/loops/start-loops.ts';
import { buildTls } from '#app/certificates/tls-options.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { featureGates } from '#base/feature-gates.ts';
import type { Log } from '#base/log.ts';
import { pause, systemTimers, type Timers } from '#base/timers.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { apiGroups } from '#kinds/api-groups.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { parseRuntimeConfig } from '#resource/runtime-config.ts';
import { listen, type Listener } from '#server/front/listen.ts';
import { PortError } from '#server/front/port-error.ts';
import { ReservedPort } from '#server/front/reserved-port.ts';
import { type PostStartHookName, PostStartHooks } from '#server/health/post-start-hooks.ts';
import { Places } from '#store/places.ts';

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Undefined when the certificates were given and we have none of our own to put in. */
  readonly kubeconfig: string | undefined;
  readonly certificates: Certificates;
  readonly api: ApiServer;
  /** Refuses new requests, lets running ones end, then closes everything. */
  close(): Promise<void>;
}

/** `kind`: for who wants to know it too, asked once the port is taken; `open`: another way to the store than the flags say. */
export interface StoreChoice {
  readonly kind?: (options: ServerOptions) => Promise<StoreKind>;
  readonly open?: OpenStore;
}

/** `verbosity` is what the log obeys: /debug/flags changes it. */
export async function runServer(
  options: ServerOptions,
  log: Log,
  clock: Clock = systemClock,
  verbosity = { value: 0 },
  timers: Timers = systemTimers,
  { kind = storeKind, open = openStore }: StoreChoice = {},
): Promise<RunningServer> {
  refuseAbsentControllers(options.controllers);
  refuseUnknownReconciler(options);
  const { bindAddress, securePort } = options;
  // Before anything that takes time: envtest asks 100 ms after it has started the server, and is answered at once when the server is ready, or asks again 100 ms later.
  const reserved = await orPortError('secure-port', securePort, () => ReservedPort.open(bindAddress, securePort));
  try {
    return await runOn(reserved, options, { log, clock, verbosity, timers, open, kind: await kind(options) });
  } catch (problem) {
    reserved.close();
    throw problem;
  }
}

interface Means {
  readonly log: Log;
  readonly clock: Clock;
  readonly verbosity: { value: number };
  readonly timers: Timers;
  readonly open: OpenStore;
  readonly kind: StoreKind;
}

/** Connections are taken when the start is over; one that takes longer than this answers how far it is. */
const quietStartMs = 1_000;

async function runOn(reserved: ReservedPort, options: ServerOptions, { log, clock, verbosity, timers, open, kind }: Means): Promise<RunningServer> {
  const started = clock.now();
  const gate = featureGates(options.featureGates);
  refusePeerFlags(options.flags, gate);
  const encryption = await openEncryption(options, kind, { clock, timers, log, gate });
  const catalog = buildCatalog(options, gate, encryption.asStored(await resourcesIn(kind, options)));
  const { store, placements, isFilled, metrics = [], certificates, live } = await openDataDirectory(kind, options, clock, open);
  const places = new Places(store, placements);
  const stopped = new AbortController();
  // One listener for each loop that ends with the server.
  setMaxListeners(0, stopped.signal);
  const base: Base = {
    options,
    isFilled,
    isShared: kind === 'etcd',
    certificates,
    live,
    encryption,
    storeMetrics: metrics,
    verbosity,
    started,
    signal: stopped.signal,
    reads: buildReads({ places, catalog, clock, timers, log, gate }),
    hooks: new PostStartHooks({ without: absentHooks(options, gate) }),
    own: new OwnClients(),
    queues: new QueueMetrics(),
  };
  const built = await buildServer(base);
  const { api, operations, audit, outgoing } = built;
  const listeners = await openPorts(reserved, options, api, live, log);
  const { port } = reserved;
  const url = urlOf(options, port);
  const starting = startLoops({ ...base, ...built, listeners, url, port });
  const stopping = { api, listeners, store: places, stopped, options: shutdownOptions(options) };
  const last = async (rising?: Promise<unknown>) => {
    encryption.stop();
    operations.stop();
    await Promise.all([outgoing.clients[Symbol.asyncDispose](), audit?.close(), rising]);
  };
  try {
    await Promise.race([starting, pause(timers, quietStartMs, stopped.signal)]);
    for (const listener of listeners) listener.open();
    await starting;
  } catch (problem) {
    // Why it could not start is what its user has to know, whatever comes of the rest.
    await shutDown({ ...stopping, options: atOnce, first: async () => {}, last }).catch((error: unknown) =>
      log.error('a start that failed was not undone', error),
    );
    throw problem;
  }
  const { rising, endpoints } = await starting;
  endpoints.announce();
  const memos = useSharedMemos();
  const first = () => endpoints.leave().catch((error: unknown) => log.warn('the address of this server stays in the endpoints', { err: String(error) }));
  const kubeconfig = writeAdminKubeconfig(options, certificates, url);
  const withMemos = async () => {
    memos[Symbol.dispose]();
    await last(rising);
  };
  return { url, port, certificates, api, kubeconfig, close: () => shutDown({ ...stopping, first, last: withMemos }) };
}

function buildCatalog(options: ServerOptions, gate: (name: string) => boolean, resources: readonly ResourceDefinition[]): ResourceCatalog {
  const enabled = parseRuntimeConfig(options.runtimeConfig, resources);
  return new ResourceCatalog(resources, { enabled, gate, priorities: apiGroups });
}

async function openPorts(
  reserved: ReservedPort,
  options: ServerOptions,
  api: ApiServer,
  certificates: LiveCertificates,
  log: Log,
): Promise<readonly Listener[]> {
  const { http2, bindAddress, insecurePort } = options;
  const limits = { streamsPerConnection: http2.streamsPerConnection };
  const secure = await listen(api.handler, { host: bindAddress, port: reserved, tls: buildTls(options, certificates), http2: http2.enabled, limits, log });
  if (insecurePort === 0) return [secure];
  const openInsecure = (host: string) => listen(api.localHandler, { host, port: insecurePort, limits, log });
  log.warn('plain HTTP is served on the loopback interface: every program of this machine is an administrator there', { port: insecurePort });
  return [secure, ...(await orPortError('insecure-port', insecurePort, () => openOnLoopback(openInsecure)))];
}

const portProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
};

async function orPortError<T>(flag: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (problem) {
    const why = portProblems[(problem as NodeJS.ErrnoException).code ?? ''];
    throw why === undefined ? problem : new PortError(`port ${port} ${why}; choose another one with --${flag}`, { cause: problem });
  }
}

/** `localhost` may mean either family; a machine without IPv6 has the first alone. */
async function openOnLoopback(open: (host: string) => Promise<Listener>): Promise<readonly Listener[]> {
  const first = await open('127.0.0.1');
  try {
    return [first, await open('::1')];
  } catch (problem) {
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((problem as NodeJS.ErrnoException).code ?? '')) return [first];
    first.destroy();
    await first.close();
    throw problem;
  }
}

function urlOf({ bindAddress }: ServerOptions, port: number): string {
  return `https://${reachable(bindAddress)}:${port}`;
}

function reachable(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

/** Steps that flags and gates leave out. */
function absentHooks({ flags }: ServerOptions, gate: (name: string) => boolean): readonly PostStartHookName[] {
  return [
    ...(flags.text('proxy-client-cert-file') === '' ? (['aggregator-reload-proxy-client-cert'] as const) : []),
    ...(flags.text('peer-ca-file') === '' ? (['mixed-version-proxy-handler', 'local-discovery-cache-sync', 'peer-discovery-workers'] as const) : []),
    ...(gate('UnknownVersionInteroperabilityProxy') ? [] : (['peer-endpoint-reconciler-controller'] as const)),
    ...(gate('CoordinatedLeaderElection') ? [] : (['start-kube-apiserver-coordinated-leader-election-controller'] as const)),
  ];
}
