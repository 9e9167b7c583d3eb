// The APIServices there are: which group-versions are served by other servers, in which order discovery shows all of them.
import { ExtensionServer, type ExtensionServerParts } from '#aggregation/extension-server.ts';
import type { KubernetesObject } from '#api/object.ts';
import { mirror, type Sources } from '#api/source.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';

type StoredApiService = APIService & KubernetesObject;

export interface RemoteService {
  readonly server: ExtensionServer;
  /** What the condition Available says. */
  readonly available: boolean;
}

interface Known {
  readonly object: StoredApiService;
  readonly remote: RemoteService | undefined;
}

export interface ApiServicesParts extends ExtensionServerParts {
  /** Negative when `a` comes before `b`: stable before beta, new before old. */
  readonly compareVersions: (a: string, b: string) => number;
}

const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };

export class ApiServices {
  readonly #parts: ApiServicesParts;
  readonly #byName = new Map<string, Known>();
  /** Those behind a service, by `group/version`. */
  readonly #remote = new Map<string, RemoteService>();

  constructor(parts: ApiServicesParts) {
    this.#parts = parts;
  }

  /** Until `signal` aborts; resolves when all there are are known. */
  async follow(sources: Sources, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#close(), { once: true });
    const put = (object: StoredApiService) => this.#put(object);
    await sources.of<StoredApiService>(apiServices).follow(mirror<StoredApiService>({ put, drop: (_namespace, name) => this.#drop(name) }), signal);
  }

  /** True while every group-version is served here. */
  get allLocal(): boolean {
    return this.#remote.size === 0;
  }

  remote(group: string, version: string): RemoteService | undefined {
    return this.#remote.get(`${group}/${version}`);
  }

  server(name: string): ExtensionServer | undefined {
    return this.#byName.get(name)?.remote?.server;
  }

  /** Group-versions whose server does not tell what it serves, each with the error that client-go's discovery has for it. */
  failingGroupVersions(): ReadonlyMap<string, string> {
    const failing = [...this.#remote].filter(([, { available }]) => !available).map(([groupVersion]) => groupVersion);
    return new Map(failing.sort().map((groupVersion) => [groupVersion, `stale GroupVersion discovery: ${groupVersion}`]));
  }

  /** Versions by group, both in the order of their priorities; the core group left out. */
  groups(): ReadonlyMap<string, readonly string[]> {
    const specs = [...this.#byName.values()].map(({ object }) => object.spec).filter(({ group = '' }) => group !== '');
    specs.sort((a, b) => b.groupPriorityMinimum - a.groupPriorityMinimum || compareText(a.group ?? '', b.group ?? ''));
    const groups = new Map<string, APIService['spec'][]>();
    for (const spec of specs) groups.set(spec.group ?? '', [...(groups.get(spec.group ?? '') ?? []), spec]);
    return new Map([...groups].map(([group, versions]) => [group, this.#inOrder(versions)]));
  }

  #inOrder(specs: readonly APIService['spec'][]): readonly string[] {
    const { compareVersions } = this.#parts;
    return specs
      .toSorted((a, b) => b.versionPriority - a.versionPriority || compareVersions(a.version ?? '', b.version ?? ''))
      .map(({ version = '' }) => version);
  }

  #put(object: StoredApiService): void {
    const name = object.metadata.name ?? '';
    const before = this.#byName.get(name);
    const remote = object.spec.service === undefined ? undefined : this.#remoteOf(object, before);
    if (before?.remote && before.remote.server !== remote?.server) before.remote.server.close();
    this.#byName.set(name, { object, remote });
    const key = keyOf(object);
    if (remote === undefined) this.#remote.delete(key);
    else this.#remote.set(key, remote);
  }

  /** Connections are kept as long as it says the same about how to reach the server. */
  #remoteOf(object: StoredApiService, before: Known | undefined): RemoteService {
    const available = object.status.conditions?.some(({ type, status }) => type === 'Available' && status === 'True') === true;
    const isSame = before?.remote !== undefined && JSON.stringify(before.object.spec) === JSON.stringify(object.spec);
    return { available, server: isSame && before.remote ? before.remote.server : new ExtensionServer(object.spec, this.#parts) };
  }

  #drop(name: string): void {
    const gone = this.#byName.get(name);
    if (gone === undefined) return;
    this.#byName.delete(name);
    this.#remote.delete(keyOf(gone.object));
    gone.remote?.server.close();
  }

  #close(): void {
    for (const { remote } of this.#byName.values()) remote?.server.close();
  }
}

function keyOf({ spec: { group = '', version = '' } }: StoredApiService): string {
  return `${group}/${version}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
