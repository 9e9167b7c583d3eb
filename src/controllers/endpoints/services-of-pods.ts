// The Services that a change of a pod is about: those whose selector selects it now, and those that selected it by the labels it had before.
import type { Labels } from '#api/label-match.ts';
import { type LabelSelector, labelSelectorOf } from '#api/label-selector.ts';
import { type ChangeType, type Follower, type Source, type SourceItem, sourceKey } from '#api/source.ts';
import type { KeySource } from '#controllers/controller.ts';
import type { StoredPod, StoredService } from '#controllers/endpoints/pod-endpoint.ts';

const selectorPath = ['spec', 'selector'].map((name) => Buffer.from(name));
const labelsPath = ['metadata', 'labels'].map((name) => Buffer.from(name));

/**
 * Keeps the selectors of all Services by their namespaces: where many pods change, none of them reads a Service. A Service that it hears of
 * after a pod is looked at for its own sake.
 */
export function servicesOfPods(pods: Source<StoredPod>, services: Source<StoredService>): KeySource {
  return async (enqueue, signal) => {
    const selectorsIn = new Map<string, Map<string, LabelSelector>>();
    const labelled = new Map<string, { readonly namespace: string; readonly labels: Labels }>();
    const enqueueSelecting = (namespace: string, labels: Labels) => {
      for (const [service, selector] of selectorsIn.get(namespace) ?? []) if (selector.matches(labels)) enqueue(service);
    };
    const tell = (item: SourceItem<StoredPod>, type: ChangeType) => {
      const key = sourceKey(item);
      const { namespace } = item;
      const labels = (item.valueAt(labelsPath) as Labels | undefined) ?? {};
      const before = labelled.get(key);
      if (before) enqueueSelecting(namespace, before.labels);
      enqueueSelecting(namespace, labels);
      if (type === 'DELETED') labelled.delete(key);
      else labelled.set(key, { namespace, labels });
    };
    const begin = (all: readonly SourceItem<StoredPod>[]) => {
      for (const { namespace, labels } of labelled.values()) enqueueSelecting(namespace, labels);
      labelled.clear();
      for (const item of all) tell(item, 'ADDED');
    };
    await services.follow(keepSelectors(selectorsIn), signal);
    await pods.follow({ begin, change: (type, item) => tell(item, type) }, signal);
  };
}

/** Only of Services that have a selector. */
function keepSelectors(selectorsIn: Map<string, Map<string, LabelSelector>>): Follower<StoredService> {
  const change = (type: ChangeType, item: SourceItem<StoredService>) => {
    const selector = type === 'DELETED' ? undefined : (item.valueAt(selectorPath) as Readonly<Record<string, string>> | undefined);
    const known = selectorsIn.get(item.namespace) ?? new Map<string, LabelSelector>();
    if (selector === undefined) known.delete(sourceKey(item));
    else known.set(sourceKey(item), selectorOf(selector));
    if (known.size > 0) selectorsIn.set(item.namespace, known);
    else selectorsIn.delete(item.namespace);
  };
  const begin = (all: readonly SourceItem<StoredService>[]) => {
    selectorsIn.clear();
    for (const item of all) change('ADDED', item);
  };
  return { begin, change };
}

export function selects(service: StoredService, { metadata }: StoredPod): boolean {
  return selectsLabels(service, metadata.labels);
}

/** A Service without a selector selects nothing, one with an empty selector every pod of its namespace. */
function selectsLabels({ spec }: StoredService, labels: Labels | undefined): boolean {
  return spec?.selector !== undefined && selectorOf(spec.selector).matches(labels);
}

/** Made once for each version of a Service. */
const selectors = new WeakMap<object, LabelSelector>();

function selectorOf(selector: Readonly<Record<string, string>>): LabelSelector {
  const known = selectors.get(selector);
  if (known) return known;
  const made = labelSelectorOf(Object.entries(selector).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })));
  selectors.set(selector, made);
  return made;
}

/** External names and Services without a selector get their endpoints from elsewhere. */
export function hasManagedEndpoints({ spec }: StoredService): boolean {
  return spec?.type !== 'ExternalName' && spec?.selector !== undefined;
}
