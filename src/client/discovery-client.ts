// Which resources a server has: by one aggregated document for all groups, or group by group from servers that have none.
import { ApiError } from '#api/api-error.ts';
import type { RestClient } from '#client/rest-client.ts';
import { readAll } from '#client/transport.ts';

export interface DiscoveredResource {
  readonly group: string;
  readonly version: string;
  /** The version of its group that the server would rather be asked for. */
  readonly preferred: boolean;
  readonly kind: string;
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Names without that of the resource: `status`, `scale`. */
  readonly subresources: readonly string[];
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** In the order in which the server prefers groups and versions. Groups that do not answer are left out, and named by `onMissing`. */
export async function discover(client: RestClient, onMissing: (groupVersion: string) => void = () => {}): Promise<readonly DiscoveredResource[]> {
  const [core, groups] = await Promise.all([discoverRoot(client, '/api', onMissing), discoverRoot(client, '/apis', onMissing)]);
  return [...core, ...groups];
}

async function discoverRoot(client: RestClient, path: '/api' | '/apis', onMissing: (groupVersion: string) => void): Promise<readonly DiscoveredResource[]> {
  const response = await client.open({ method: 'GET', path, headers: { accept: `${aggregated},application/json` } });
  const document = JSON.parse((await readAll(response)).toString()) as unknown;
  if (response.headers['content-type']?.includes('apidiscovery.k8s.io')) return fromAggregated(document as GroupDiscoveryList, onMissing);
  return path === '/api' ? fromVersions(client, document as ApiVersions, onMissing) : fromGroups(client, document as ApiGroupList, onMissing);
}

interface GroupDiscoveryList {
  readonly items?: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly AggregatedResource[];
    }[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

function fromAggregated({ items = [] }: GroupDiscoveryList, onMissing: (groupVersion: string) => void): readonly DiscoveredResource[] {
  return items.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, freshness, resources = [] }, i) => {
      if (freshness === 'Stale') onMissing(`${group}/${version}`);
      return resources.map((one) => aggregatedResource(one, { group, version, preferred: i === 0 }));
    }),
  );
}

type Place = Pick<DiscoveredResource, 'group' | 'version' | 'preferred'>;

function aggregatedResource(one: AggregatedResource, place: Place): DiscoveredResource {
  const kind = one.responseKind?.kind ?? '';
  return {
    ...place,
    kind,
    resource: one.resource,
    singular: one.singularResource || kind.toLowerCase(),
    shortNames: one.shortNames ?? [],
    categories: one.categories ?? [],
    namespaced: one.scope === 'Namespaced',
    verbs: one.verbs ?? [],
    subresources: (one.subresources ?? []).map(({ subresource }) => subresource),
  };
}

interface ApiVersions {
  readonly versions: readonly string[];
}

interface ApiGroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly preferredVersion?: { readonly version: string };
    readonly versions: readonly { readonly version: string }[];
  }[];
}

async function fromVersions(client: RestClient, { versions }: ApiVersions, onMissing: (groupVersion: string) => void): Promise<readonly DiscoveredResource[]> {
  const places = versions.map((version, i) => ({ group: '', version, preferred: i === 0 }));
  return (await Promise.all(places.map((place) => fromGroupVersion(client, place, onMissing)))).flat();
}

async function fromGroups(client: RestClient, { groups }: ApiGroupList, onMissing: (groupVersion: string) => void): Promise<readonly DiscoveredResource[]> {
  const places = groups.flatMap(({ name, versions, preferredVersion }) =>
    versions.map(({ version }) => ({ group: name, version, preferred: version === (preferredVersion ?? versions[0])?.version })),
  );
  return (await Promise.all(places.map((place) => fromGroupVersion(client, place, onMissing)))).flat();
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** One group that does not answer, of an extension say, must not hide the others. */
async function fromGroupVersion(client: RestClient, place: Place, onMissing: (groupVersion: string) => void): Promise<readonly DiscoveredResource[]> {
  const path = place.group === '' ? `/api/${place.version}` : `/apis/${place.group}/${place.version}`;
  try {
    const { resources } = await client.request<ResourceList>({ method: 'GET', path });
    return legacyResources(resources, place);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    onMissing(`${place.group}/${place.version}`);
    return [];
  }
}

function legacyResources(resources: ResourceList['resources'], place: Place): readonly DiscoveredResource[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, singularName, kind, namespaced, verbs, shortNames = [], categories = [] }) => ({
      ...place,
      kind,
      resource: name,
      singular: singularName || kind.toLowerCase(),
      shortNames,
      categories,
      namespaced,
      verbs,
      subresources: resources.filter((other) => other.name.startsWith(`${name}/`)).map((other) => other.name.slice(name.length + 1)),
    }));
}
