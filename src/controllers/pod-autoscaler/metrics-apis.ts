// Metrics of pods and objects from the APIs that other servers add: metrics.k8s.io, custom.metrics.k8s.io, external.metrics.k8s.io. Values are in
// thousandths, as the original calculates. What goes wrong is thrown in its words.
import { ApiError } from '#api/api-error.ts';
import type { LabelSelector } from '#api/label-selector.ts';
import type { GroupResource } from '#api/names.ts';
import { messageOf } from '#base/message-of.ts';
import { milliValue, parseQuantity } from '#base/quantity.ts';
import { parseDuration } from '#base/time/duration.ts';
import type { RestClient } from '#client/rest-client.ts';

export interface PodMetric {
  readonly value: number;
  /** When it was measured, and over which time before; milliseconds. */
  readonly at: number;
  readonly windowMs: number;
}

/** By the name of the pod. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

interface RawPodMetrics {
  readonly metadata: { readonly name: string };
  readonly timestamp: string;
  readonly window: string;
  readonly containers?: readonly { readonly name: string; readonly usage: Readonly<Record<string, string>> }[];
}

interface RawMetricValue {
  readonly describedObject: { readonly name: string };
  readonly timestamp: string;
  readonly windowSeconds?: number;
  readonly value: string;
}

export interface MetricsApisOptions {
  readonly client: RestClient;
  /** The resource of a kind, in any version; undefined: no such kind is served. */
  readonly resourceOf: (group: string, kind: string) => GroupResource | undefined;
}

const customGroup = 'custom.metrics.k8s.io';
const externalGroup = 'external.metrics.k8s.io';
const defaultWindowMs = 60_000;

export class MetricsApis {
  readonly #options: MetricsApisOptions;

  constructor(options: MetricsApisOptions) {
    this.#options = options;
  }

  /** What pods use of a resource; of one container, where it is named. */
  async ofResource(resource: string, namespace: string, selector: LabelSelector, container: string): Promise<PodMetrics> {
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods?${query({ labelSelector: selector.text })}`;
    const items = await this.#items<RawPodMetrics>(path, 'pods.metrics.k8s.io', 'resource metrics API');
    const metrics = new Map<string, PodMetric>();
    for (const { metadata, timestamp, window, containers = [] } of items) {
      const counted = container === '' ? containers : containers.filter(({ name }) => name === container);
      const used = counted.map(({ usage }) => usage[resource]);
      if (used.length === 0 || used.includes(undefined)) continue;
      const value = used.reduce((sum, text) => sum + milli(text ?? '0'), 0);
      metrics.set(metadata.name, { value, at: Date.parse(timestamp), windowMs: Number(parseDuration(window)) / 1e6 });
    }
    return metrics;
  }

  async ofPods(metric: string, namespace: string, selector: LabelSelector, metricSelector: LabelSelector): Promise<PodMetrics> {
    const asked = query({ labelSelector: selector.text, metricLabelSelector: metricSelector.text });
    const path = `${await this.#customApi()}/namespaces/${namespace}/pods/*/${metric}?${asked}`;
    const items = await this.#items<RawMetricValue>(path, `pods.${customGroup} *`, 'custom metrics API');
    const entries = items.map(({ describedObject, timestamp, windowSeconds, value }) => {
      const windowMs = windowSeconds === undefined ? defaultWindowMs : windowSeconds * 1000;
      return [describedObject.name, { value: milli(value), at: Date.parse(timestamp), windowMs }] as const;
    });
    return new Map(entries);
  }

  /** A Namespace is asked about as itself, whichever the reference names. */
  async ofObject(metric: string, namespace: string, { group, kind, name }: Described, metricSelector: LabelSelector): Promise<number> {
    const asked = query({ metricLabelSelector: metricSelector.text });
    const isNamespace = kind === 'Namespace' && group === '';
    const resource = isNamespace ? { group: '', resource: 'metrics' } : this.#options.resourceOf(group, kind);
    if (resource === undefined)
      throw new Error(fetching('custom metrics API', `unable to map kind ${groupKind(group, kind)} to resource: ${noMatch(group, kind)}`));
    const plural = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
    const place = isNamespace ? `metrics/${metric}` : `${plural}/${name}/${metric}`;
    const path = `${await this.#customApi()}/namespaces/${namespace}/${place}?${asked}`;
    const [item, ...others] = await this.#items<RawMetricValue>(path, `${plural}.${customGroup} ${isNamespace ? metric : name}`, 'custom metrics API', true);
    if (item !== undefined && others.length === 0) return milli(item.value);
    const count = item === undefined ? 0 : others.length + 1;
    throw new Error(fetching('custom metrics API', `the custom metrics API server returned ${count} results when we asked for exactly one`));
  }

  async ofExternal(metric: string, namespace: string, metricSelector: LabelSelector): Promise<readonly number[]> {
    const path = `/apis/${externalGroup}/v1beta1/namespaces/${namespace}/${metric}?${query({ labelSelector: metricSelector.text })}`;
    const items = await this.#items<RawMetricValue>(path, `${metric}.${externalGroup}`, 'external metrics API');
    return items.map(({ value }) => milli(value));
  }

  async #customApi(): Promise<string> {
    const { groups } = await this.#options.client.request<{ groups: { name: string; versions: { version: string }[] }[] }>({ method: 'GET', path: '/apis' });
    const served = groups.find(({ name }) => name === customGroup)?.versions.map(({ version }) => version) ?? [];
    const version = ['v1beta2', 'v1beta1'].find((known) => served.includes(known));
    if (version === undefined) throw new Error(fetching('custom metrics API', `no custom metrics API (${customGroup}) registered`));
    return `/apis/${customGroup}/${version}`;
  }

  async #items<T>(path: string, what: string, api: string, isEmptyFine = false): Promise<readonly T[]> {
    let items: readonly T[];
    try {
      items = (await this.#options.client.request<{ items?: readonly T[] }>({ method: 'GET', path })).items ?? [];
    } catch (error) {
      throw new Error(fetching(api, wordsOf(error, what)), { cause: error });
    }
    if (items.length === 0 && !isEmptyFine) throw new Error(`no metrics returned from ${api}`);
    return items;
  }
}

export interface Described {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

export function noMatch(group: string, kind: string): string {
  return `no matches for kind "${kind}" in group "${group}"`;
}

function groupKind(group: string, kind: string): string {
  return group === '' ? kind : `${kind}.${group}`;
}

function fetching(api: string, problem: string): string {
  return `unable to fetch metrics from ${api}: ${problem}`;
}

/** What client-go makes of answers that are no Status. */
function wordsOf(error: unknown, what: string): string {
  if (!(error instanceof ApiError) || error.details !== undefined) return messageOf(error);
  if (error.code === 404) return `the server could not find the requested resource (get ${what})`;
  return error.code === 503 ? `the server is currently unable to handle the request (get ${what})` : messageOf(error);
}

function query(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
}

export function milli(text: string): number {
  return Number(milliValue(parseQuantity(text)));
}
