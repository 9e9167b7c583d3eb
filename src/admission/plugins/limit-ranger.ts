// Defaults and bounds for what containers, pods and claims of a namespace ask for.
import { milliValue, parseQuantity, type Quantity, valueOfQuantity } from '#api/quantity.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { podAmounts } from '#admission/pod-amounts.ts';
import { isAbout, joined, podOf, pods, refusal, type StoredPod } from '#admission/request-subject.ts';
import { formatQuantity } from '#api/quantity.ts';
import { type Amounts, parseAmounts, type ResourceList } from '#admission/resource-list.ts';
import type { Container } from '#kinds/core/v1/container.ts';
import type { LimitRange, LimitRangeItem } from '#kinds/core/v1/limit-range.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/persistent-volume-claim.ts';

const claims = { group: '', resource: 'persistentvolumeclaims' };
const limitRanges = { group: '', resource: 'limitranges' };
const noted = 'kubernetes.io/limit-ranger';
const maxMilli = (2n ** 63n - 1n) / 1000n;

type StoredRange = LimitRange & KubernetesObject;

export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  mutate(request) {
    return concernsPod(request) && !isGoing(request) ? addDefaults(request) : undefined;
  },
  validate(request) {
    if (isGoing(request)) return undefined;
    if (concernsPod(request)) return refuseOutOfBounds(request, (range) => podFindings(range, podOf(request), request.gate('PodLevelResources')));
    return concernsClaim(request) ? refuseOutOfBounds(request, (range) => claimFindings(range, request.object as unknown as PersistentVolumeClaim)) : undefined;
  },
};

/** Amounts of a pod are settled when it is made, and again when it is resized. */
function concernsPod(request: AdmissionRequest): boolean {
  return (request.operation === 'CREATE' && isAbout(request, pods)) || (request.operation === 'UPDATE' && isAbout(request, pods, 'resize'));
}

function concernsClaim(request: AdmissionRequest): boolean {
  return isAbout(request, claims) && (request.operation === 'CREATE' || request.operation === 'UPDATE');
}

function isGoing({ old }: AdmissionRequest): boolean {
  return old?.metadata.deletionTimestamp !== undefined;
}

async function addDefaults(request: AdmissionRequest): Promise<void> {
  for (const range of await request.lister.list<StoredRange>(limitRanges, request.namespace)) applyDefaults(range, podOf(request));
}

async function refuseOutOfBounds(request: AdmissionRequest, findingsOf: (range: StoredRange) => readonly string[]): Promise<void> {
  for (const range of await request.lister.list<StoredRange>(limitRanges, request.namespace)) {
    const findings = findingsOf(range);
    if (findings.length > 0) throw refusal(request, joined(findings));
  }
}

function itemsOf({ spec }: StoredRange, type: string): readonly LimitRangeItem[] {
  return (spec.limits ?? []).filter((item) => item.type === type);
}

function applyDefaults(range: StoredRange, { metadata, spec }: StoredPod): void {
  const items = itemsOf(range, 'Container');
  const requests = Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)) as ResourceList;
  const limits = Object.assign({}, ...items.map((item) => item.default)) as ResourceList;
  const notes = [
    ...(spec.containers ?? []).flatMap((container) => fill(container, 'container', requests, limits)),
    ...(spec.initContainers ?? []).flatMap((container) => fill(container, 'init container', requests, limits)),
  ];
  if (notes.length > 0) metadata.annotations = { ...metadata.annotations, [noted]: `LimitRanger plugin set: ${notes.join('; ')}` };
}

function fill(container: Container, what: string, requests: ResourceList, limits: ResourceList): string[] {
  const note = (side: string, names: readonly string[]) => (names.length === 0 ? [] : [`${names.join(', ')} ${side} for ${what} ${container.name}`]);
  const setLimits = fillSide(container, 'limits', limits);
  return [...note('request', fillSide(container, 'requests', requests)), ...note('limit', setLimits)];
}

/** The names that were missing, sorted. */
function fillSide({ resources }: Container, side: 'requests' | 'limits', defaults: ResourceList): string[] {
  const given = (resources[side] ?? {}) as ResourceList;
  const missing = Object.keys(defaults)
    .filter((name) => given[name] === undefined)
    .toSorted();
  if (missing.length > 0) resources[side] = { ...defaults, ...given } as Exclude<(typeof resources)[typeof side], undefined>;
  return missing;
}

function podFindings(range: StoredRange, pod: StoredPod, podLevel: boolean): string[] {
  return (range.spec.limits ?? []).flatMap((item) => {
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
  return ratio * 1000 > Number(milliValue(bound)) ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** In thousandths, unless one of them is too large for that. */
function comparable(bound: Quantity, request: Quantity | undefined, limit: Quantity | undefined): { request: bigint; limit: bigint; bound: bigint } {
  const amounts = [request, limit, bound] as const;
  const fine = amounts.every((amount) => amount === undefined || valueOfQuantity(amount) <= maxMilli);
  const [asked = 0n, allowed = 0n, edge = 0n] = amounts.map((amount) => (amount === undefined ? 0n : fine ? milliValue(amount) : valueOfQuantity(amount)));
  return { request: asked, limit: allowed, bound: edge };
}
