// The composition root: everything that one server is made of, put together once.
import { AdmissionChain, type AdmissionObserver, type AdmissionPlugin } from '#admission/admission.ts';
import type { Writer } from '#api/lister.ts';
import { componentStatuses } from '#app/component-statuses.ts';
import type { OwnClients } from '#app/own-clients.ts';
import type { Reads } from '#app/reads.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { AccessAttributes, Authorizer } from '#auth/authorizer.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { Transport } from '#client/transport.ts';
import { DeleteOptions } from '#kinds/meta/v1/options.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from '#kinds/meta/v1/partial-object-metadata.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { ServicePool } from '#resource/service-pool.ts';
import { dispatchTo } from '#server/dispatch.ts';
import type { Handler } from '#server/front/exchange.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { accessDenied } from '#server/middleware/authorize.ts';
import { refuseForeignSites } from '#server/middleware/refuse-foreign-sites.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { buildPipeline, type PipelineServices } from '#server/pipeline.ts';
import type { World } from '#verbs/call.ts';
import type { SubresourceHandlers } from '#verbs/subresource.ts';

export interface ApiServerParts {
  readonly reads: Reads;
  /** Opened here. */
  readonly own: OwnClients;
  readonly writer: Writer;
  readonly authenticator: Authenticator;
  /** Of the insecure port. */
  readonly localAuthenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** The same for the requests themselves, measured. */
  readonly requestAuthorizer?: Authorizer;
  readonly plugins: readonly AdmissionPlugin[];
  readonly observer?: AdmissionObserver;
  readonly handlers: SubresourceHandlers;
  readonly services?: ServicePool;
  readonly eventTtlSeconds?: number;
  readonly allowPrivileged?: boolean;
  readonly deleteCollectionWorkers?: number;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutSeconds: number;
  readonly cbor?: Cbor | undefined;
  /** Paths that are no resources: discovery, health, OpenAPI, metrics. */
  readonly documents: (stopping: () => boolean) => Handler;
  readonly steps?: Partial<
    Pick<PipelineServices, 'outer' | 'onAuthenticated' | 'isProxyHeader' | 'cors' | 'audit' | 'impersonate' | 'flowControl' | 'aggregate'>
  >;
}

export interface ApiServer {
  readonly reads: Reads;
  readonly world: World;
  readonly handler: Handler;
  /** For the insecure port: whoever comes in there without a credential is the administrator. */
  readonly localHandler: Handler;
  readonly requests: RequestCount;
  /** The way to this server that needs no socket; whoever has it is the server itself. */
  readonly transport: Transport;
  /** The server as a client of itself. */
  readonly client: RestClient;
  close(): Promise<void>;
}

export function assembleServer(parts: ApiServerParts): ApiServer {
  const { reads, own } = parts;
  const { store, places, caches, catalog, clock, gate, log, lister } = reads;
  const requests = new RequestCount();
  const world: World = {
    store,
    storeOf: (resource) => places.of(resource).store,
    caches,
    catalog,
    admission: new AdmissionChain(parts.plugins, parts.observer),
    clock,
    gate,
    lister,
    writer: parts.writer,
    services: parts.services,
    eventTtlSeconds: parts.eventTtlSeconds,
    components: () => componentStatuses(store),
    allowPrivileged: parts.allowPrivileged,
    deleteCollectionWorkers: parts.deleteCollectionWorkers,
    authorize: async (user, attributes) => {
      const { allowed, reason } = await world.accessOf(user, attributes);
      if (!allowed) throw accessDenied(user, resourceAttributes(attributes), reason);
    },
    accessOf: async (user, attributes) => {
      const { decision, reason } = await parts.authorizer(user, resourceAttributes(attributes));
      return { allowed: decision === 'allow', reason };
    },
  };
  const meta = {
    status: Status,
    partialObjectMetadata: PartialObjectMetadata,
    partialObjectMetadataList: PartialObjectMetadataList,
    deleteOptions: DeleteOptions,
  };
  const limits = { minRequestTimeoutSeconds: parts.minRequestTimeoutSeconds, random: Math.random };
  const dispatch = dispatchTo({ world, meta, handlers: parts.handlers, limits, otherwise: parts.documents(() => requests.stopping), cbor: parts.cbor });
  const services = { log, statusSchema: Status, requests, requestTimeoutMs: parts.requestTimeoutMs };
  const open = { ...services, ...parts.steps, authorizer: parts.requestAuthorizer ?? parts.authorizer };
  const handler = buildPipeline({ ...open, authenticator: parts.authenticator }, dispatch);
  // In the place of CORS: no page of another origin is let in there, whatever flags say.
  const localHandler = buildPipeline({ ...open, cors: refuseForeignSites(), authenticator: parts.localAuthenticator }, dispatch);
  // The server's own loops stop last: their requests are neither refused nor waited for. Apart from that they are requests like any other, as in
  // the original: audited, measured, and put into a flow (the server itself is one of system:masters, so that its flow is exempt).
  own.open((user) => {
    const { outer, onAuthenticated, audit, flowControl } = parts.steps ?? {};
    const steps = { ...(outer && { outer }), ...(onAuthenticated && { onAuthenticated }), ...(audit && { audit }), ...(flowControl && { flowControl }) };
    return buildPipeline({ ...services, ...steps, requests: new RequestCount(), authenticator: async () => user, authorizer: parts.authorizer }, dispatch);
  });
  const client = own.as(own.self, 'kube-apiserver');
  return { reads, world, handler, localHandler, requests, transport: own.transport(own.self), client, close: () => caches.stop() };
}

/** As the authorizer asks, of a request that is made within a verb. */
function resourceAttributes(attributes: Parameters<World['accessOf']>[1]): AccessAttributes {
  return { ...attributes, isResource: true, path: '', labelSelector: '', fieldSelector: '' };
}
