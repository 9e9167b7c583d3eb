// From an authorized request to the verb that serves it.
import { type ApiError, badRequest, methodNotAllowed, methodNotSupported, noSuchPath, notFound } from '#api/api-error.ts';
import type { RequestInfo } from '#api/request-info.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { type MetaSchemas, type Renderer, sendAnswer } from '#server/answer/answer.ts';
import { sendPageNotFound } from '#server/answer/document.ts';
import { ItemForms } from '#server/answer/item-forms.ts';
import { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import type { Exchange, Handler } from '#server/front/exchange.ts';
import { negotiate, negotiateOrJson, type Offer, resourceOffers, type ResourceOffers } from '#server/answer/negotiate.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { type Patch, RequestForms } from '#server/request-forms.ts';
import { streamWatch, type WatchLimits } from '#server/answer/stream-watch.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Answer } from '#verbs/answer.ts';
import { apply } from '#verbs/apply.ts';
import type { Body } from '#verbs/body.ts';
import type { Call, World } from '#verbs/call.ts';
import { create } from '#verbs/create.ts';
import { deleteCollection } from '#verbs/delete-collection.ts';
import { parseDeleteOptions } from '#verbs/delete-options.ts';
import { deleteObject } from '#verbs/delete.ts';
import { get } from '#verbs/get.ts';
import { list } from '#verbs/list.ts';
import { patch } from '#verbs/patch.ts';
import { handlerKey, scaleKey, type SubresourceHandler, type SubresourceHandlers } from '#verbs/subresource.ts';
import { update } from '#verbs/update.ts';
import { watch } from '#verbs/watch.ts';

export interface DispatchOptions {
  readonly world: World;
  readonly meta: MetaSchemas & { readonly deleteOptions: StructSchema };
  readonly handlers: SubresourceHandlers;
  readonly limits: WatchLimits;
  /** For paths that are no resource of ours: another server's, or none at all. */
  readonly otherwise: Handler;
  /** Resources are read and written as CBOR too. */
  readonly cbor?: Cbor | undefined;
}

/** Kept of lists for clients that take gzip: 100,000 pods of 8 kB take 50 MB. */
const compressedBytes = 64 * 1024 * 1024;

export function dispatchTo(options: DispatchOptions): Handler {
  const { world, meta } = options;
  const offers = resourceOffers(options.cbor);
  const forms = new RequestForms(offers, options.cbor);
  const service: Service = { ...options, offers, forms };
  const { catalog, clock } = world;
  const renderer: Renderer = { catalog, clock, meta, runs: new DeflatedRuns(compressedBytes), forms: new ItemForms(catalog, meta) };
  return async (exchange) => {
    const { info } = exchange;
    if (!info.isResource || info.path.startsWith('//') || !servesGroup(options, info)) {
      await options.otherwise(exchange);
      return;
    }
    const route = routeOf(service, exchange);
    if (route === undefined) {
      sendPageNotFound(exchange);
      return;
    }
    if (route.connects) return connect(exchange, renderer, route);
    if (route.call.definition.refusals === 'handler') exchange.errorOffer = offers.plain;
    forms.refuseUnknown(exchange, route.call.definition);
    exchange.errorOffer = offers.plain;
    warnDeprecated(exchange, route.call.definition);
    if (info.verb === 'watch') {
      const offer = offerAt(offers, route);
      negotiate(exchange, offer);
      // What is wrong with the watch itself is said before the form of its events is settled.
      const stream = await watch(route.call);
      const output = negotiate(exchange, offer === offers.custom ? offers.customWatch : offers.watch);
      await streamWatch(exchange, renderer, stream, output, options.limits);
      return;
    }
    const output = negotiate(exchange, offerAt(offers, route));
    const sending = sendAnswer(exchange, renderer, await perform(exchange, route, service), output);
    if (sending) await sending;
  };
}

/** Neither what the client accepts nor what it sends is ours to judge: that is between it and whom it is connected with. */
async function connect(exchange: Exchange, renderer: Renderer, { call, handler }: Route): Promise<void> {
  if (handler === undefined) throw methodNotAllowed();
  const answer = await handler(call, { verb: exchange.info.verb, body: undefined, patchType: undefined });
  await sendAnswer(exchange, renderer, answer, negotiateOrJson(exchange));
}

/** What requests for resources are served with. */
interface Service extends DispatchOptions {
  readonly offers: ResourceOffers;
  readonly forms: RequestForms;
}

function offerAt(offers: ResourceOffers, { call: { definition, subresource }, verbs }: Route): Offer {
  if (onlyCreates(verbs)) return offers.plain;
  const part = subresource === '' ? undefined : definition.subresources.find(({ name }) => name === subresource);
  if (part?.tables === false) return offers.tableless;
  // The scale of a custom object is written by what writes the object: a built-in kind, but without its protobuf.
  return definition.protobuf ? offers.object : offers.custom;
}

function servesGroup({ world: { catalog } }: DispatchOptions, { group, prefix }: RequestInfo): boolean {
  return (prefix === 'api') === (group === '') && catalog.group(group) !== undefined;
}

interface Route {
  readonly call: Call;
  readonly handler: SubresourceHandler | undefined;
  readonly verbs: readonly string[];
  readonly connects: boolean;
}

/** Refuses what the path or the method cannot mean: 404, 405, 400. Undefined: nothing is there, and no router to say so. */
function routeOf(service: Service, exchange: Exchange): Route | undefined {
  const { info } = exchange;
  const { catalog } = service.world;
  const definition = catalog.find(info.group, info.version, info.resource);
  if (definition === undefined) return unrouted(catalog.isRouted(info.group));
  if (!fitsScope(definition, info) || leadsFurther(info)) return unrouted(definition.refusals === 'router');
  const verbs = verbsAt(definition, info.subresource);
  if (verbs === undefined || (info.parts.length > 1 && onlyCreates(verbs) && info.subresource === '')) throw noSuchPart(definition, info);
  const connects = info.subresource === '' ? undefined : definition.subresources.find(({ name }) => name === info.subresource)?.connects;
  if (!(connects?.includes(exchange.method) ?? takesMethod(definition, info, exchange.method, verbs)))
    throw refusedMethod(exchange, definition, verbs, service.forms);
  refuseBadName(info.name);
  const handler = service.handlers.get(handlerKeyOf(definition, info.subresource));
  return { call: callOf(service.world, exchange, definition), handler, verbs, connects: connects !== undefined };
}

/** A router says in a Status that it knows no such path. */
function unrouted(hasRouter: boolean): undefined {
  if (hasRouter) throw noSuchPath();
}

function noSuchPart({ refusals, group, plural }: ResourceDefinition, { name }: RequestInfo): ApiError {
  return refusals === 'router' ? noSuchPath() : notFound({ group, resource: plural }, name);
}

/** A router knows the list of a resource that cannot be watched; whether a watch is asked for is looked at behind it. */
function refusedMethod(exchange: Exchange, definition: ResourceDefinition, verbs: readonly string[], forms: RequestForms): ApiError {
  const { refusals, group, plural } = definition;
  const { verb, path, name } = exchange.info;
  if (verb === 'watch' && verbs.includes('list') && exchange.method === 'GET') {
    if (isWatchPath(path)) return noSuchPath();
    warnDeprecated(exchange, definition);
    return methodNotSupported({ group, resource: plural }, verb);
  }
  if (refusals === 'router') return methodNotAllowed();
  // A handler looks at what kind of patch it is before it asks what is to be patched.
  forms.refuseUnknown(exchange, definition);
  if (name === '' && needsName.has(verb) && verbs.includes(verb)) return badRequest('name must be provided');
  return methodNotSupported({ group, resource: plural }, verb);
}

function handlerKeyOf({ group, plural, subresources }: ResourceDefinition, subresource: string): string {
  const isScale = subresource !== '' && subresources.some(({ name, scale }) => name === subresource && scale !== undefined);
  return isScale ? scaleKey : handlerKey(group, plural, subresource);
}

function fitsScope(definition: ResourceDefinition, { namespace, name, resource, parts, verb }: RequestInfo): boolean {
  if (definition.namespaced && definition.refusals === 'handler') return namespace !== '' || verb === 'list' || verb === 'watch';
  if (!definition.namespaced) return namespace === '' || (resource === 'namespaces' && name === namespace);
  // A name may also come from a field selector; only one in the path needs a namespace. What cannot be listed is in namespaces only.
  return namespace !== '' || (parts.length < 2 && definition.verbs.includes('list'));
}

/** Only behind a proxy there are paths of another server; the old way to it, as a verb in front, is gone. */
function leadsFurther({ verb, subresource, parts }: RequestInfo): boolean {
  return verb === 'proxy' || (parts.length > 3 && subresource !== 'proxy');
}

function verbsAt(definition: ResourceDefinition, subresource: string): readonly string[] | undefined {
  return subresource === '' ? definition.verbs : definition.subresources.find(({ name }) => name === subresource)?.verbs;
}

/** Reviews, bindings, tokens: nothing is stored, so there is nothing behind a name and nothing for a Table. */
function onlyCreates(verbs: readonly string[]): boolean {
  return verbs.length === 1 && verbs[0] === 'create';
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const needsName = new Set(['get', 'update', 'patch', 'delete']);

function takesMethod(definition: ResourceDefinition, { verb, name, namespace, subresource }: RequestInfo, method: string, verbs: readonly string[]): boolean {
  if (!methods.has(method) || !verbs.includes(verb) || (verb === 'watch' && method !== 'GET')) return false;
  if (subresource !== '') return true;
  if (name === '' && needsName.has(verb)) return false;
  // No route of a built-in kind leads there; upstream's handler of custom resources looks at the verb alone, and takes the name from the object.
  if (name !== '' && verb === 'create') return definition.refusals === 'handler';
  // Across all namespaces one can only look.
  return !definition.namespaced || namespace !== '' || verb === 'list' || verb === 'watch';
}

/** The old way to ask for a watch: as the first element behind the version. */
function isWatchPath(path: string): boolean {
  return /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/watch\//.test(path);
}

function refuseBadName(name: string): void {
  if (name === '.' || name === '..') throw badRequest(`Name parameter invalid: "${name}": may not be '${name}'`);
  for (const character of '/%') {
    if (name.includes(character)) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not contain '${character}'`);
  }
}

function callOf(world: World, exchange: Exchange, definition: ResourceDefinition): Call {
  const { info, user, query } = exchange;
  return {
    world,
    definition,
    hub: world.catalog.hubOf(definition),
    subresource: info.subresource,
    namespace: definition.namespaced ? info.namespace : '',
    name: info.name,
    user,
    query,
    pathBehind: pathBehind(info),
    userAgent: String(exchange.headers['user-agent'] ?? ''),
    asker: exchange,
    warn: (text) => exchange.warn(text),
    annotate: (key, value, level) => exchange.annotate(key, value, level),
    received: (object, schema) => exchange.noteObject(object, schema),
  };
}

/** A slash at the end is kept: it means something to the server behind the proxy. */
function pathBehind({ parts, path }: RequestInfo): string {
  if (parts.length <= 3) return path.endsWith('/') ? '/' : '';
  const behind = parts
    .slice(3)
    .map((part) => `/${part}`)
    .join('');
  return path.endsWith('/') ? `${behind}/` : behind;
}

/** What can be done to a part that has no handler of its own: it is seen and written as the object is. */
const partVerbs = new Set(['get', 'update', 'patch']);

async function perform(exchange: Exchange, { call, handler }: Route, { meta, forms }: Service): Promise<Answer> {
  const { verb } = exchange.info;
  if (handler) return handler(call, await subresourceRequest(exchange, forms));
  // A user who may delete part of an object may not, by that, delete the object.
  if (call.subresource !== '' && !partVerbs.has(verb)) throw methodNotAllowed();
  switch (verb) {
    case 'get':
      return get(call);
    case 'list':
      return list(call);
    case 'create':
      return create(call, await forms.readBody(exchange));
    case 'update':
      return update(call, await forms.readBody(exchange));
    case 'patch':
      return performPatch(call, await forms.readPatch(exchange));
    case 'delete':
      return deleteObject(call, await parseDeleteOptions(meta.deleteOptions, exchange.query, await forms.readOptionalBody(exchange)), meta.status);
    case 'deletecollection':
      return deleteMany(exchange, call, meta, await forms.readOptionalBody(exchange));
    default:
      throw methodNotAllowed();
  }
}

async function deleteMany({ query }: Exchange, call: Call, { deleteOptions }: DispatchOptions['meta'], body: Body | undefined): Promise<Answer> {
  return deleteCollection(call, () => parseDeleteOptions(deleteOptions, query, body));
}

async function subresourceRequest(exchange: Exchange, forms: RequestForms) {
  const { verb } = exchange.info;
  if (verb === 'patch') {
    const { type: patchType, body } = await forms.readPatch(exchange);
    return { verb, patchType, body };
  }
  const writes = verb === 'create' || verb === 'update';
  const body = writes ? await forms.readBody(exchange) : verb === 'delete' ? await forms.readOptionalBody(exchange) : undefined;
  return { verb, patchType: undefined, body };
}

function performPatch(call: Call, { type, body }: Patch): Promise<Answer> {
  return type === 'apply' ? apply(call, body) : patch(call, type, body.bytes);
}

function warnDeprecated(exchange: Exchange, { version, kind, lifecycle }: ResourceDefinition): void {
  const { deprecated, removed, replacement, warning } = lifecycle;
  if (warning !== undefined) exchange.warn(warning);
  if (deprecated === undefined || !isReached(deprecated)) return;
  const gone = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const instead = replacement === undefined ? '' : `; use ${replacementText(replacement)}`;
  const subject = `${exchange.info.group === '' ? '' : `${exchange.info.group}/`}${version} ${kind}`;
  exchange.warn(`${subject} is deprecated in v${deprecated}+${gone}${instead}`);
}

/** Clients are warned that this version will go. */
export function isDeprecated({ lifecycle: { deprecated, warning } }: ResourceDefinition): boolean {
  return warning !== undefined || (deprecated !== undefined && isReached(deprecated));
}

const apiMinor = 36;

function isReached(release: string): boolean {
  return Number(release.split('.')[1] ?? Number.POSITIVE_INFINITY) <= apiMinor;
}

/** `discovery.k8s.io/v1/EndpointSlice` reads `discovery.k8s.io/v1 EndpointSlice`. */
function replacementText(replacement: string): string {
  const cut = replacement.lastIndexOf('/');
  return `${replacement.slice(0, cut)} ${replacement.slice(cut + 1)}`;
}
