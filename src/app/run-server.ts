// From options to a server that listens: the order in which its parts come to life, and in which they stop.
import { setMaxListeners } from 'node:events';
import { networkInterfaces } from 'node:os';
import { keepAvailability } from '#app/api-service-availability.ts';
import { buildAccess } from '#app/access.ts';
import { buildAudit } from '#app/audit.ts';
import { type ApiServer, assembleServer } from '#app/api-server.ts';
import { QuotaLedger } from '#admission/quota/ledger.ts';
import { quotaStorage } from '#app/quota-status.ts';
import { paramPermission } from '#admission/policies/param-permission.ts';
import { admissionPlugins } from '#app/admission.ts';
import type { Certificates } from '#app/certificates.ts';
import { serveCustomResources } from '#app/custom-resources.ts';
import { buildCors } from '#app/cors.ts';
import { runControllers } from '#app/controllers.ts';
import { documentRouter } from '#app/documents.ts';
import { buildFlowControl } from '#app/flow-control.ts';
import { startupChecks } from '#app/health.ts';
import { keepCertificates } from '#app/keep-certificates.ts';
import { writeAdminKubeconfig } from '#app/kubeconfig.ts';
import type { LiveCertificates } from '#app/live-certificates.ts';
import { openDataDirectory } from '#app/open-data-directory.ts';
import { compactRegularly } from '#app/open-store.ts';
import { buildOperations } from '#app/operations.ts';
import type { ServerOptions } from '#app/options.ts';
import { buildTls } from '#app/tls-options.ts';
import { serviceUpkeep } from '#app/service-upkeep.ts';
import { keepIdentity, serverFacts } from '#app/server-facts.ts';
import { shutDown, shutdownManners } from '#app/shut-down.ts';
import { startStages } from '#app/start-stages.ts';
import { subresourceHandlers } from '#app/subresource-handlers.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { featureGates } from '#base/feature-gates.ts';
import type { Log } from '#base/log.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import type { ServerFacts } from '#controllers/bootstrap/server-objects.ts';
import { bootstrapSteps } from '#controllers/bootstrap/bootstrap.ts';
import { unlessRefused } from '#app/unless-refused.ts';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ServiceAllocators } from '#kinds/core/v1/service/service-allocators.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { parseRuntimeConfig } from '#resource/runtime-config.ts';
import { PostStartHooks } from '#server/health/post-start-hooks.ts';
import { impersonate } from '#server/middleware/impersonate.ts';
import { listen, type Listener } from '#server/front/listen.ts';
import { Retention } from '#store/retention.ts';

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

/** `verbosity` is what the log obeys: /debug/flags changes it. */
export async function runServer(
  options: ServerOptions,
  log: Log,
  clock: Clock = systemClock,
  verbosity = { value: 0 },
  timers: Timers = systemTimers,
): Promise<RunningServer> {
  const cors = buildCors(options);
  const debug = { started: clock.now(), flags: () => options.flags.all(), verbosity };
  const gate = featureGates(options.featureGates);
  const catalog = buildCatalog(options, gate);
  const { store, certificates, live } = await openDataDirectory(options, clock);
  const retention = new Retention();
  const hooks = new PostStartHooks(options.flags.text('proxy-client-cert-file') === '' ? { without: ['aggregator-reload-proxy-client-cert'] } : {});
  const serverAddress = `${advertised(options)}:${options.securePort}`;
  const world = () => api.world;
  const stopped = new AbortController();
  // One listener for each loop that ends with the server.
  setMaxListeners(0, stopped.signal);
  const access = await buildAccess(options, { certificates, live, clock, timers, log, gate, serverAddress, world, signal: stopped.signal });
  const { authenticator, authorizer } = access;
  const audit = await buildAudit(options, catalog, clock, log);
  const flowControl = buildFlowControl(options, clock, log, world);
  const operations = buildOperations(options, { catalog, gate, log, verbosity, started: debug.started, flowControl, audit, access: access.metrics, world });
  const pool = new ServiceAllocators({ clusterIps: options.serviceClusterIpRanges, nodePorts: options.serviceNodePorts }, Math.random);
  const ledger = new QuotaLedger(quotaStorage(world));
  const api: ApiServer = assembleServer({
    store,
    retention,
    catalog,
    clock,
    log,
    gate,
    authenticator,
    authorizer,
    plugins: [...admissionPlugins({ options, authorizer, catalog, ledger, log }), access.escalationCheck, paramPermission(authorizer)],
    steps: {
      outer: operations.outer,
      onAuthenticated: operations.onAuthenticated,
      ...(cors && { cors }),
      ...(audit && { audit: audit.step }),
      impersonate: impersonate(authorizer),
      flowControl: flowControl.step,
    },
    handlers: subresourceHandlers(access.reviews, access.tokenRequests),
    services: pool,
    eventTtlSeconds: options.eventTtlSeconds,
    allowPrivileged: options.allowPrivileged,
    requestTimeoutMs: options.requestTimeoutMs,
    minRequestTimeoutSeconds: options.minRequestTimeoutSeconds,
    documents: () =>
      documentRouter({
        catalog,
        serverAddress,
        checks: startupChecks({ hooks, store, stopping: () => api.requests.stopping }),
        log,
        clock,
        gate,
        debug,
        openId: access.openId,
        more: operations.serve,
      }).handle,
  });
  const listeners = await openPorts(options, api, live, log);
  const port = listeners[0]?.port ?? options.securePort;
  const facts = { ranges: options.serviceClusterIpRanges, address: advertised(options), port };
  const upkeep = serviceUpkeep(api, pool, facts, { timers: systemTimers, log });
  const own = serverFacts(options, { catalog, certificates, clock });
  keepCertificates({ options, certificates, live, api, listeners, facts: own, url: urlOf(options, port), clock, timers, log, signal: stopped.signal });
  hooks.finish(...startStages.serving);
  await serveCustomResources(api, { clock, timers, log }, stopped.signal);
  await Promise.all([access.ready().then(() => hooks.finish(...startStages.access)), bootstrap(api, hooks, own, log)]);
  await flowControl.start(api, stopped.signal);
  hooks.finish(...startStages.flowControl);
  await upkeep.start();
  hooks.finish(...startStages.services);
  void upkeep.run(stopped.signal);
  keepIdentity(api, own, log, stopped.signal);
  void compactRegularly(options, { store, retention, timers, log }, stopped.signal);
  void keepAvailability(api, clock, log, stopped.signal);
  void runControllers(options.controllers, { api, log, ledger, rootCa: String(certificates.servingCa ?? '') }, stopped.signal);
  hooks.finish(...startStages.loops);
  const last = async () => {
    operations.stop();
    await audit?.close();
  };
  const stopping = { api, listeners, store, stopped, manners: shutdownManners(options), last };
  const url = urlOf(options, port);
  return { url, port, certificates, api, kubeconfig: writeAdminKubeconfig(options, certificates, url), close: () => shutDown(stopping) };
}

async function bootstrap(api: ApiServer, hooks: PostStartHooks, facts: ServerFacts, log: Log): Promise<void> {
  for (const { hook, run, isRepeated } of bootstrapSteps) {
    const step = () => run(api.client, facts);
    await (isRepeated ? unlessRefused(log, hook, step) : step());
    hooks.finish(hook);
  }
}

function buildCatalog(options: ServerOptions, gate: (name: string) => boolean): ResourceCatalog {
  const enabled = parseRuntimeConfig(options.runtimeConfig, builtinResources);
  return new ResourceCatalog(builtinResources, { enabled, gate, priorities: apiGroups });
}

async function openPorts(options: ServerOptions, api: ApiServer, certificates: LiveCertificates, log: Log): Promise<readonly Listener[]> {
  const { http2, bindAddress, securePort, insecurePort } = options;
  const limits = { streamsPerConnection: http2.streamsPerConnection };
  const secure = await listen(api.handler, { host: bindAddress, port: securePort, tls: buildTls(options, certificates), http2: http2.enabled, limits, log });
  if (insecurePort === 0) return [secure];
  log.warn('plain HTTP is served on the loopback interface: whoever can reach it can read tokens and data on their way', { port: insecurePort });
  return [secure, await listen(api.handler, { host: '127.0.0.1', port: insecurePort, limits, log })];
}

/** What other machines call us: the address given, or that of the first interface that leaves this machine. */
function advertised({ advertiseAddress, bindAddress }: ServerOptions): string {
  if (advertiseAddress !== '') return advertiseAddress;
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return bindAddress;
  const outward = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.filter(({ internal, family }) => !internal && family === 'IPv4') ?? []);
  return outward[0]?.address ?? '127.0.0.1';
}

function urlOf({ bindAddress }: ServerOptions, port: number): string {
  return `https://${reachable(bindAddress)}:${port}`;
}

function reachable(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
