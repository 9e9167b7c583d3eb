// The Services that a change of a pod is about: those whose selector selects it now, and those that selected it by the labels it had before.
import type { Labels } from '#api/label-match.ts';
import { type LabelSelector, labelSelectorOf } from '#api/label-selector.ts';
import { type ChangeType, type Source, type SourceItem, sourceKey } from '#api/source.ts';
import type { KeySource } from '#controllers/controller.ts';
import type { StoredPod, StoredService } from '#controllers/endpoints/pod-endpoint.ts';

export function servicesOfPods(pods: Source<StoredPod>, services: Source<StoredService>): KeySource {
  return async (enqueue, signal) => {
    const labelled = new Map<string, { readonly namespace: string; readonly labels: Labels }>();
    const enqueueSelecting = (namespace: string, labels: Labels) => {
      for (const service of services.list(namespace)) if (selectsLabels(service.object, labels)) enqueue(sourceKey(service));
    };
    const tell = (item: SourceItem<StoredPod>, type: ChangeType) => {
      const key = sourceKey(item);
      const { namespace } = item;
      const { labels = {} } = item.object.metadata;
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
    await pods.follow({ begin, change: (type, item) => tell(item, type) }, signal);
  };
}

export function selects(service: StoredService, { metadata }: StoredPod): boolean {
  return selectsLabels(service, metadata.labels);
}

/** A Service without a selector selects nothing, one with an empty selector every pod of its namespace. */
function selectsLabels({ spec }: StoredService, labels: Labels | undefined): boolean {
  return spec?.selector !== undefined && selectorOf(spec.selector).matches(labels);
}

/** Every change of a pod asks all Services of its namespace: their selectors are made once for each version of a Service. */
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
