// Resources whose objects are computed when a client asks: they have no store, no versions and no watch.
import { notFound } from '#api/api-error.ts';
import { everyField } from '#api/field-selector.ts';
import { everyLabel } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Answer } from '#verbs/answer.ts';
import { type Call, strategyContext } from '#verbs/call.ts';
import { parseListOptions } from '#verbs/options.ts';
import { selectionOf } from '#verbs/selection.ts';
import { itemOf } from '#verbs/written-item.ts';

export function isComputed({ hub }: Call): boolean {
  return hub.strategy.compute !== undefined;
}

export async function getComputed(call: Call): Promise<Answer> {
  const object = (await compute(call)).find(({ metadata }) => metadata.name === call.name);
  if (object === undefined) throw notFound({ group: call.hub.group, resource: call.hub.singular }, call.name);
  return { is: 'item', code: 200, definition: call.definition, item: itemFrom(call, object) };
}

export async function listComputed(call: Call): Promise<Answer> {
  const { labels = everyLabel, fields = everyField } = selectionOf(call, parseListOptions(call.query, false));
  const objects = (await compute(call)).filter(
    ({ metadata }) => labels.matches(metadata.labels ?? {}) && fields.matches({ 'metadata.name': metadata.name ?? '' }),
  );
  return { is: 'list', definition: call.definition, items: objects.map((object) => itemFrom(call, object)), metadata: {} };
}

async function compute(call: Call): Promise<readonly KubernetesObject[]> {
  return (await call.hub.strategy.compute?.(strategyContext(call, false))) ?? [];
}

function itemFrom({ hub }: Call, object: KubernetesObject) {
  return itemOf(hub.form, hub.form.encode({ kind: hub.kind, apiVersion: hub.version, ...object }), 0);
}
