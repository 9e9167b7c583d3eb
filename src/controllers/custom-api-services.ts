// One APIService for each group-version that custom resources are served in, as upstream's crdRegistrationController and autoregister keep them.
import { ApiError } from '#api/api-error.ts';
import type { GroupVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';

const apiServices: ResourceAddress = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices', namespaced: false };
const label = 'kube-aggregator.kubernetes.io/automanaged';
const priorities = { groupPriorityMinimum: 1000, versionPriority: 100 };

export class CustomApiServices {
  readonly #client: RestClient;
  /** Names of those that are there; undefined before they were listed. */
  #present: Set<string> | undefined;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** Makes what is missing and removes what is served no more; the APIServices of built-in groups carry another label. */
  async keep(wanted: readonly GroupVersion[]): Promise<void> {
    const present = (this.#present ??= await this.#list());
    const names = new Set(wanted.map(nameOf));
    for (const groupVersion of wanted.filter((each) => !present.has(nameOf(each)))) {
      await unless('AlreadyExists', this.#client.create(apiServices, '', serviceFor(groupVersion)));
      present.add(nameOf(groupVersion));
    }
    for (const name of [...present].filter((each) => !names.has(each))) {
      await unless('NotFound', this.#client.delete(apiServices, '', name));
      present.delete(name);
    }
  }

  async #list(): Promise<Set<string>> {
    const { items } = await this.#client.list<KubernetesObject>(apiServices, '', { labelSelector: `${label}=true` });
    return new Set(items.map(({ metadata }) => metadata.name ?? ''));
  }
}

function nameOf({ group, version }: GroupVersion): string {
  return `${version}.${group}`;
}

function serviceFor(groupVersion: GroupVersion): KubernetesObject {
  const { group, version } = groupVersion;
  return { kind: 'APIService', metadata: { name: nameOf(groupVersion), labels: { [label]: 'true' } }, spec: { group, version, ...priorities } };
}

async function unless(reason: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === reason)) throw error;
  }
}
