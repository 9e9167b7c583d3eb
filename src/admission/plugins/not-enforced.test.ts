import { expect, test } from 'vitest';
import { makeLog } from '#base/log.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const webhook = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'guard' },
  webhooks: [
    { name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1/' }, sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail' },
  ],
};
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'guard' },
  spec: { policyName: 'guard', validationActions: ['Deny'] },
};

test('whoever writes a rule that is not enforced is warned each time, and the log names it', async () => {
  const lines: string[] = [];
  const log = makeLog({ format: 'text', level: () => 'info', write: (line) => lines.push(line), now: () => new Date() });
  await using server = await ServerInTest.start({ log });
  const send = async (method: string, path: string, body: object, type = 'application/json') =>
    (await server.ask(method, path, body, { type })).headers['warning'];
  const told = (resource: string) => expect.stringContaining(`${resource}.admissionregistration.k8s.io are stored but not enforced by this server`);

  expect(await send('POST', `${group}/validatingwebhookconfigurations?dryRun=All`, webhook)).toEqual(told('validatingwebhookconfigurations'));
  expect(lines.filter((line) => line.includes('not enforced'))).toEqual([]);
  expect(await send('POST', `${group}/validatingwebhookconfigurations`, webhook)).toEqual(told('validatingwebhookconfigurations'));
  expect(await send('PATCH', `${group}/validatingwebhookconfigurations/guard`, { webhooks: [] }, 'application/merge-patch+json')).toEqual(
    told('validatingwebhookconfigurations'),
  );
  expect(await send('POST', `${group}/validatingadmissionpolicybindings`, binding)).toEqual(told('validatingadmissionpolicybindings'));
  expect(await send('DELETE', `${group}/validatingwebhookconfigurations/guard`, {})).toBeUndefined();
  expect(lines.filter((line) => line.includes('not enforced')).length).toBe(3);
  expect(lines.find((line) => line.includes('not enforced'))).toContain('guard');
});
