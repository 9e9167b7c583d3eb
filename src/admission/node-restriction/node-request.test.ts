import { expect, test } from 'vitest';
import { storedPod } from '#admission/node-restriction/node-request.ts';

test('a pod that is not there is named in the singular, as the cache of the original does', async () => {
  const lister = { get: async () => undefined, list: async () => [] };
  const request = { lister, namespace: 'ns' } as unknown as Parameters<typeof storedPod>[0];
  await expect(storedPod(request, 'x')).rejects.toMatchObject({ code: 404, message: 'pod "x" not found', details: { name: 'x', kind: 'pod' } });
});
