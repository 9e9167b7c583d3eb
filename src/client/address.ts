// Where a resource lies in the API, and the paths below it.
import type { GroupVersion } from '#api/names.ts';

export interface ResourceAddress extends GroupVersion {
  readonly resource: string;
  readonly namespaced: boolean;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Target {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly query?: Query;
}

export function pathOf(resource: ResourceAddress, { namespace = '', name = '', subresource = '', query = {} }: Target): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const parts = [resource.resource, name, ...subresource.split('/')].filter((part) => part !== '').map(encodeURIComponent);
  return `${root}${scope}/${parts.join('/')}${queryText(query)}`;
}

export function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(String(value))}`]));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
