import { expect, test } from 'vitest';
import type { AccessAttributes } from '#auth/authorizer.ts';
import { webhookAuthorizer } from '#auth/authorization/webhook.ts';

const attributes: AccessAttributes = {
  isResource: true,
  verb: 'get',
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: 'a',
  labelSelector: '',
  fieldSelector: '',
};
const user = { name: 'alice', groups: Array.from({ length: 1000 }, (_, i) => `group-${i}`) };

/** How often the other server was asked. */
async function asked(access: AccessAttributes): Promise<number> {
  let calls = 0;
  const call = async () => {
    calls += 1;
    return { status: { allowed: true } };
  };
  const authorize = webhookAuthorizer({
    call,
    version: 'v1',
    clock: { now: () => new Date(0) },
    allowedMs: 1000,
    refusedMs: 1000,
    onFailure: 'deny',
  });
  await authorize(user, access);
  await authorize(user, access);
  return calls;
}

test('an answer is remembered, however many groups the user has', async () => {
  expect(await asked(attributes)).toBe(1);
});

test.each([
  ['name', { name: 'x'.repeat(10_000) }],
  ['path', { isResource: false, path: 'x'.repeat(10_000) }],
  ['label selector', { labelSelector: `a=${'x'.repeat(10_000)}` }],
])('an answer to a question with a %s of 10,000 characters is not', async (_name, changed) => {
  expect(await asked({ ...attributes, ...changed })).toBe(2);
});
