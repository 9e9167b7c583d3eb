import { describe, expect, it } from 'vitest';
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' };

function ownersAfter(ownerReferences: OwnerReference[]): { owners: OwnerReference[] | undefined; warnings: string[] } {
  const warnings: string[] = [];
  const object: KubernetesObject = { metadata: { ownerReferences } };
  dropRepeatedOwners({ warn: (text) => warnings.push(text) }, object, 'sent');
  return { owners: object.metadata.ownerReferences, warnings };
}

describe('owner references', () => {
  it('name an owner once, with a warning about every repetition', () => {
    const { owners, warnings } = ownersAfter([owner, { ...owner }, { ...owner, uid: 'v' }, { ...owner, uid: 'v' }]);
    expect(owners).toEqual([owner, { ...owner, uid: 'v' }]);
    expect(warnings).toEqual([expect.stringMatching(/^\.metadata\.ownerReferences contains duplicate entries; .*observed: u, v$/)]);
  });

  it('may say different things about one owner', () => {
    const { owners, warnings } = ownersAfter([owner, { ...owner, controller: true }]);
    expect(owners).toHaveLength(2);
    expect(warnings).toEqual([]);
  });
});
