// The etcd of --etcd-servers, and those of --etcd-servers-overrides: who they are, how they are spoken to, and what an operator is told when that cannot be.
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { OpenedStore } from '#app/open-store.ts';
import { refuseUnknown, serversOverrides } from '#app/etcd/servers-overrides.ts';
import { storedNames } from '#app/etcd/stored-names.ts';
import type { Clock } from '#base/clock.ts';
import type { TlsFiles } from '#base/grpc/grpc-connection.ts';
import { messageOf } from '#base/message-of.ts';
import { storeRoot } from '#resource/keys.ts';
import { EtcdMetrics } from '#store/etcd/etcd-metrics.ts';
import { measuredStore } from '#store/etcd/measured-store.ts';
import { openEtcdStore } from '#store/etcd/open-etcd-store.ts';
import { type Refused, UntrustedError } from '#store/etcd/untrusted.ts';
import type { Placement } from '#store/places.ts';
import type { Store } from '#store/store.ts';

/** Which flag an operator has to look at. */
const flagOf: Readonly<Record<Refused, string>> = { theirs: 'etcd-cafile', ours: 'etcd-certfile', tls: 'etcd-servers' };

export async function openEtcd({ etcdServers, flags }: ServerOptions, clock: Clock): Promise<Store> {
  refuseUnusableFiles(flags);
  return openEndpoints(etcdServers, flags, clock);
}

export async function openEtcdStores(options: ServerOptions, clock: Clock): Promise<OpenedStore> {
  const metrics = new EtcdMetrics(storedNames());
  const store = measuredStore(await openEtcd(options, clock), metrics);
  try {
    return { store, placements: await openPlacements(options, clock, metrics), isFilled: false, metrics: metrics.metrics() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The stores of --etcd-servers-overrides. Members that were named before, in whatever order, are the same store. */
async function openPlacements({ flags }: ServerOptions, clock: Clock, metrics: EtcdMetrics): Promise<readonly Placement[]> {
  const overrides = serversOverrides(flags.list('etcd-servers-overrides'));
  refuseUnknown(overrides);
  const stores = new Map<string, Store>();
  try {
    for (const { servers } of overrides) {
      const name = nameOf(servers);
      if (!stores.has(name)) stores.set(name, measuredStore(await openEndpoints(servers, flags, clock), metrics));
    }
  } catch (error) {
    await Promise.all([...stores.values()].map((store) => store.close()));
    throw error;
  }
  return overrides.map(({ group, resource, servers }) => ({ group, resource, store: stores.get(nameOf(servers)) as Store }));
}

function nameOf(servers: readonly string[]): string {
  return servers.toSorted().join(';');
}

async function openEndpoints(endpoints: readonly string[], flags: FlagValues, clock: Clock): Promise<Store> {
  try {
    return await openEtcdStore({
      endpoints,
      tls: () => tlsFiles(flags),
      root: storeRoot,
      prefix: `/${flags.text('etcd-prefix').replace(/^\/+|\/+$/g, '')}/`,
      leaseReuseSeconds: flags.number('lease-reuse-duration-seconds'),
      clock,
    });
  } catch (error) {
    if (error instanceof UntrustedError) throw new FlagError(`--${flagOf[error.refused]}: ${error.message}`);
    throw error;
  }
}

function tlsFiles(flags: FlagValues): TlsFiles {
  const contentOf = (name: string) => (flags.text(name) === '' ? undefined : readFileSync(flags.text(name)));
  return { ca: contentOf('etcd-cafile'), cert: contentOf('etcd-certfile'), key: contentOf('etcd-keyfile') };
}

function refuseUnusableFiles(flags: FlagValues): void {
  const given = (name: string) => flags.text(name) !== '';
  if (given('etcd-certfile') !== given('etcd-keyfile')) throw new FlagError('--etcd-certfile and --etcd-keyfile must be given together');
  for (const name of ['etcd-cafile', 'etcd-certfile'].filter(given)) {
    try {
      new X509Certificate(readFileSync(flags.text(name)));
    } catch (error) {
      throw new FlagError(`--${name}: ${flags.text(name)}: ${messageOf(error)}`);
    }
  }
  try {
    const { cert, key } = tlsFiles(flags);
    createSecureContext({ cert, key });
  } catch (error) {
    throw new FlagError(`--etcd-keyfile: ${flags.text('etcd-keyfile')}, for the certificate in ${flags.text('etcd-certfile')}: ${messageOf(error)}`);
  }
}
