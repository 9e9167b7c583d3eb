// From an authorized request to the verb that serves it.
import { ApiError, badRequest, methodNotAllowed, methodNotSupported, noSuchPath, notFound } from '#api/api-error.ts';
import { isCustom } from '#schema/struct-plan.ts';
import type { RequestInfo } from '#api/request-info.ts';
import type { PatchFormat, ResourceDefinition } from '#resource/definition.ts';
import { type MetaSchemas, type Renderer, sendAnswer } from '#server/answer/answer.ts';
import { sendPageNotFound } from '#server/answer/document.ts';
import { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import type { Exchange, Handler } from '#server/front/exchange.ts';
import {
  formatOfBody,
  negotiate,
  negotiateOrJson,
  customObjectOffer,
  customWatchOffer,
  objectOffer,
  type Offer,
  plainOffer,
  refuseUnknownAccept,
  tablelessOffer,
  unsupportedMediaType,
  watchOffer,
} from '#server/answer/negotiate.ts';
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
import type { PatchType } from '#verbs/compute-patch.ts';
import { patch } from '#verbs/patch.ts';
import { handlerKey, scaleKey, type SubresourceHandler, type SubresourceHandlers } from '#verbs/subresource.ts';
import { update } from '#verbs/update.ts';
import { watch } from '#verbs/watch.ts';

export interface DispatchOptions {
  readonly world: World;
  readonly meta: MetaSchemas & { readonly deleteOptions: StructSchema };
  readonly handlers: SubresourceHandlers;
  readonly limits: WatchLimits;
  /** For paths that are no resource of ours: another server's, or nobody's. */
  readonly otherwise: Handler;
}

const maxBodyBytes = 3 * 1024 * 1024;
/** Kept of lists for clients that take gzip: 100,000 pods of 8 kB take 50 MB. */
const compressedBytes = 64 * 1024 * 1024;

export function dispatchTo(options: DispatchOptions): Handler {
  const { world, meta } = options;
  const renderer: Renderer = { catalog: world.catalog, clock: world.clock, meta, runs: new DeflatedRuns(compressedBytes) };
  return async (exchange) => {
    const { info } = exchange;
    if (!info.isResource || info.path.startsWith('//') || !servesGroup(options, info)) {
      await options.otherwise(exchange);
      return;
    }
    const route = routeOf(options, exchange);
    if (route === undefined) {
      sendPageNotFound(exchange);
      return;
    }
    if (route.connects) return connect(exchange, renderer, route);
    refuseUnknownForms(exchange, route.call.definition);
    warnDeprecated(exchange, route.call.definition);
    if (info.verb === 'watch') {
      const output = negotiate(exchange, isCustom(route.call.definition.schema) ? customWatchOffer : watchOffer);
      await streamWatch(exchange, renderer, await watch(route.call), output, options.limits);
      return;
    }
    const offer = offerAt(route);
    const output = negotiate(exchange, offer);
    const sending = sendAnswer(exchange, renderer, await perform(exchange, route, options), output);
    if (sending) await sending;
  };
}

/** Neither what the client accepts nor what it sends is ours to judge: that is between it and whom it is connected with. */
async function connect(exchange: Exchange, renderer: Renderer, { call, handler }: Route): Promise<void> {
  if (handler === undefined) throw methodNotAllowed();
  const answer = await handler(call, { verb: exchange.info.verb, body: undefined, patchType: undefined });
  await sendAnswer(exchange, renderer, answer, negotiateOrJson(exchange));
}

function offerAt({ call: { definition, subresource }, verbs }: Route): Offer {
  if (onlyCreates(verbs)) return plainOffer;
  const part = definition.subresources.find(({ name }) => name === subresource);
  if (part?.tables === false) return tablelessOffer;
  // A Scale is a built-in kind, whatever it belongs to.
  return isCustom(definition.schema) && part?.scale === undefined ? customObjectOffer : objectOffer;
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
function routeOf(options: DispatchOptions, exchange: Exchange): Route | undefined {
  const { info } = exchange;
  const { catalog } = options.world;
  const definition = catalog.find(info.group, info.version, info.resource);
  if (definition === undefined) return unrouted(catalog.isRouted(info.group));
  if (!fitsScope(definition, info) || leadsFurther(info)) return unrouted(definition.refusals === 'router');
  const verbs = verbsAt(definition, info.subresource);
  if (verbs === undefined || (info.parts.length > 1 && onlyCreates(verbs) && info.subresource === '')) throw noSuchPart(definition, info);
  const connects = definition.subresources.find(({ name }) => name === info.subresource)?.connects;
  if (!(connects?.includes(exchange.method) ?? takesMethod(definition, info, exchange.method, verbs))) throw refusedMethod(exchange, definition, verbs);
  refuseBadName(info.name);
  const handler = options.handlers.get(handlerKeyOf(definition, info.subresource));
  return { call: callOf(options.world, exchange, definition), handler, verbs, connects: connects !== undefined };
}

/** A router says in a Status that it knows no such path. */
function unrouted(hasRouter: boolean): undefined {
  if (hasRouter) throw noSuchPath();
}

function noSuchPart({ refusals, group, plural }: ResourceDefinition, { name }: RequestInfo): ApiError {
  return refusals === 'router' ? noSuchPath() : notFound({ group, resource: plural }, name);
}

/** A router knows the list of a resource that cannot be watched; whether a watch is asked for is looked at behind it. */
function refusedMethod(exchange: Exchange, definition: ResourceDefinition, verbs: readonly string[]): ApiError {
  const { refusals, group, plural } = definition;
  const { verb, path } = exchange.info;
  if (verb === 'watch' && verbs.includes('list') && exchange.method === 'GET') {
    if (isWatchPath(path)) return noSuchPath();
    warnDeprecated(exchange, definition);
    return methodNotSupported({ group, resource: plural }, verb);
  }
  return refusals === 'router' ? methodNotAllowed() : methodNotSupported({ group, resource: plural }, verb);
}

/** What a router looks at before it has picked a handler, and what a handler looks at itself. */
function refuseUnknownForms(exchange: Exchange, { refusals, patchFormats }: ResourceDefinition): void {
  const { verb } = exchange.info;
  if (refusals === 'router') refuseUnknownAccept(exchange, verb === 'list' || verb === 'watch' ? 'collection' : 'single');
  if (verb !== 'patch') return;
  if (refusals === 'router') refuseUnknownPatch(exchange);
  const type = patchTypeNamed(String(exchange.headers['content-type'] ?? ''));
  if (refusals === 'handler' && (type === undefined || !patchFormats.includes(type))) {
    throw unsupportedMediaType(Object.keys(patchTypes).filter((name) => patchFormats.includes(patchTypes[name] as PatchFormat)));
  }
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

/** Only behind a proxy there are paths of somebody else; the old way to it, as a verb in front, is gone. */
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
  if (name === '' ? needsName.has(verb) : verb === 'create') return false;
  // Across all namespaces one can only look.
  return !definition.namespaced || namespace !== '' || verb === 'list' || verb === 'watch';
}

/** The old way to ask for a watch: as the first element behind the version. */
function isWatchPath(path: string): boolean {
  return /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/watch\//.test(path);
}

function refuseBadName(name: string): void {
  if (name === '.' || name === '..') throw badRequest(`Name parameter invalid: "${name}": may not be '${name}'`);
  for (const character of ['/', '%']) {
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
    pathBehind: info.parts.slice(3).join('/'),
    userAgent: String(exchange.headers['user-agent'] ?? ''),
    asker: exchange,
    warn: (text) => exchange.warn(text),
    annotate: (key, value, level) => exchange.annotate(key, value, level),
    received: (object, schema) => exchange.noteObject(object, schema),
  };
}

/** What can be done to a part that has no handler of its own: it is seen and written as the object is. */
const partVerbs = new Set(['get', 'update', 'patch']);

async function perform(exchange: Exchange, { call, handler }: Route, options: DispatchOptions): Promise<Answer> {
  const { verb } = exchange.info;
  if (handler) return handler(call, await subresourceRequest(exchange));
  // Whoever may delete part of an object may not, by that, delete the object.
  if (call.subresource !== '' && !partVerbs.has(verb)) throw methodNotAllowed();
  switch (verb) {
    case 'get':
      return get(call);
    case 'list':
      return list(call);
    case 'create':
      return create(call, await readBody(exchange));
    case 'update':
      return update(call, await readBody(exchange));
    case 'patch':
      return performPatch(exchange, call);
    case 'delete':
      return deleteObject(call, parseDeleteOptions(options.meta.deleteOptions, exchange.query, await readOptionalBody(exchange)), options.meta.status);
    case 'deletecollection':
      return deleteMany(exchange, call, options);
    default:
      throw methodNotAllowed();
  }
}

async function deleteMany(exchange: Exchange, call: Call, { meta }: DispatchOptions): Promise<Answer> {
  const body = await readOptionalBody(exchange);
  return deleteCollection(call, () => parseDeleteOptions(meta.deleteOptions, exchange.query, body));
}

async function subresourceRequest(exchange: Exchange) {
  const { verb } = exchange.info;
  if (verb === 'patch') return { verb, patchType: patchTypeOf(exchange), body: { mediaType: 'json' as const, bytes: await exchange.readBody(maxBodyBytes) } };
  const body = verb === 'create' || verb === 'update' ? await readBody(exchange) : verb === 'delete' ? await readOptionalBody(exchange) : undefined;
  return { verb, patchType: undefined, body };
}

async function performPatch(exchange: Exchange, call: Call): Promise<Answer> {
  const type = patchTypeOf(exchange);
  const bytes = await exchange.readBody(maxBodyBytes);
  return type === 'apply' ? apply(call, bytes) : patch(call, type, bytes);
}

const patchTypes: Readonly<Record<string, PatchType | 'apply'>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Before anything else is said about the resource: a type nobody knows finds no route in the original. */
function refuseUnknownPatch({ headers }: Exchange): void {
  const known = String(headers['content-type'] ?? '')
    .split(',')
    .some((part) => patchTypeNamed(part) !== undefined);
  if (!known) throw unroutablePatch();
}

function unroutablePatch(): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
}

function patchTypeOf(exchange: Exchange): PatchType | 'apply' {
  const contentType = String(exchange.headers['content-type'] ?? '');
  if (contentType.includes(',')) throw unsupportedMediaType(Object.keys(patchTypes));
  const type = patchTypeNamed(contentType);
  if (type === undefined) throw unroutablePatch();
  return type;
}

function patchTypeNamed(contentType: string): PatchType | 'apply' | undefined {
  const name = (contentType.split(';', 1)[0] ?? '').trim();
  return Object.hasOwn(patchTypes, name) ? patchTypes[name] : undefined;
}

async function readBody(exchange: Exchange): Promise<Body> {
  const mediaType = formatOfBody(exchange.headers);
  return { mediaType, bytes: await exchange.readBody(maxBodyBytes) };
}

/** DELETE looks at the content type only when there is a body. */
async function readOptionalBody(exchange: Exchange): Promise<Body | undefined> {
  const bytes = await exchange.readBody(maxBodyBytes);
  return bytes.length === 0 ? undefined : { mediaType: formatOfBody(exchange.headers), bytes };
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

const apiMinor = 36;

function isReached(release: string): boolean {
  return Number(release.split('.')[1] ?? Number.POSITIVE_INFINITY) <= apiMinor;
}

/** `discovery.k8s.io/v1/EndpointSlice` reads `discovery.k8s.io/v1 EndpointSlice`. */
function replacementText(replacement: string): string {
  const cut = replacement.lastIndexOf('/');
  return `${replacement.slice(0, cut)} ${replacement.slice(cut + 1)}`;
}
