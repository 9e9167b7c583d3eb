import { expect, test } from 'vitest';
import { endOf } from '#controllers/certificates/cleaner-controller.ts';
import type { StoredSigningRequest } from '#controllers/certificates/signing-rules.ts';

const hour = 3_600_000;
const then = '2026-01-01T00:00:00Z';
const at = Date.parse(then);

function request(status: object): StoredSigningRequest {
  return { metadata: { name: 'r', creationTimestamp: then }, spec: {}, status } as unknown as StoredSigningRequest;
}

test.each([
  ['nobody looked at', {}, 24],
  ['was denied', { conditions: [{ type: 'Denied', status: 'True', lastUpdateTime: then }] }, 1],
  ['failed', { conditions: [{ type: 'Failed', status: 'True', lastUpdateTime: then }] }, 1],
  ['was approved and not answered', { conditions: [{ type: 'Approved', status: 'True', lastUpdateTime: then }] }, 24],
  ['was answered', { certificate: 'bm9uZQ==', conditions: [{ type: 'Approved', status: 'True', lastUpdateTime: then }] }, 1],
])('a request that %s goes after its time', (_, status, hours) => {
  expect(endOf(request(status)) - at).toBe(hours * hour);
});

test('one whose verdict has no time stays', () => {
  expect(endOf(request({ conditions: [{ type: 'Denied', status: 'True' }] }))).toBe(Infinity);
});
