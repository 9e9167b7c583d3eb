// What all servers of a cluster serve together, as aggregated discovery shows it: groups, versions, resources and verbs that any of them has.
import { isDeepStrictEqual } from 'node:util';
import { mergedOrder } from '#aggregation/peers/merged-order.ts';
import type { APIGroupDiscovery, APIResourceDiscovery, APIVersionDiscovery } from '#kinds/apidiscovery/v2/api-group-discovery.ts';

export type Groups = readonly APIGroupDiscovery[];

/** `byServer`: by the identities of the servers, the own one among them. They are merged in the order of their identities, so that each server comes to the same. */
export function mergeGroups(byServer: ReadonlyMap<string, Groups>): Groups {
  const lists = [...byServer].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, groups]) => groups);
  return lists.length < 2 ? (lists[0] ?? []) : mergeLists(lists, ({ metadata }) => metadata.name ?? '', mergeGroup);
}

function mergeGroup(a: APIGroupDiscovery, b: APIGroupDiscovery): APIGroupDiscovery {
  return { ...a, versions: [...mergeLists([a.versions ?? [], b.versions ?? []], ({ version }) => version, mergeVersion)] };
}

function mergeVersion(a: APIVersionDiscovery, b: APIVersionDiscovery): APIVersionDiscovery {
  const resources = mergeLists([a.resources ?? [], b.resources ?? []], ({ resource }) => resource, mergeResource);
  return resources.length === 0 ? a : { ...a, resources: [...resources] };
}

/** Servers that agree are shown as they are; otherwise in alphabetical order, which does not hang on who is asked. */
function mergeResource(a: APIResourceDiscovery, b: APIResourceDiscovery): APIResourceDiscovery {
  if (isDeepStrictEqual(a, b)) return a;
  const subresources = new Map([...(a.subresources ?? []), ...(b.subresources ?? [])].map((one) => [one.subresource, one]));
  const verbs = [...new Set([...(a.verbs ?? []), ...(b.verbs ?? [])])].sort();
  const inOrder = [...subresources].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, one]) => one);
  return { ...a, verbs, ...(inOrder.length > 0 && { subresources: inOrder }) };
}

function mergeLists<T>(lists: readonly (readonly T[])[], nameOf: (item: T) => string, merge: (a: T, b: T) => T): readonly T[] {
  const merged = new Map<string, T>();
  for (const item of lists.flat()) {
    const known = merged.get(nameOf(item));
    merged.set(nameOf(item), known === undefined ? item : merge(known, item));
  }
  return mergedOrder(lists.map((list) => list.map(nameOf))).flatMap((name) => merged.get(name) ?? []);
}
