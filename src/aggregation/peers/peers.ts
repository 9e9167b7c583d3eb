// The other servers of this cluster: what each of them says it serves, and the way to it. Asked for by a loop, never by a request of a client.
import { askServer } from '#aggregation/ask-server.ts';
import { documentIn } from '#aggregation/discovery-document.ts';
import { ExtensionServer, type ExtensionServerParts } from '#aggregation/extension-server.ts';
import { type Groups, mergeGroups } from '#aggregation/peers/merge-groups.ts';
import type { OwnVersions } from '#aggregation/peers/own-versions.ts';
import { peerProxiedHeader } from '#aggregation/peers/peer-proxied-header.ts';
import type { PeerMetrics } from '#aggregation/peers/peer-metrics.ts';
import type { NetworkAddress } from '#base/outgoing/target.ts';
import type { APIGroupDiscoveryList } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { StructSchema } from '#schema/build.ts';

export interface PeersParts extends Omit<ExtensionServerParts, 'resolve'> {
  /** Of this server. */
  readonly identity: string;
  /** Where the server of an identity is now; undefined when it does not say, or is gone. */
  readonly addressOf: (identity: string) => Promise<NetworkAddress | undefined>;
  /** PEM of --peer-ca-file. */
  readonly ca: string;
  readonly own: OwnVersions;
  readonly schema: StructSchema;
  readonly metrics: PeerMetrics;
}

interface Peer {
  readonly server: ExtensionServer;
  /** `group/version/resource`. */
  readonly resources: ReadonlySet<string>;
  /** Without the core group, which has a document of its own. */
  readonly groups: Groups;
}

const asked = { name: 'system:apiserver', uid: 'system:apiserver', groups: ['system:authenticated'] };
/** What that server alone serves: it would ask its peers otherwise, and they theirs. */
const accept = [';profile=nopeer', ''].map((profile) => `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList${profile}`).join(',');
const timeoutMs = 5_000;

export class Peers {
  readonly #parts: PeersParts;
  #peers: ReadonlyMap<string, Peer> = new Map();
  #revision = 0;
  /** False until all peers there are were asked once. */
  isSynced = false;

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  get revision(): string {
    return `${this.#revision}/${this.#parts.own.revision}`;
  }

  /** Asks all of them anew. One that does not tell serves nothing until it does, and makes this throw. */
  async sync(identities: readonly string[]): Promise<void> {
    const before = this.#peers;
    const others = identities.filter((identity) => identity !== this.#parts.identity);
    const told = await Promise.allSettled(others.map((identity) => this.#ask(identity, before.get(identity)?.server)));
    this.#peers = new Map(others.flatMap((identity, index) => (told[index]?.status === 'fulfilled' ? [[identity, told[index].value] as const] : [])));
    const kept = new Set([...this.#peers.values()].map(({ server }) => server));
    for (const { server } of before.values()) if (!kept.has(server)) server.close();
    this.#revision += 1;
    this.isSynced = true;
    const failed = told.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Those that serve a resource which is not known here. */
  serving(group: string, version: string, resource: string): readonly ExtensionServer[] {
    if (this.#parts.own.has(group, version)) return [];
    return [...this.#peers.values()].flatMap(({ server, resources }) => (resources.has(`${group}/${version}/${resource}`) ? [server] : []));
  }

  /** What all servers serve, this one with `local`. */
  merged(local: Groups): Groups {
    const { own, identity } = this.#parts;
    const foreign = (groups: Groups): Groups =>
      groups.flatMap((group) => {
        const versions = (group.versions ?? []).filter(({ version }) => !own.has(group.metadata.name ?? '', version));
        return versions.length === 0 ? [] : [{ ...group, versions }];
      });
    return mergeGroups(new Map([[identity, local], ...[...this.#peers].map(([peer, { groups }]) => [peer, foreign(groups)] as const)]));
  }

  close(): void {
    for (const { server } of this.#peers.values()) server.close();
  }

  async #ask(identity: string, known: ExtensionServer | undefined): Promise<Peer> {
    if ((await this.#parts.addressOf(identity)) === undefined) {
      this.#parts.metrics.onSyncError('hostport_resolution');
      throw new Error(`the address of the server ${identity} is not known`);
    }
    const server = known ?? this.#serverOf(identity);
    try {
      const groups = (await Promise.all(['/api', '/apis'].map((path) => this.#groupsAt(server, path)))).flat();
      const names = groups.flatMap(({ metadata, versions = [] }) =>
        versions.flatMap(({ version, resources = [] }) => resources.map(({ resource }) => `${metadata.name ?? ''}/${version}/${resource}`)),
      );
      return { server, resources: new Set(names), groups: groups.filter(({ metadata }) => (metadata.name ?? '') !== '') };
    } catch (error) {
      this.#parts.metrics.onSyncError('fetch_discovery');
      if (known === undefined) server.close();
      throw error;
    }
  }

  async #groupsAt(server: ExtensionServer, path: string): Promise<Groups> {
    const { code, body } = await askServer(server, path, { user: asked, headers: { accept, [peerProxiedHeader]: 'true' }, timeoutMs });
    this.#parts.metrics.onRerouted({ code, group: '', version: '', resource: '' });
    if (code !== 200) throw new Error(`discovery request failed with status: ${code}`);
    return documentIn<APIGroupDiscoveryList>(this.#parts.schema, body, { kind: 'APIGroupDiscoveryList', apiVersions: ['apidiscovery.k8s.io/v2'] }).items ?? [];
  }

  /** Servers of a cluster know each other by the name of the service `kubernetes`, whichever address they have. */
  #serverOf(identity: string): ExtensionServer {
    const { ca, addressOf } = this.#parts;
    const resolve = async () => {
      const address = await addressOf(identity);
      if (address === undefined) throw new Error(`the address of the server ${identity} is not known`);
      return address;
    };
    const service = { namespace: 'default', name: 'kubernetes' };
    return new ExtensionServer(
      { service, caBundle: Buffer.from(ca).toString('base64'), groupPriorityMinimum: 0, versionPriority: 0 },
      { ...this.#parts, resolve },
    );
  }
}
