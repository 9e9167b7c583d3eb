// The APIServices there are: which group-versions are served by other servers, in which order discovery shows all of them.
import { ExtensionServer, type ExtensionServerParts } from '#aggregation/extension-server.ts';
import type { KubernetesObject } from '#api/object.ts';
import { mirrorItems, type SourceItem, type Sources } from '#api/source.ts';
import { pathOf } from '#base/json-scan.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';
import type { ServedGroup } from '#resource/catalog.ts';

type StoredApiService = APIService & KubernetesObject;

export interface RemoteService {
  readonly name: string;
  readonly spec: APIService['spec'];
  readonly server: ExtensionServer;
  /** What the condition Available says. */
  readonly available: boolean;
}

interface Known {
  /** Parsed when its `object` is asked for: a start with many definitions has an APIService for each of their group-versions. */
  readonly item: SourceItem<StoredApiService>;
  readonly remote: RemoteService | undefined;
}

export interface ApiServicesParts extends ExtensionServerParts {
  /** Negative when `a` comes before `b`: stable before beta, new before old. */
  readonly compareVersions: (a: string, b: string) => number;
}

const servicePath = pathOf('spec.service');
const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };

export class ApiServices {
  readonly #parts: ApiServicesParts;
  readonly #byName = new Map<string, Known>();
  /** Those behind a service, by `group/version`. */
  readonly #remote = new Map<string, RemoteService>();
  #groups: ReadonlyMap<string, ServedGroup> | undefined;
  readonly #onUnreachable = new Set<(name: string) => void>();
  #revision = 0;
  #known = false;

  constructor(parts: ApiServicesParts) {
    this.#parts = parts;
  }

  /** Until `signal` aborts; resolves when all there are are known. */
  async follow(sources: Sources, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#close(), { once: true });
    const put = (item: SourceItem<StoredApiService>) => this.#put(item);
    await sources.of<StoredApiService>(apiServices).follow(mirrorItems<StoredApiService>({ put, drop: (_namespace, name) => this.#drop(name) }), signal);
    this.#known = true;
    this.#changed();
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** True while every group-version is served here. */
  get allLocal(): boolean {
    return this.#remote.size === 0;
  }

  remote(group: string, version: string): RemoteService | undefined {
    return this.#remote.get(`${group}/${version}`);
  }

  /** The server behind an APIService; undefined when there is none of this name, or it is served here. */
  remoteNamed(name: string): RemoteService | undefined {
    return this.#byName.get(name)?.remote;
  }

  /** All that are behind a service, by name. */
  remotes(): readonly RemoteService[] {
    return [...this.#remote.values()].sort((a, b) => compareText(a.name, b.name));
  }

  /** What the condition Available says of every APIService, by name. */
  availability(): ReadonlyMap<string, boolean> {
    return new Map([...this.#byName].map(([name, { item }]) => [name, isAvailable(item.object)]));
  }

  /** Calls the listener with the name of an APIService whose server did not answer a request. */
  onUnreachable(listener: (name: string) => void): void {
    this.#onUnreachable.add(listener);
  }

  reportUnreachable(server: ExtensionServer): void {
    for (const remote of this.#remote.values()) if (remote.server === server) for (const listener of this.#onUnreachable) listener(remote.name);
  }

  /** The client certificate has changed: connections from now on show the new one. */
  renewConnections(): void {
    for (const { item, remote } of this.#byName.values()) if (remote) this.#put(item, { renew: true });
  }

  /** Every group but the core one, both groups and versions in the order of their priorities; undefined before all are known. */
  groups(): ReadonlyMap<string, ServedGroup> | undefined {
    if (!this.#known) return undefined;
    this.#groups ??= this.#sortedGroups();
    return this.#groups;
  }

  #sortedGroups(): ReadonlyMap<string, ServedGroup> {
    const all = [...this.#byName].map(([name, { item }]) => ({ name, spec: item.object.spec })).filter(({ spec }) => (spec.group ?? '') !== '');
    all.sort((a, b) => b.spec.groupPriorityMinimum - a.spec.groupPriorityMinimum || compareText(a.name, b.name));
    const specs = new Map<string, APIService['spec'][]>();
    for (const { spec } of all) specs.set(spec.group ?? '', [...(specs.get(spec.group ?? '') ?? []), spec]);
    return new Map([...specs].map(([name, versions]) => [name, this.#groupOf(name, versions)]));
  }

  #groupOf(name: string, specs: readonly APIService['spec'][]): ServedGroup {
    const { compareVersions } = this.#parts;
    const inOrder = specs.toSorted((a, b) => b.versionPriority - a.versionPriority || compareVersions(a.version ?? '', b.version ?? ''));
    const versions = inOrder.map(({ version = '' }) => version);
    return { name, versions, preferred: versions[0] ?? '' };
  }

  #put(item: SourceItem<StoredApiService>, { renew = false } = {}): void {
    const { name } = item;
    const before = this.#byName.get(name)?.remote;
    const remote = item.valueAt(servicePath) === undefined ? undefined : this.#remoteOf(item.object, renew ? undefined : before);
    if (before && before.server !== remote?.server) before.server.close();
    if (before) this.#remote.delete(keyOf(before));
    this.#byName.set(name, { item, remote });
    if (remote) this.#remote.set(keyOf(remote), remote);
    this.#changed();
  }

  /** Connections are kept as long as it says the same about how to reach the server. */
  #remoteOf(object: StoredApiService, before: RemoteService | undefined): RemoteService {
    const { spec, metadata } = object;
    const isSame = before !== undefined && wayTo(before.spec) === wayTo(spec);
    const server = isSame ? before.server : new ExtensionServer(spec, this.#parts);
    return { name: metadata.name ?? '', spec, available: isAvailable(object), server };
  }

  #drop(name: string): void {
    const gone = this.#byName.get(name);
    if (gone === undefined) return;
    this.#byName.delete(name);
    if (gone.remote) this.#remote.delete(keyOf(gone.remote));
    gone.remote?.server.close();
    this.#changed();
  }

  #changed(): void {
    this.#groups = undefined;
    this.#revision += 1;
  }

  #close(): void {
    for (const { remote } of this.#byName.values()) remote?.server.close();
  }
}

function keyOf({ spec: { group = '', version = '' } }: RemoteService): string {
  return `${group}/${version}`;
}

function isAvailable({ status: { conditions } }: StoredApiService): boolean {
  return conditions?.some(({ type, status }) => type === 'Available' && status === 'True') === true;
}

function wayTo({ service, caBundle, insecureSkipTLSVerify }: APIService['spec']): string {
  return JSON.stringify([service, caBundle, insecureSkipTLSVerify]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
