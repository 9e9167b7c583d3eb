// What extension servers say they serve, kept by the ETag of their documents and shown in aggregated discovery. A group-version whose server
// did not tell when it was last asked is shown without resources and as Stale.
import type { ApiServices, RemoteService } from '#aggregation/api-services.ts';
import { askServer, type ServerAnswer } from '#aggregation/ask-server.ts';
import { documentIn } from '#aggregation/discovery-document.ts';
import { legacyResources } from '#aggregation/legacy-resources.ts';
import type { APIGroupDiscoveryList, APIVersionDiscovery } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { APIResourceList } from '#kinds/meta/v1/discovery.ts';
import type { StructSchema } from '#schema/build.ts';
import type { RemoteVersion } from '#server/discovery/aggregated-groups.ts';

export interface RemoteDiscoveryOptions {
  readonly apiServices: ApiServices;
  readonly schemas: { readonly apiGroupDiscoveryList: StructSchema; readonly apiResourceList: StructSchema };
}

type Versions = ReadonlyMap<string, APIVersionDiscovery>;

/** One server may stand behind many APIServices: its document is the same for all of them. */
interface CachedDocument {
  readonly etag: string;
  readonly versions: Versions;
}

const asked = { name: 'system:kube-aggregator', groups: ['system:masters'] };
const accepted = ['v2', 'v2beta1'].map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`).join(',');
const isAggregated = /^application\/json;(?=.*g=apidiscovery\.k8s\.io)(?=.*v=v2(?:beta1)?(?:;|$))(?=.*as=APIGroupDiscoveryList)/;
const discoveryVersions = ['apidiscovery.k8s.io/v2', 'apidiscovery.k8s.io/v2beta1'];
const timeoutMs = 5_000;

export class RemoteDiscovery {
  readonly #options: RemoteDiscoveryOptions;
  /** By namespace, name and port of the service. */
  readonly #documents = new Map<string, CachedDocument>();
  /** By the name of the APIService. */
  readonly #found = new Map<string, APIVersionDiscovery>();
  #revision = 0;

  constructor(options: RemoteDiscoveryOptions) {
    this.#options = options;
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  versions(): readonly RemoteVersion[] {
    return this.#options.apiServices.remotes().map(({ name, spec }) => ({
      group: spec.group ?? '',
      groupPriority: spec.groupPriorityMinimum,
      versionPriority: spec.versionPriority,
      discovery: this.#found.get(name) ?? stale(spec.version ?? ''),
    }));
  }

  /** Group-versions whose server does not tell what it serves, each with the error that client-go's discovery has for it. */
  failing(): ReadonlyMap<string, string> {
    const versions = this.versions().filter(({ discovery }) => discovery.freshness === 'Stale');
    const names = versions.map(({ group, discovery: { version } }) => `${group}/${version}`);
    return new Map(names.sort().map((name) => [name, `stale GroupVersion discovery: ${name}`]));
  }

  /** Asks the server behind an APIService, which may be gone. Throws when the server does not tell. */
  async refresh(name: string): Promise<void> {
    const remote = this.#options.apiServices.remoteNamed(name);
    if (remote === undefined) return this.#forget(name);
    const { group = '', version = '' } = remote.spec;
    try {
      const versions = await this.#versionsOf(remote);
      this.#keep(name, { ...(versions.get(`${group}/${version}`) ?? { version }), freshness: 'Current' });
    } catch (error) {
      this.#keep(name, stale(version));
      throw error;
    }
  }

  #keep(name: string, discovery: APIVersionDiscovery): void {
    if (JSON.stringify(this.#found.get(name)) === JSON.stringify(discovery)) return;
    this.#found.set(name, discovery);
    this.#revision += 1;
  }

  #forget(name: string): void {
    if (this.#found.delete(name)) this.#revision += 1;
    const used = new Set(this.#options.apiServices.remotes().map(keyOf));
    for (const key of this.#documents.keys()) if (!used.has(key)) this.#documents.delete(key);
  }

  async #versionsOf(remote: RemoteService): Promise<Versions> {
    const key = keyOf(remote);
    const cached = this.#documents.get(key);
    const condition: Record<string, string> = cached === undefined || cached.etag === '' ? {} : { 'if-none-match': cached.etag };
    const answer = await askServer(remote.server, '/apis', { user: asked, headers: { accept: accepted, ...condition }, timeoutMs });
    if (answer.code === 304 && cached !== undefined) return cached.versions;
    if (answer.code === 503) throw new Error(`service ${key} returned non-success response code: 503`);
    if (answer.code !== 200 || !isAggregated.test(answer.contentType)) return this.#legacyVersions(remote);
    const versions = this.#decoded(answer);
    this.#documents.set(key, { etag: answer.etag, versions });
    return versions;
  }

  #decoded({ body }: ServerAnswer): Versions {
    const { apiGroupDiscoveryList } = this.#options.schemas;
    const { items = [] } = documentIn<APIGroupDiscoveryList>(apiGroupDiscoveryList, body, { kind: 'APIGroupDiscoveryList', apiVersions: discoveryVersions });
    return new Map(
      items.flatMap(({ metadata, versions = [] }) => versions.map((version) => [`${metadata.name ?? ''}/${version.version}`, withKinds(version)] as const)),
    );
  }

  /** A server from before aggregated discovery: one group-version is asked for, and the answer is not kept. */
  async #legacyVersions({ server, spec: { group = '', version = '' } }: RemoteService): Promise<Versions> {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { code, body } = await askServer(server, path, { user: { name: asked.name, groups: [] }, headers: { accept: 'application/json' }, timeoutMs });
    if (code !== 200) throw new Error(`failed to download legacy discovery for ${path}: ${code}`);
    const { resources = [] } = documentIn<APIResourceList>(this.#options.schemas.apiResourceList, body, { kind: 'APIResourceList' });
    return new Map([[`${group}/${version}`, { version, ...(resources.length > 0 && { resources: legacyResources(resources) }) }]]);
  }
}

function stale(version: string): APIVersionDiscovery {
  return { version, freshness: 'Stale' };
}

function keyOf({ spec: { service } }: RemoteService): string {
  return `${service?.namespace}/${service?.name}:${service?.port ?? 443}`;
}

/** Old versions of client-go break at resources without a kind. */
function withKinds(version: APIVersionDiscovery): APIVersionDiscovery {
  const named = <T extends { readonly responseKind?: object | undefined }>(entry: T) => ({
    ...entry,
    responseKind: entry.responseKind ?? { group: '', version: '', kind: '' },
  });
  const { resources } = version;
  if (resources === undefined) return version;
  const complete = resources.map((resource) => ({
    ...named(resource),
    ...(resource.subresources && { subresources: resource.subresources.map(named) }),
  }));
  return { ...version, resources: complete } as APIVersionDiscovery;
}
