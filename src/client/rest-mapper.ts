// From what people and manifests say (a kind, a plural, a short name) to the resource that is meant.
import { parseApiVersion } from '#api/names.ts';
import type { ResourceAddress } from '#client/address.ts';
import { discover, type DiscoveredResource } from '#client/discovery-client.ts';
import type { RestClient } from '#client/rest-client.ts';

export class NoMatch extends Error {
  override readonly name = 'NoMatch';
}

export class RestMapper {
  readonly #client: RestClient;
  #known: Promise<readonly DiscoveredResource[]> | undefined;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** The resource of a kind, as manifests name it. */
  forKind(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    const wanted = parseApiVersion(apiVersion);
    const isMeant = (one: DiscoveredResource) => one.kind === kind && one.group === wanted?.group && one.version === wanted.version;
    return this.#find(isMeant, `no matches for kind "${kind}" in version "${apiVersion}"`);
  }

  /** As people name it: `pods`, `pod`, `po`, `deployments.apps`, `deployments.v1.apps`, or the kind. The best version of the first group that has it. */
  forName(name: string): Promise<DiscoveredResource> {
    const [plain = '', ...rest] = name.toLowerCase().split('.');
    const group = rest.join('.');
    const isMeant = (one: DiscoveredResource) => isCalled(one, plain) && isIn(one, group, rest);
    return this.#find(isMeant, `the server doesn't have a resource type "${name}"`);
  }

  /** What the server has of it was read before: forget it. */
  reset(): void {
    this.#known = undefined;
  }

  /** A resource nobody knows may be younger than what we know: then the server is asked once more. */
  async #find(isMeant: (one: DiscoveredResource) => boolean, otherwise: string): Promise<DiscoveredResource> {
    const wasKnown = this.#known !== undefined;
    const found = bestOf(await this.#all(), isMeant);
    if (found !== undefined) return found;
    if (wasKnown) {
      this.reset();
      return this.#find(isMeant, otherwise);
    }
    throw new NoMatch(otherwise);
  }

  async #all(): Promise<readonly DiscoveredResource[]> {
    this.#known ??= discover(this.#client);
    try {
      return await this.#known;
    } catch (error) {
      this.reset();
      throw error;
    }
  }
}

export function addressOf({ group, version, resource, namespaced }: DiscoveredResource): ResourceAddress {
  return { group, version, resource, namespaced };
}

function bestOf(all: readonly DiscoveredResource[], isMeant: (one: DiscoveredResource) => boolean): DiscoveredResource | undefined {
  const meant = all.filter(isMeant);
  return meant.find(({ preferred }) => preferred) ?? meant[0];
}

function isCalled({ resource, singular, shortNames, kind }: DiscoveredResource, name: string): boolean {
  return resource === name || singular === name || shortNames.includes(name) || kind.toLowerCase() === name;
}

/** Behind the name stands nothing, a group, or a version and a group. */
function isIn({ group, version }: DiscoveredResource, wanted: string, parts: readonly string[]): boolean {
  return wanted === '' || group === wanted || (parts[0] === version && parts.slice(1).join('.') === group);
}
