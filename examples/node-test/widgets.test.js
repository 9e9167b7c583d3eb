// A definition from a file, one server for all tests of the file, reset() between them.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTestServer } from 'binnacle/testing';

let server;
before(async () => {
  server = await startTestServer({ crds: fileURLToPath(new URL('crds', import.meta.url)) });
});
afterEach(() => server.reset());
after(() => server.close());

const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' }, spec: { size: 2 } };

test('a widget is stored', async () => {
  await server.client.create(widget);
  assert.deepEqual((await server.client.get(widget, 'default', 'w')).spec, { size: 2 });
});

test('the widget of the other test is gone, and one without a size is refused', async () => {
  assert.deepEqual((await server.client.list(widget)).items, []);
  await assert.rejects(server.client.create({ ...widget, spec: { size: 0 } }), { code: 422, reason: 'Invalid' });
});
