// A value in etcd that was cut off: its object cannot be read, lists of its resource are refused as the original refuses them, everything else goes on, and nothing is lost.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '#store/store.ts';
import { hasEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

vi.setConfig({ testTimeout: 60_000 });

const soon = { timeout: 20_000, interval: 50 };
const templates = '/api/v1/namespaces/default/podtemplates';
const template = (name: string) => ({ metadata: { name }, template: { metadata: {}, spec: { containers: [{ name: 'c', image: 'i' }] } } });
const key = '/registry/podtemplates/default/b';

/** Returns what lay there before. */
async function put(store: Store, change: (value: Uint8Array) => Uint8Array): Promise<Uint8Array> {
  const entry = await store.get(key);
  if (entry === undefined) throw new Error(`nothing lies at ${key}`);
  const { committed } = await store.compareAndSet(key, entry.revision, change(entry.value));
  if (!committed) throw new Error('another write was faster');
  return Buffer.from(entry.value);
}

test.skipIf(!hasEtcd)(`one object that cannot be read ${hasEtcd ? '' : withoutEtcd}`, async () => {
  const etcd = await startEtcd();
  onTestFinished(() => etcd[Symbol.asyncDispose]());
  const flags = ['--memory=false', `--etcd-servers=${etcd.url}`];
  await using server = await ServerInTest.start({ flags });
  const { store } = server.server.api.world;
  for (const name of ['a', 'b', 'c']) await server.make(templates, template(name));
  const whole = await put(store, (value) => value.subarray(0, value.length - 10));
  // One that is damaged while a server runs, and one on which a server starts.
  await using second = await ServerInTest.start({ flags });
  for (const [index, each] of [server, second].entries()) {
    const refused = async () => (await each.ask('GET', templates)).json.message;
    await expect
      .poll(refused, soon)
      .toBe(
        `storage is (re)initializing: failed to list *core.PodTemplate: unable to transform key "${key}": what is stored cannot be decoded: unexpected EOF`,
      );
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', template('b')]] as const) {
      const { code, json } = await each.ask(method, `${templates}/b`, body);
      expect([method, code, json.message]).toEqual([method, 500, 'Internal error occurred: what is stored cannot be decoded: unexpected EOF']);
    }
    expect((await each.ask('GET', `${templates}/a`)).code).toBe(200);
    expect((await each.ask('POST', templates, template('b'))).code).toBe(409);
    expect((await each.ask('POST', templates, template(`d${index}`))).code).toBe(201);
    expect((await each.ask('GET', '/api/v1/namespaces/default/services')).code).toBe(200);
  }
  await put(store, () => whole);
  for (const each of [server, second]) {
    const names = async () => (await each.ask('GET', templates)).json.items?.map(({ metadata }) => metadata.name);
    await expect.poll(names, soon).toEqual(['a', 'b', 'c', 'd0', 'd1']);
  }
});
