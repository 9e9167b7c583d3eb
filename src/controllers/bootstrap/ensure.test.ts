import { expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { ensureAll } from '#controllers/bootstrap/ensure.ts';

const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };

function named(name: string): KubernetesObject {
  return { kind: 'ConfigMap', metadata: { name, namespace: 'kube-system' } };
}

/** A client of a cluster that has `stored`; notes down what it is asked. */
function clientOf(stored: readonly KubernetesObject[]) {
  const asked: string[] = [];
  const client: Pick<RestClient, 'list' | 'find' | 'create'> = {
    list: async <T>() => {
      asked.push('list');
      return { items: [...stored] as T[], metadata: {} } as never;
    },
    find: async <T>(_: ResourceAddress, namespace: string, name: string) => {
      asked.push(`find ${namespace}/${name}`);
      return stored.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace) as T | undefined;
    },
    create: async <T>(_: ResourceAddress, namespace: string, object: object) => {
      asked.push(`create ${namespace}/${(object as KubernetesObject).metadata.name}`);
      return object as T;
    },
  };
  return { client: client as RestClient, asked };
}

test('a few objects are asked for by name: a cluster may have very many of their kind', async () => {
  const { client, asked } = clientOf([named('there')]);
  await ensureAll(client, configMaps, [named('there'), named('missing')]);
  expect(asked).toEqual(['find kube-system/there', 'find kube-system/missing', 'create kube-system/missing']);
});

test('many are looked for in one list', async () => {
  const wanted = Array.from({ length: 20 }, (_, i) => named(`role-${i}`));
  const { client, asked } = clientOf(wanted.slice(1));
  await ensureAll(client, configMaps, wanted);
  expect(asked).toEqual(['list', 'create kube-system/role-0']);
});
