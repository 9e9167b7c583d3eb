// /api, /apis and what lies directly below them: the documents by which clients find out what is served.
// Upstream serves some of them through its router (GET only, refusals in the router's words), others by hand (any method).
import { withoutTrailing } from '#base/without-trailing.ts';
import { createHash } from 'node:crypto';
import { methodNotAllowed, noSuchPath } from '#api/api-error.ts';
import type { APIGroupDiscovery, APIGroupDiscoveryList } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { StructSchema } from '#schema/build.ts';
import { aggregatedDiscovery, type Part, prepareAggregated } from '#server/discovery/aggregated-document.ts';
import { type AggregatedGroups, listedGroup, listedGroups, nothingAggregated } from '#server/discovery/aggregated-groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from '#server/discovery/group-documents.ts';
import { encodeDocument, sendDocument, sendPageNotFound } from '#server/answer/document.ts';
import type { Exchange, Handler } from '#server/front/exchange.ts';
import { mediaTypes, negotiate, type Offer, plainOffer, refuseUnknownAccept, type Representation } from '#server/answer/negotiate.ts';

export interface DiscoveryServices {
  readonly catalog: ResourceCatalog;
  /** host:port under which clients reach this server. */
  readonly serverAddress: string;
  readonly schemas: DiscoverySchemas;
  /** What lists of resources can be had as: the same as the resources themselves. */
  readonly lists?: Offer;
  /** Default: nothing but what is served here. */
  readonly aggregated?: AggregatedGroups;
  /** Other servers of this cluster, which may be of another version; without them a server shows what it serves itself. */
  readonly peers?: PeerGroups;
  readonly observer?: DiscoveryObserver;
}

export interface PeerGroups {
  /** Another one after every change. */
  readonly revision: string;
  merged(local: readonly APIGroupDiscovery[]): readonly APIGroupDiscovery[];
}

export interface DiscoveryObserver {
  /** The aggregated document was put together anew. */
  onAggregated(): void;
  /** A client asked for what this server alone knows. */
  onNoPeerRequest(): void;
  /** A client asked for what all servers serve; `isNew`: that was put together for it. */
  onPeerRequest(isNew: boolean): void;
}

export interface DiscoverySchemas {
  readonly apiVersions: StructSchema;
  readonly apiGroupList: StructSchema;
  readonly apiGroup: StructSchema;
  readonly apiResourceList: StructSchema;
  readonly apiGroupDiscoveryList: StructSchema;
}

export function discoveryHandler(services: DiscoveryServices): Handler {
  const aggregated = { api: aggregatedHandler(services, 'api'), apis: aggregatedHandler(services, 'apis') };
  return async (exchange) => {
    const { path } = exchange.info;
    const [prefix, ...parts] = withoutTrailing(path.slice(1), '/').split('/');
    if (prefix === 'api') return coreDiscovery(exchange, services, aggregated.api, parts);
    if (path === '/apis' || path === '/apis/') {
      // With a slash at its end the path has the plain form only.
      if (path === '/apis' && (await aggregated.apis(exchange))) return;
      const groups = listedGroups(services.catalog, services.aggregated ?? nothingAggregated);
      return send(exchange, apiGroupList(groups), services.schemas.apiGroupList);
    }
    return groupDiscovery(exchange, services, parts);
  };
}

/** The paths that GET / lists. */
export function* discoveryPaths(catalog: ResourceCatalog, aggregated: AggregatedGroups = nothingAggregated): Generator<string> {
  yield* ['/api', '/apis', '/apis/'];
  for (const { name, versions } of [...catalog.groups(), ...(aggregated.groups()?.values() ?? [])]) {
    if (name !== '') yield `/apis/${name}`;
    for (const version of versions) yield name === '' ? `/api/${version}` : `/apis/${name}/${version}`;
  }
}

async function coreDiscovery(exchange: Exchange, services: DiscoveryServices, aggregated: AggregatedHandler, parts: readonly string[]): Promise<void> {
  const { catalog, schemas, serverAddress, lists } = services;
  if (parts.length === 0) {
    refuseUnroutable(exchange);
    if (await aggregated(exchange)) return;
    return send(exchange, apiVersions(serverAddress), schemas.apiVersions);
  }
  const [version = ''] = parts;
  const list = parts.length === 1 ? apiResourceList(catalog, '', version) : undefined;
  if (list === undefined) throw noSuchPath();
  refuseUnroutable(exchange, lists);
  return send(exchange, list, schemas.apiResourceList, lists);
}

async function groupDiscovery(
  exchange: Exchange,
  { catalog, schemas, lists, aggregated = nothingAggregated }: DiscoveryServices,
  parts: readonly string[],
): Promise<void> {
  const [group = '', version] = parts;
  if (version === undefined) {
    const listed = listedGroup(catalog, aggregated, group);
    if (listed === undefined) return sendPageNotFound(exchange);
    if (group === 'apiregistration.k8s.io') refuseUnroutable(exchange);
    return send(exchange, apiGroup(listed), schemas.apiGroup);
  }
  if (catalog.group(group) === undefined) return sendPageNotFound(exchange);
  await catalog.settleInTurns(group);
  const list = apiResourceList(catalog, group, version);
  if (list === undefined && !catalog.isRouted(group)) return sendPageNotFound(exchange);
  if (list === undefined) throw noSuchPath();
  // Lists of custom resources are made elsewhere in the original: without a router, and without the forms of the resources.
  if (!catalog.isRouted(group)) return send(exchange, list, schemas.apiResourceList);
  refuseUnroutable(exchange, lists);
  return send(exchange, list, schemas.apiResourceList, lists);
}

function refuseUnroutable(exchange: Exchange, offer = plainOffer): void {
  if (exchange.method !== 'GET') throw methodNotAllowed();
  refuseUnknownAccept(exchange, 'single', offer.formats);
}

function send(exchange: Exchange, object: object, schema: StructSchema, offer = plainOffer): Promise<void> {
  return sendDocument(exchange, { code: 200, object, schema }, negotiate(exchange, offer));
}

/** False when the client wants the plain form. */
type AggregatedHandler = (exchange: Exchange) => Promise<boolean>;

const parameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const aggregatedOffer: Offer = {
  formats: plainOffer.formats,
  allows: (_, as) => as?.group === 'apidiscovery.k8s.io' && as.version === 'v2' && as.kind === 'APIGroupDiscoveryList',
};

function aggregatedHandler(services: DiscoveryServices, part: Part): AggregatedHandler {
  const { catalog, schemas, aggregated = nothingAggregated, observer } = services;
  const revision = () => `${catalog.revision}/${aggregated.revision}`;
  const own = cachedBy(revision, () => {
    observer?.onAggregated();
    return hashed(aggregatedDiscovery(catalog, part, aggregated.remoteVersions()));
  });
  // The core group is in every server.
  const peers = part === 'apis' ? services.peers : undefined;
  const ofAll =
    peers &&
    cachedBy(
      () => `${revision()}/${peers.revision}`,
      () => hashed({ ...own().document, items: [...peers.merged(own().document.items ?? [])] }),
    );
  const current = (isAlone: boolean) => {
    if (isAlone) observer?.onNoPeerRequest();
    if (isAlone || ofAll === undefined) return own();
    observer?.onPeerRequest(ofAll.isOutdated());
    return ofAll();
  };
  return async (exchange) => {
    const representation = wantedAggregated(exchange);
    if (representation === undefined) return false;
    if (own.isOutdated()) await prepareAggregated(catalog, part);
    const { document, json, etag } = current(wantsNoPeer(exchange));
    exchange.setHeader('vary', 'Accept');
    exchange.setHeader('etag', etag);
    exchange.setHeader('cache-control', 'public');
    const contentType = `${mediaTypes[representation.format]}${parameters}`;
    if (exchange.headers['if-none-match'] === etag) exchange.send(304, '', '');
    else if (representation.format === 'json' && !representation.pretty) exchange.send(200, contentType, `${json}\n`);
    else exchange.send(200, contentType, await encodeDocument(document, schemas.apiGroupDiscoveryList, representation));
    return true;
  };
}

function hashed(document: APIGroupDiscoveryList) {
  const json = JSON.stringify(document);
  return { document, json, etag: `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"` };
}

/** The first aggregated form that is named counts, as it does for what is negotiated. */
function wantsNoPeer({ headers: { accept } }: Exchange): boolean {
  const wanted = String(accept)
    .split(',')
    .find((clause) => clause.includes('APIGroupDiscoveryList') && /;\s*v=v2\s*(?:;|$)/.test(clause));
  return wanted !== undefined && /;\s*profile=nopeer\s*(?:;|$)/.test(wanted);
}

/** Asked for anywhere in the Accept header, the aggregated form wins over the plain one. */
function wantedAggregated(exchange: Exchange): Representation | undefined {
  const accept = exchange.headers['accept'];
  if (typeof accept !== 'string' || !accept.includes('APIGroupDiscoveryList')) return undefined;
  try {
    return negotiate(exchange, aggregatedOffer);
  } catch {
    return undefined;
  }
}

function cachedBy<T>(version: () => string, make: () => T): { (): T; isOutdated(): boolean } {
  let made: { readonly version: string; readonly value: T } | undefined;
  const isOutdated = () => made?.version !== version();
  const current = () => {
    if (made === undefined || isOutdated()) made = { version: version(), value: make() };
    return made.value;
  };
  return Object.assign(current, { isOutdated });
}
