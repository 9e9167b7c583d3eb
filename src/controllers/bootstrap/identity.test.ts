import { expect, test } from 'vitest';
import { renewIdentity, type ServerFacts } from '#controllers/bootstrap/server-objects.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

test('servers of one machine renew one identity lease at the same time', async () => {
  await using server = await ServerInTest.start();
  const facts = (instance: string): ServerFacts => ({
    identity: 'apiserver-of-test',
    instance,
    hostname: 'machine',
    now: () => new Date(),
    groupVersions: [],
    clientCa: '',
    requestHeader: { usernameHeaders: [], uidHeaders: [], groupHeaders: [], extraHeaderPrefixes: [], allowedNames: [], clientCa: '' },
  });
  const { client } = server.server.api;
  await renewIdentity(client, facts('first'));
  // Of those that have read the same lease one is let through, so that three try again, two once more, and one for the fourth time.
  await Promise.all(['a', 'b', 'c', 'd'].map((instance) => renewIdentity(client, facts(instance))));
  const { json } = await server.ask('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/apiserver-of-test');
  expect(json).toMatchObject({
    spec: { holderIdentity: expect.stringMatching(/^apiserver-of-test_[a-d]$/) },
    metadata: { labels: { 'kubernetes.io/hostname': 'machine' } },
  });
});
