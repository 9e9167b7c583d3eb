import { expect, test } from 'vitest';
import { PassingTime } from '../../test/support/passing-time.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const soon = { timeout: 20_000, interval: 30 };
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/kube-system/leasecandidates';
const merge = { type: 'application/merge-patch+json' };
const coordinated = ['--feature-gates=CoordinatedLeaderElection=true', '--runtime-config=coordination.k8s.io/v1beta1=true'];

interface Lease {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly preferredHolder?: string;
    readonly leaseDurationSeconds?: number;
    readonly strategy?: string;
    readonly acquireTime?: string;
  };
}

interface Candidate {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly pingTime?: string; readonly renewTime: string; readonly leaseName: string };
}

/** A server whose time passes by two seconds with every look at it. */
async function start(...flags: readonly string[]) {
  const time = new PassingTime();
  const server = await ServerInTest.start({ flags: [...coordinated, ...flags], clock: time, timers: time });
  const micro = () => time.now().toISOString().replace('Z', '000Z');
  const spec = async (name: string) => {
    time.advance(2_000);
    return ((await server.ask('GET', `${leases}/${name}`)).json as unknown as Lease).spec;
  };
  const stand = (name: string, emulationVersion: string) =>
    server.make(candidates, {
      metadata: { name, namespace: 'kube-system' },
      spec: { leaseName: 'work', binaryVersion: '1.36.0', emulationVersion, strategy: 'OldestEmulationVersion', renewTime: micro() },
    });
  /** As client-go's candidates do, when they are pinged. */
  const answer = async (name: string) => {
    const { spec: own } = (await server.ask('GET', `${candidates}/${name}`)).json as unknown as Candidate;
    if (own.pingTime !== undefined && own.pingTime > own.renewTime) await server.ask('PATCH', `${candidates}/${name}`, { spec: { renewTime: micro() } }, merge);
  };
  const renew = (name: string) => server.ask('PATCH', `${leases}/${name}`, { spec: { renewTime: micro(), leaseDurationSeconds: 15 } }, merge);
  return { server, time, spec, stand, answer, renew, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('the candidate that behaves as the oldest version is elected, and preferred where another one leads', async () => {
  await using world = await start('--controllers=');
  await world.stand('newer', '1.36.0');
  await expect.poll(() => world.spec('work'), soon).toMatchObject({ holderIdentity: 'newer', strategy: 'OldestEmulationVersion', leaseDurationSeconds: 5 });
  await world.stand('older', '1.35.0');
  const preferred = async () => {
    for (const name of ['newer', 'older']) await world.answer(name);
    if ((await world.spec('work'))?.holderIdentity === 'newer') await world.renew('work');
    return (await world.spec('work'))?.preferredHolder;
  };
  await expect.poll(preferred, soon).toBe('older');
  // Its holder lets it run out.
  const holder = async () => {
    for (const name of ['newer', 'older']) await world.answer(name);
    return (await world.spec('work'))?.holderIdentity;
  };
  await expect.poll(holder, soon).toBe('older');
  expect(await world.spec('work')).not.toHaveProperty('preferredHolder');
});

test('candidates that do not answer are not elected, and are deleted after half an hour', async () => {
  await using world = await start('--controllers=');
  await world.stand('older', '1.35.0');
  await world.stand('newer', '1.36.0');
  world.time.advance(10_000);
  const holder = async () => {
    await world.answer('newer');
    return (await world.spec('work'))?.holderIdentity;
  };
  await expect.poll(holder, soon).toBe('newer');
  const left = async () => {
    world.time.advance(60_000);
    await world.answer('newer');
    return (await world.server.ask('GET', candidates)).json.items.map(({ metadata }) => metadata.name);
  };
  await expect.poll(left, soon).toEqual(['newer']);
});

test('controllers of this server stand for election themselves, and give way to an older one', async () => {
  await using world = await start('--controllers=serviceaccount', '--leader-elect');
  const own = async () => (await world.server.ask('GET', candidates)).json.items.map(({ metadata }) => metadata.name);
  await expect.poll(async () => (await world.spec('kube-controller-manager'))?.holderIdentity, soon).toEqual(expect.stringContaining('_'));
  const [identity] = await own();
  const lease = 'kube-controller-manager';
  await expect.poll(() => world.spec(lease), soon).toMatchObject({ holderIdentity: identity, leaseDurationSeconds: 15 });
  const { acquireTime = 'never' } = (await world.spec(lease)) ?? {};
  const accounts = async (namespace: string) => {
    world.time.advance(2_000);
    return (await world.server.ask('GET', `/api/v1/namespaces/${namespace}/serviceaccounts`)).json.items.length;
  };
  await world.server.make('/api/v1/namespaces', { metadata: { name: 'first' } });
  await expect.poll(() => accounts('first'), soon).toBe(1);
  await world.server.ask('PATCH', `${leases}/${lease}`, { spec: { preferredHolder: 'another' } }, merge);
  // Nobody else answers: it is elected again, for another term.
  await expect.poll(() => world.spec(lease), soon).toMatchObject({ holderIdentity: identity, acquireTime: expect.not.stringMatching(acquireTime) });
  expect(await world.spec(lease)).not.toHaveProperty('preferredHolder');
});

test('without the API of candidates leases are taken by whoever comes first', async () => {
  const time = new PassingTime();
  await using server = await ServerInTest.start({
    flags: ['--feature-gates=CoordinatedLeaderElection=true', '--controllers=serviceaccount', '--leader-elect'],
    clock: time,
    timers: time,
  });
  const holder = async () => {
    time.advance(2_500);
    return ((await server.ask('GET', `${leases}/kube-controller-manager`)).json as unknown as Lease).spec?.holderIdentity ?? '';
  };
  await expect.poll(holder, soon).not.toBe('');
});
