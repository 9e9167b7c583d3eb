import { expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];

async function define(server: ServerInTest, group: string): Promise<string> {
  const path = `${definitions}/widgets.${group}`;
  const spec = { group, scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions };
  await server.make(definitions, { metadata: { name: `widgets.${group}` }, spec });
  while (!(await server.ask('GET', path)).text.includes('InitialNamesAccepted'));
  return path;
}

// On a disk the source often tells of a write before its writer has the answer.
test('what a definition defined stays gone with it, however many others come and go', async () => {
  await using server = await ServerInTest.start({ flags: ['--memory=false'] });
  const comesAndGoes = async (group: string) => {
    for (let round = 0; round < 4; round++) {
      const path = await define(server, group);
      expect((await server.ask('DELETE', path)).code).toBe(200);
      while ((await server.ask('GET', path)).code !== 404);
    }
  };
  const groups = Array.from({ length: 24 }, (_, index) => `brief-${index}.example.com`);
  await Promise.all(groups.map(comesAndGoes));
  // Behind all that the judge of definitions had in hand.
  await define(server, 'last.example.com');
  const served = (await server.ask('GET', '/apis')).text;
  expect(groups.filter((group) => served.includes(`"${group}"`))).toEqual([]);
  expect((await server.ask('GET', '/openapi/v2')).code).toBe(200);
});
