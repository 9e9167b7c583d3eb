import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeOwners, type OwnerState } from '#controllers/garbage-collector/judge-owners.ts';

const states = fc.array(fc.constantFrom<OwnerState | 'unseen'>('solid', 'dangling', 'waiting', 'unseen'), { maxLength: 5 });
const dependents = fc.record({ any: fc.boolean(), waiting: fc.boolean() });

test('an object with an owner that lives, or of which nothing is known, is never deleted; one that lost all is', () => {
  fc.assert(
    fc.property(states, dependents, (owners, owned) => {
      const ownerReferences = owners.map((_, index) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `o${index}`, uid: String(index) }));
      const seen = new Map(owners.flatMap((state, index) => (state === 'unseen' ? [] : [[String(index), state] as const])));
      const verdict = judgeOwners({ ownerReferences }, seen, owned);
      if (owners.length === 0 || owners.includes('unseen') || owners.every((state) => state === 'solid')) expect(verdict).toEqual({ is: 'keep' });
      else if (owners.includes('solid'))
        expect(verdict).toEqual({ is: 'release', owners: new Set(ownerReferences.flatMap(({ uid }, index) => (owners[index] === 'solid' ? [] : [uid]))) });
      else expect(verdict.is).toBe('delete');
    }),
  );
});

test.each([
  [[], 'Background'],
  [['orphan'], 'Orphan'],
  [['foregroundDeletion'], 'Foreground'],
])('finalizers %j of the object say how it is deleted: %s', (finalizers, policy) => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '1' }];
  const verdict = judgeOwners({ ownerReferences, finalizers }, new Map([['1', 'dangling']]), { any: true, waiting: false });
  expect(verdict).toEqual({ is: 'delete', policy, unblock: false });
});
