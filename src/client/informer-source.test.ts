import { expect, test } from 'vitest';
import { pathOf } from '#base/json-scan.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { informerSources } from '#client/informer-source.ts';
import { RestClient } from '#client/rest-client.ts';

const configMaps = { group: '', resource: 'configmaps' };

test('over an informer, followers of a resource share one watch and are told what there is and what changes', async () => {
  await using server = await ServerInTest.start();
  const stop = new AbortController();
  const client = new RestClient(server.server.api.transport, 'test');
  const addressOf = () => ({ ...configMaps, version: 'v1', namespaced: true });
  const source = informerSources({ client, addressOf, random: Math.random, signal: stop.signal }).of(configMaps);
  const path = '/api/v1/namespaces/default/configmaps';
  await server.make(path, { metadata: { name: 'one' }, data: { a: 'b' } });
  const told: string[][] = [[], []];
  for (const list of told) {
    const begin = (all: readonly { readonly name: string }[]) => void list.push(...all.map(({ name }) => name).filter((name) => name === 'one'));
    await source.follow({ begin, change: (type, { name }) => void list.push(`${type} ${name}`) }, stop.signal);
  }
  await server.make(path, { metadata: { name: 'two' } });
  await server.ask('DELETE', `${path}/one`);
  await expect
    .poll(() => told.map((list) => list.filter((line) => !line.includes('kube-root'))))
    .toEqual([0, 1].map(() => ['one', 'ADDED two', 'DELETED one']));
  expect(source.get('default', 'two')?.valueAt(pathOf('metadata.name'))).toBe('two');
  expect(source.list('default').map(({ name }) => name)).not.toContain('one');
  stop.abort();
});
