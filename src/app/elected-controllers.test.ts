import { expect, test } from 'vitest';
import { PassingTime } from '../../test/support/passing-time.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const soon = { timeout: 20_000, interval: 30 };
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const merge = { type: 'application/merge-patch+json' };

interface Lease {
  readonly spec?: { readonly holderIdentity?: string };
}

test('controllers run while their server holds the lease, and again when it has it back', async () => {
  const time = new PassingTime();
  await using server = await ServerInTest.start({ flags: ['--controllers=serviceaccount', '--leader-elect'], clock: time, timers: time });
  const lease = `${leases}/kube-controller-manager`;
  const holder = async () => {
    time.advance(2_500);
    return ((await server.ask('GET', lease)).json as unknown as Lease).spec?.holderIdentity ?? '';
  };
  const accountsIn = async (namespace: string) => {
    time.advance(2_500);
    return (await server.ask('GET', `/api/v1/namespaces/${namespace}/serviceaccounts`)).json.items.length;
  };
  await server.make('/api/v1/namespaces', { metadata: { name: 'first' } });
  await expect.poll(() => accountsIn('first'), soon).toBe(1);
  expect(await holder()).not.toBe('');
  await server.ask('PATCH', lease, { spec: { holderIdentity: 'another', leaseDurationSeconds: 1_000_000 } }, merge);
  // It looks at the lease every two seconds.
  for (let looks = 0; looks < 8; looks++) expect(await holder()).toBe('another');
  await server.make('/api/v1/namespaces', { metadata: { name: 'second' } });
  for (let looks = 0; looks < 8; looks++) expect(await accountsIn('second')).toBe(0);
  await server.ask('DELETE', lease);
  await expect.poll(() => accountsIn('second'), soon).toBe(1);
});
