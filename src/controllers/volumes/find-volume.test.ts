import { describe, expect, test } from 'vitest';
import { findVolume, mismatchOf } from '#controllers/volumes/find-volume.ts';
import type { StoredClaim, StoredVolume } from '#controllers/volumes/storage-objects.ts';

interface VolumeFacts {
  readonly modes?: readonly string[];
  readonly storageClass?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
  readonly spec?: object;
}

function volume(
  name: string,
  storage: string,
  { modes = ['ReadWriteOnce'], storageClass = '', labels = {}, phase = 'Available', spec = {} }: VolumeFacts = {},
) {
  const whole = { capacity: { storage }, accessModes: modes, storageClassName: storageClass, ...spec };
  return { metadata: { name, labels }, spec: whole, status: { phase } } as unknown as StoredVolume;
}

function claim(storage: string, spec: object = {}): StoredClaim {
  const whole = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec };
  return { metadata: { namespace: 'ns', name: 'c', uid: 'u' }, spec: whole } as unknown as StoredClaim;
}

const found = (wanted: StoredClaim, volumes: readonly StoredVolume[], delayBinding = false) => findVolume(wanted, volumes, { delayBinding })?.metadata.name;

describe('of the volumes that fit', () => {
  test('the smallest is chosen', () => {
    expect(found(claim('2Gi'), [volume('ten', '10Gi'), volume('three', '3Gi'), volume('one', '1Gi'), volume('four', '4Gi')])).toBe('three');
  });

  test('one with fewer access modes comes before a smaller one', () => {
    const both = ['ReadWriteOnce', 'ReadWriteMany'];
    expect(found(claim('1Gi'), [volume('small', '1Gi', { modes: both }), volume('large', '9Gi')])).toBe('large');
    expect(found(claim('1Gi', { accessModes: ['ReadWriteMany'] }), [volume('small', '1Gi', { modes: both }), volume('large', '9Gi')])).toBe('small');
  });

  test('one that is meant for the claim comes before all others, whatever its class', () => {
    const claimRef = { namespace: 'ns', name: 'c' };
    const meant = volume('meant', '9Gi', { storageClass: 'other', spec: { claimRef } });
    expect(found(claim('1Gi'), [volume('small', '1Gi'), meant])).toBe('meant');
    expect(found(claim('1Gi'), [volume('small', '1Gi'), meant], true)).toBe('meant');
  });
});

test.each([
  ['is too small', volume('v', '1Gi')],
  ['is of another class', volume('v', '9Gi', { storageClass: 'other' })],
  ['is another claim’s', volume('v', '9Gi', { spec: { claimRef: { namespace: 'ns', name: 'other' } } })],
  ['is of a claim of that name that is gone', volume('v', '9Gi', { spec: { claimRef: { namespace: 'ns', name: 'c', uid: 'before' } } })],
  ['is a block device', volume('v', '9Gi', { spec: { volumeMode: 'Block' } })],
  ['has other attributes', volume('v', '9Gi', { spec: { volumeAttributesClassName: 'gold' } })],
  ['is not available yet', volume('v', '9Gi', { phase: 'Pending' })],
  ['lacks the access mode', volume('v', '9Gi', { modes: ['ReadOnlyMany'] })],
  ['is going', { ...volume('v', '9Gi'), metadata: { name: 'v', deletionTimestamp: 'now' } } as StoredVolume],
])('a volume that %s does not fit', (_, candidate) => {
  expect(found(claim('2Gi'), [candidate])).toBeUndefined();
});

test('a selector chooses by labels', () => {
  const wanted = claim('1Gi', { selector: { matchLabels: { tier: 'gold' } } });
  expect(found(wanted, [volume('plain', '1Gi'), volume('gold', '5Gi', { labels: { tier: 'gold' } })])).toBe('gold');
});

test('where binding is delayed nothing is chosen before a node is', () => {
  expect(found(claim('1Gi'), [volume('small', '1Gi')], true)).toBeUndefined();
});

test.each([
  ['requested PV is too small', volume('v', '1Gi'), claim('2Gi')],
  ['storageClassName does not match', volume('v', '9Gi', { storageClass: 'other' }), claim('1Gi')],
  ['volumeAttributesClassName does not match', volume('v', '9Gi'), claim('1Gi', { volumeAttributesClassName: 'gold' })],
  ['incompatible volumeMode', volume('v', '9Gi'), claim('1Gi', { volumeMode: 'Block' })],
  ['incompatible accessMode', volume('v', '9Gi'), claim('1Gi', { accessModes: ['ReadWriteMany'] })],
  [undefined, volume('v', '9Gi'), claim('1Gi')],
])('a volume that was asked for by name: %s', (why, candidate, wanted) => {
  expect(mismatchOf(candidate, wanted)).toBe(why);
});
