import { afterAll, describe } from 'vitest';
import type { Clock } from '#base/clock.ts';
import { EtcdClient } from '#store/etcd/etcd-client.ts';
import type { EtcdStore } from '#store/etcd/etcd-store.ts';
import { encodeLeaseRevoke, type LeaseId } from '#store/etcd/kv-messages.ts';
import { openEtcdStore } from '#store/etcd/open-etcd-store.ts';
import type { ExpiringStore } from '#store/expiry.ts';
import { testStoreContract } from '#store/store-contract.ts';
import { hasEtcd, type RealEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';

describe.skipIf(!hasEtcd)(`a real etcd ${hasEtcd ? '' : withoutEtcd}`, () => {
  // Every test begins with an etcd that nothing was written to; the next one starts meanwhile.
  let next: Promise<RealEtcd> | undefined;
  afterAll(async () => {
    await (await next)?.[Symbol.asyncDispose]();
  });

  testStoreContract('etcd', async (clock) => {
    const etcd = await (next ?? startEtcd());
    next = startEtcd();
    const leases: Lease[] = [];
    const onLease = (id: LeaseId, ttlSeconds: number) => void leases.push({ id, deadline: clock.now().getTime() + ttlSeconds * 1000 });
    const store = await openEtcdStore({ endpoints: [etcd.url], root: '/', prefix: '/', leaseReuseSeconds: 0, clock, onLease });
    return expiringBy(clock, leases, etcd, store);
  });
});

interface Lease {
  readonly id: LeaseId;
  readonly deadline: number;
}

/** The clock of etcd cannot be moved: leases that are due by the test's own are revoked, which is what etcd does with them. */
function expiringBy(clock: Clock, leases: Lease[], etcd: RealEtcd, store: EtcdStore): ExpiringStore {
  return Object.assign(bound(store), {
    async expireDue() {
      const client = new EtcdClient({ endpoints: [etcd.url] });
      const due = leases.filter(({ deadline }) => deadline <= clock.now().getTime());
      for (const lease of due) await client.read('/etcdserverpb.Lease/LeaseRevoke', encodeLeaseRevoke(lease.id)).catch(() => undefined);
      client.close();
      for (const lease of due) leases.splice(leases.indexOf(lease), 1);
    },
    async close() {
      await store.close();
      await etcd[Symbol.asyncDispose]();
    },
  });
}

/** Private fields are reachable on the store itself only. */
function bound(store: EtcdStore): Pick<EtcdStore, keyof EtcdStore> {
  return {
    atOnce: store.atOnce,
    revision: () => store.revision(),
    get: (...parts) => store.get(...parts),
    list: (...parts) => store.list(...parts),
    keys: (...parts) => store.keys(...parts),
    count: (...parts) => store.count(...parts),
    visitAll: (...parts) => store.visitAll(...parts),
    watch: (...parts) => store.watch(...parts),
    compareAndSet: (...parts) => store.compareAndSet(...parts),
    compareAndSetDeferred: (...parts) => store.compareAndSetDeferred(...parts),
    compact: (...parts) => store.compact(...parts),
    claimCompaction: (...parts) => store.claimCompaction(...parts),
    writeError: () => store.writeError(),
    sizeOnDisk: () => store.sizeOnDisk(),
    close: () => store.close(),
  };
}
