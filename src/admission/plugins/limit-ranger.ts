// Defaults and bounds for what containers, pods and claims of a namespace ask for.
import { andThen } from '#base/and-then.ts';
import { int64ScaledValue, parseQuantity, type Quantity } from '#base/quantity.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionScope } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { podAmounts } from '#admission/pod-amounts.ts';
import { isPodCreate, joined, only, podOf, pods, refusal, type StoredPod } from '#admission/request-subject.ts';
import { formatQuantity } from '#base/quantity.ts';
import { type Amounts, parseAmounts, type ResourceList } from '#admission/resource-list.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { LimitRange, LimitRangeItem } from '#kinds/core/v1/limit-range.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';

const claims = { group: '', resource: 'persistentvolumeclaims' };
const limitRanges = { group: '', resource: 'limitranges' };
const noted = 'kubernetes.io/limit-ranger';
const maxMilli = (2n ** 63n - 1n) / 1000n;

type StoredRange = LimitRange & KubernetesObject;

export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  matches: (scope) => concernsPod(scope) || concernsClaim(scope),
  mutate(request) {
    return concernsPod(request) && !isGoing(request) ? addDefaults(request) : undefined;
  },
  validate(request) {
    if (isGoing(request)) return undefined;
    if (concernsPod(request)) return refuseOutOfBounds(request, (range) => podFindings(range, podOf(request), request.gate('PodLevelResources')));
    return refuseOutOfBounds(request, (range) => claimFindings(range, request.object as unknown as PersistentVolumeClaim));
  },
};

/** Amounts of a pod are settled when it is made, and again when it is resized. */
function concernsPod(scope: AdmissionScope): boolean {
  return isPodCreate(scope) || isResize(scope);
}

const isResize = only(['UPDATE'], pods, 'resize');
const concernsClaim = only(['CREATE', 'UPDATE'], claims);

function isGoing({ old }: AdmissionRequest): boolean {
  return old?.metadata.deletionTimestamp !== undefined;
}

function addDefaults(request: AdmissionRequest): Promise<void> | void {
  return andThen(request.lister.list<StoredRange>(limitRanges, request.namespace), (ranges) => {
    for (const range of ranges) applyDefaults(range, podOf(request));
  });
}

function refuseOutOfBounds(request: AdmissionRequest, findingsOf: (range: StoredRange) => readonly string[]): Promise<void> | void {
  return andThen(request.lister.list<StoredRange>(limitRanges, request.namespace), (ranges) => {
    for (const range of ranges) {
      const findings = findingsOf(range);
      if (findings.length > 0) throw refusal(request, joined(findings));
    }
  });
}

function itemsOf({ spec }: StoredRange, type: string): readonly LimitRangeItem[] {
  return (spec.limits ?? []).filter((item) => item.type === type);
}

interface Defaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
  /** Sorted. */
  readonly requestNames: readonly string[];
  readonly limitNames: readonly string[];
}

/** Every pod of the namespace asks for them; a range that changes is another object. */
const knownDefaults = new WeakMap<StoredRange, Defaults>();

function defaultsOf(range: StoredRange): Defaults {
  const known = knownDefaults.get(range);
  if (known) return known;
  const items = itemsOf(range, 'Container');
  const requests = Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)) as ResourceList;
  const limits = Object.assign({}, ...items.map((item) => item.default)) as ResourceList;
  const defaults = { requests, limits, requestNames: Object.keys(requests).toSorted(), limitNames: Object.keys(limits).toSorted() };
  knownDefaults.set(range, defaults);
  return defaults;
}

function applyDefaults(range: StoredRange, { metadata, spec }: StoredPod): void {
  const defaults = defaultsOf(range);
  const notes: string[] = [];
  for (const container of spec.containers ?? []) fill(container, 'container', defaults, notes);
  for (const container of spec.initContainers ?? []) fill(container, 'init container', defaults, notes);
  if (notes.length > 0) metadata.annotations = { ...metadata.annotations, [noted]: `LimitRanger plugin set: ${notes.join('; ')}` };
}

function fill(container: Container, what: string, { requests, limits, requestNames, limitNames }: Defaults, notes: string[]): void {
  const asked = fillSide(container, 'requests', requests, requestNames);
  const limited = fillSide(container, 'limits', limits, limitNames);
  if (asked.length > 0) notes.push(`${asked.join(', ')} request for ${what} ${container.name}`);
  if (limited.length > 0) notes.push(`${limited.join(', ')} limit for ${what} ${container.name}`);
}

/** The names that were missing, sorted. */
function fillSide({ resources }: Container, side: 'requests' | 'limits', defaults: ResourceList, names: readonly string[]): readonly string[] {
  const given = (resources[side] ?? {}) as ResourceList;
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length > 0) resources[side] = { ...defaults, ...given } as Exclude<(typeof resources)[typeof side], undefined>;
  return missing;
}

/** Many ranges have defaults only. */
const knownBounds = new WeakMap<StoredRange, readonly LimitRangeItem[]>();

function boundsOf(range: StoredRange): readonly LimitRangeItem[] {
  const known = knownBounds.get(range);
  if (known) return known;
  const bounds = (range.spec.limits ?? []).filter(({ min, max, maxLimitRequestRatio }) => min ?? max ?? maxLimitRequestRatio);
  knownBounds.set(range, bounds);
  return bounds;
}

function podFindings(range: StoredRange, pod: StoredPod, podLevel: boolean): readonly string[] {
  const bounds = boundsOf(range);
  if (bounds.length === 0) return [];
  return bounds.flatMap((item) => {
    if (item.type === 'Container') return containersOf(pod).flatMap(({ resources }) => boundFindings(item, amountsOf(resources)));
    if (item.type !== 'Pod') return [];
    return boundFindings(item, { requests: podAmounts(pod, 'requests', { podLevel }), limits: podAmounts(pod, 'limits', { podLevel }) });
  });
}

function containersOf({ spec }: StoredPod): readonly Container[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
}

interface Both {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function amountsOf(resources: Container['resources']): Both {
  return { requests: parseAmounts(resources.requests as ResourceList), limits: parseAmounts(resources.limits as ResourceList) };
}

function claimFindings(range: StoredRange, { spec }: PersistentVolumeClaim): string[] {
  const both = { requests: parseAmounts(spec.resources.requests as ResourceList), limits: new Map<string, Quantity>() };
  return itemsOf(range, 'PersistentVolumeClaim').flatMap((item) => [...eachBound(item, 'min', both, tooLittle), ...eachBound(item, 'max', both, tooMuchAsked)]);
}

function boundFindings(item: LimitRangeItem, both: Both): string[] {
  return [...eachBound(item, 'min', both, tooLittle), ...eachBound(item, 'max', both, tooMuch), ...eachBound(item, 'maxLimitRequestRatio', both, tooSteep)];
}

interface Bound {
  readonly name: string;
  readonly type: string;
  readonly bound: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

function eachBound(
  item: LimitRangeItem,
  kind: 'min' | 'max' | 'maxLimitRequestRatio',
  { requests, limits }: Both,
  check: (bound: Bound) => string | undefined,
): string[] {
  const bounds = (item[kind] ?? {}) as ResourceList;
  return Object.keys(bounds)
    .toSorted()
    .flatMap((name) => {
      const bound = parseQuantity(bounds[name] ?? '0');
      return check({ name, type: item.type, bound, request: requests.get(name), limit: limits.get(name) }) ?? [];
    });
}

function tooLittle({ name, type, bound, request, limit }: Bound): string | undefined {
  const head = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${head}.  No request is specified`;
  const { request: asked, limit: most, bound: least } = comparable(bound, request, limit);
  if (asked < least) return `${head}, but request is ${formatQuantity(request)}`;
  return limit !== undefined && most < least ? `${head}, but limit is ${formatQuantity(limit)}` : undefined;
}

function tooMuchAsked({ name, type, bound, request }: Bound): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${head}.  No request is specified`;
  const { request: asked, bound: most } = comparable(bound, request, undefined);
  return asked > most ? `${head}, but request is ${formatQuantity(request)}` : undefined;
}

function tooMuch({ name, type, bound, request, limit }: Bound): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (limit === undefined) return `${head}.  No limit is specified`;
  const { request: asked, limit: allowed, bound: most } = comparable(bound, request, limit);
  if (allowed > most) return `${head}, but limit is ${formatQuantity(limit)}`;
  return request !== undefined && asked > most ? `${head}, but request is ${formatQuantity(request)}` : undefined;
}

function tooSteep({ name, type, bound, request, limit }: Bound): string | undefined {
  const head = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  const { request: asked, limit: allowed } = comparable(bound, request, limit);
  if (request === undefined || asked === 0n) return `${head}, but no request is specified or request is 0`;
  if (limit === undefined || allowed === 0n) return `${head}, but no limit is specified or limit is 0`;
  const ratio = Number(allowed) / Number(asked);
  return ratio * 1000 > Number(int64ScaledValue(bound, -3)) ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** In thousandths, unless one of them is too large for that. */
function comparable(bound: Quantity, request: Quantity | undefined, limit: Quantity | undefined): { request: bigint; limit: bigint; bound: bigint } {
  const amounts = [request, limit, bound] as const;
  const fine = amounts.every((amount) => amount === undefined || int64ScaledValue(amount, 0) <= maxMilli);
  const [asked = 0n, allowed = 0n, edge = 0n] = amounts.map((amount) => (amount === undefined ? 0n : int64ScaledValue(amount, fine ? -3 : 0)));
  return { request: asked, limit: allowed, bound: edge };
}
