// One APIService for each group-version that is served here, as upstream's autoregister controller keeps them: those of built-in groups are
// brought in step once after a start, and what somebody changes afterwards stays; those of custom resources are kept all the time.
import type { KubernetesObject } from '#api/object.ts';
import { type SourceItem, splitKey, type Sources } from '#api/source.ts';
import { pathOf } from '#base/json-scan.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { ApiError } from '#api/api-error.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';

type StoredApiService = APIService & KubernetesObject;

export interface LocalGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

export interface RegistrationOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly builtIn: readonly LocalGroupVersion[];
}

export interface ApiServiceRegistration extends Controller {
  /** The group-versions of custom resources, all of them. */
  setCustom(groupVersions: readonly { readonly group: string; readonly version: string }[]): void;
}

const apiServices: ResourceAddress = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices', namespaced: false };
const label = 'kube-aggregator.kubernetes.io/automanaged';
/** Below all built-in groups; versions of one group stand in the order of their names. */
const customPriorities = { groupPriority: 1000, versionPriority: 100 };
const labelsPath = pathOf('metadata.labels');
const specPath = pathOf('spec');
/** All fields of a spec. */
const specFields = ['group', 'version', 'groupPriorityMinimum', 'versionPriority', 'service', 'caBundle', 'insecureSkipTLSVerify'] as const;
const workers = 5;
const retry = { firstMs: 5, maxMs: 10_000 };

interface Wanted {
  readonly object: StoredApiService;
  readonly when: 'onstart' | 'true';
}

export function apiServiceRegistration({ client, sources, builtIn, ...parts }: RegistrationOptions): ApiServiceRegistration {
  const stored = sources.of<StoredApiService>(apiServices);
  const onStart = new Map(builtIn.map((each) => [nameOf(each), wanted(each, 'onstart')]));
  let custom = new Map<string, Wanted>();
  let before: ReadonlySet<string> | undefined;
  const synced = new Set<string>();
  const step = async (name: string): Promise<unknown> => {
    before ??= new Set(stored.list().map((item) => item.name));
    // A built-in group-version wins over a definition that claims it.
    const desired = onStart.get(name) ?? custom.get(name);
    const item = stored.get('', name);
    if (desired?.when === 'onstart' && synced.has(name)) return;
    if (item === undefined) return desired && unlessThere(client.create(apiServices, '', desired.object));
    // A start looks at one for each group-version: most are as they should be, and none of them is parsed as a whole.
    const managed = (item.valueAt(labelsPath) as Readonly<Record<string, string>> | undefined)?.[label];
    if (managed !== 'onstart' && managed !== 'true') return;
    if (managed === 'onstart' && (!before.has(name) || synced.has(name))) return;
    if (desired === undefined) return client.delete(apiServices, '', name, { preconditions: { uid: item.object.metadata.uid ?? '' } });
    if (hasSpec(item, desired.object.spec)) return;
    return client.update(apiServices, { ...item.object, spec: desired.object.spec } as unknown as KubernetesObject);
  };
  const every = (enqueue: (key: string) => void) => {
    for (const name of [...onStart.keys(), ...custom.keys()]) enqueue(`/${name}`);
    return Promise.resolve();
  };
  const loop = controller({
    ...parts,
    name: 'autoregister',
    workers,
    retry,
    sources: [keysOf(stored), every],
    reconcile: async (key) => {
      const { name } = splitKey(key);
      await unlessOvertaken(step(name));
      synced.add(name);
    },
  });
  const setCustom = (groupVersions: readonly { readonly group: string; readonly version: string }[]) => {
    const next = new Map(groupVersions.map((each) => [nameOf(each), wanted({ ...each, ...customPriorities }, 'true')]));
    const changed = [...custom.keys()].filter((name) => !next.has(name)).concat([...next.keys()].filter((name) => !custom.has(name)));
    custom = next;
    for (const name of changed) loop.enqueue(`/${name}`);
  };
  return { settled: loop.settled, enqueue: (key) => loop.enqueue(key), follow: (source) => loop.follow(source), run: (signal) => loop.run(signal), setCustom };
}

function nameOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return `${version}.${group}`;
}

function wanted(groupVersion: LocalGroupVersion, when: Wanted['when']): Wanted {
  const { group, version, groupPriority, versionPriority } = groupVersion;
  const spec = { ...(group !== '' && { group }), version, groupPriorityMinimum: groupPriority, versionPriority };
  return { when, object: { kind: 'APIService', metadata: { name: nameOf(groupVersion), labels: { [label]: when } }, spec } as unknown as StoredApiService };
}

function hasSpec(item: Pick<SourceItem, 'valueAt'>, spec: APIService['spec']): boolean {
  const stored = item.valueAt(specPath) as APIService['spec'] | undefined;
  return specFields.every((field) => stored?.[field] === spec[field]);
}

async function unlessThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
}
