// What keeps the proxy to other servers in step: which servers there are, what they serve, and which group-versions are not theirs to tell about.
import type { KubernetesObject } from '#api/object.ts';
import { mirror } from '#api/source.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import type { PeerProxy } from '#app/peers.ts';
import { kinds } from '#client/kinds.ts';
import { controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';
import type { Lease } from '#kinds/coordination/v1/lease.ts';

type StoredLease = Lease & KubernetesObject;
type StoredApiService = APIService & KubernetesObject;

const identityLabel = 'apiserver.kubernetes.io/identity';

/** Resolves when all peers there are were asked once. */
export async function followPeers({ peers, own }: PeerProxy, { reads: { sources }, signal }: ListeningServer, loops: LoopParts): Promise<void> {
  signal.addEventListener('abort', () => peers.close(), { once: true });
  const leases = sources.of<StoredLease>(kinds.leases);
  const isServer = ({ metadata: { namespace, labels } }: StoredLease) => namespace === 'kube-system' && labels?.[identityLabel] === 'kube-apiserver';
  const servers = () =>
    leases
      .list('kube-system')
      .map(({ object }) => object)
      .filter((lease) => isServer(lease) && lease.spec.holderIdentity !== undefined);
  // Every server renews its lease all the time: only one that comes, goes or was started again is news.
  const holders = new Map<string, string>();
  const changed = keysOf(leases, ({ name, object }, type) => {
    if (!isServer(object)) return [];
    const holder = type === 'DELETED' ? '' : (object.spec.holderIdentity ?? '');
    if (holders.get(name) === holder) return [];
    holders.set(name, holder);
    return ['/peers'];
  });
  const reconcile = () => peers.sync(servers().map(({ metadata }) => metadata.name ?? ''));
  // A server has its identity before it says where it is: it is asked again soon.
  const asking = controller({ ...loops, name: 'peer-discovery-cache-sync', sources: [changed], reconcile, retry: { firstMs: 200, maxMs: 30_000 } });
  await sources.of<StoredApiService>({ group: 'apiregistration.k8s.io', resource: 'apiservices' }).follow(aggregatedVersions(own), signal);
  void asking.run(signal);
  await asking.settled;
}

function aggregatedVersions(own: PeerProxy['own']) {
  const byName = new Map<string, string>();
  const tell = () => own.set('apiservices', byName.values());
  return mirror<StoredApiService>({
    put: ({ metadata: { name = '' }, spec }) => {
      if (spec.service === undefined) byName.delete(name);
      else byName.set(name, `${spec.group}/${spec.version}`);
      tell();
    },
    drop: (_, name) => {
      if (byName.delete(name)) tell();
    },
  });
}
