import { describe, expect, test } from 'vitest';
import { electedSpec, electionStep, firstTerm, microTimeAt, type StoredLease } from '#controllers/leader-election/election-step.ts';
import { oldestOf, type StoredCandidate, StrategyConflict, strategyOf } from '#controllers/leader-election/pick-leader.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const ago = (ms: number) => microTimeAt(now - ms);
const oldest = 'OldestEmulationVersion';

interface Given {
  readonly emulation?: string;
  readonly binary?: string;
  readonly strategy?: string;
  readonly createdMsAgo?: number;
  readonly renewedMsAgo?: number;
  readonly pingedMsAgo?: number;
}

function candidate(
  name: string,
  { emulation = '1.36.0', binary = '1.36.0', strategy = oldest, createdMsAgo = 0, renewedMsAgo = 0, pingedMsAgo }: Given = {},
): StoredCandidate {
  return {
    metadata: { name, namespace: 'kube-system', creationTimestamp: ago(createdMsAgo) },
    spec: {
      leaseName: 'work',
      emulationVersion: emulation,
      binaryVersion: binary,
      strategy,
      renewTime: ago(renewedMsAgo),
      ...(pingedMsAgo === undefined ? {} : { pingTime: ago(pingedMsAgo) }),
    },
  };
}

function lease(holder: string, renewedMsAgo = 0, more: Partial<StoredLease['spec']> = {}): StoredLease {
  const spec = { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: ago(renewedMsAgo), strategy: oldest, ...more };
  return { metadata: { name: 'work', namespace: 'kube-system' }, spec };
}

describe('who is elected', () => {
  test.each<[string, StoredCandidate[], string | undefined]>([
    ['the oldest emulation version', [candidate('a', { emulation: '1.36.0' }), candidate('b', { emulation: '1.35.0' })], 'b'],
    ['then the oldest binary', [candidate('a', { binary: '1.37.1' }), candidate('b', { binary: '1.37.0' })], 'b'],
    ['numbers are no texts', [candidate('a', { emulation: '1.10.0' }), candidate('b', { emulation: '1.9.0' })], 'b'],
    ['then the one that was made first', [candidate('a', { createdMsAgo: 1_000 }), candidate('b', { createdMsAgo: 2_000 })], 'b'],
    ['a candidate without versions never', [candidate('a', { emulation: '' }), candidate('b')], 'b'],
    ['nobody of no candidates', [], undefined],
  ])('%s', (_, candidates, name) => {
    expect(oldestOf(candidates)?.metadata.name).toBe(name);
    expect(oldestOf([...candidates].reverse())?.metadata.name).toBe(name);
  });

  test('the newest binary says by which strategy', () => {
    expect(strategyOf([candidate('a', { strategy: 'example.com/a' }), candidate('b', { binary: '1.37.0' })])).toBe(oldest);
  });

  test('different strategies of one binary version are a conflict', () => {
    expect(() => strategyOf([candidate('a'), candidate('b', { strategy: 'example.com/a' })])).toThrow(StrategyConflict);
  });
});

describe('one step', () => {
  test('a lease that the best candidate holds and renews is left alone', () => {
    expect(electionStep(lease('a'), [candidate('a', { renewedMsAgo: 60_000 })], now)).toEqual({ is: 'not needed' });
  });

  test('a candidate that has just renewed is elected without a ping', () => {
    expect(electionStep(undefined, [candidate('a')], now)).toEqual({ is: 'elect', strategy: oldest, holder: 'a' });
  });

  test.each<[string, StoredLease]>([
    ['that is free', lease('')],
    ['that has expired', lease('a', 15_001)],
    ['that a worse candidate holds', lease('b')],
  ])('for a lease %s silent candidates are pinged first', (_, held) => {
    const silent = [candidate('a', { renewedMsAgo: 60_000 }), candidate('b', { emulation: '1.36.1', binary: '1.36.1', renewedMsAgo: 60_000 })];
    expect(electionStep(held, silent, now)).toEqual({ is: 'ping', candidates: silent });
  });

  test('all candidates are pinged in the middle of the time for which they count', () => {
    const old = candidate('a', { renewedMsAgo: 15 * 60_000 + 1 });
    expect(electionStep(lease('a'), [old], now)).toEqual({ is: 'ping', candidates: [old] });
  });

  test('a candidate that was pinged has five seconds to answer', () => {
    const answered = candidate('b', { emulation: '1.36.1', binary: '1.36.1', pingedMsAgo: 4_000, renewedMsAgo: 3_900 });
    const silent = (pingedMsAgo: number) => candidate('a', { pingedMsAgo, renewedMsAgo: 60_000 });
    expect(electionStep(lease(''), [silent(4_000), answered], now)).toEqual({ is: 'wait' });
    expect(electionStep(lease(''), [silent(5_001), answered], now)).toEqual({ is: 'elect', strategy: oldest, holder: 'b' });
  });

  test('without an answer nobody is elected', () => {
    expect(() => electionStep(lease(''), [candidate('a', { pingedMsAgo: 6_000, renewedMsAgo: 60_000 })], now)).toThrow('no available candidates');
  });

  test('by another strategy another controller elects', () => {
    const other = candidate('a', { strategy: 'example.com/a' });
    expect(electionStep(undefined, [other], now)).toEqual({ is: 'elect', strategy: 'example.com/a', holder: undefined });
    expect(electionStep(lease('z'), [other], now)).toEqual({ is: 'not needed' });
  });
});

describe('what is written into the lease', () => {
  const elected = { is: 'elect', strategy: oldest, holder: 'b' } as const;

  test.each<[string, StoredLease]>([
    ['free', lease('', 0, { preferredHolder: 'b', acquireTime: ago(9) })],
    ['expired', lease('a', 15_001, { preferredHolder: 'b', acquireTime: ago(9) })],
  ])('one that is %s changes hands, for a short first term', (_, held) => {
    expect(electedSpec(held, elected, now)).toEqual(firstTerm(oldest, 'b', now));
  });

  test('the holder of one that is held is asked to let it run out', () => {
    const held = lease('a');
    const spec = electedSpec(held, elected, now);
    expect(spec).toEqual({ ...held.spec, preferredHolder: 'b' });
    expect(electedSpec({ ...held, spec: spec ?? {} }, elected, now)).toBeUndefined();
  });

  test('only the strategy, where another controller says who leads', () => {
    const held = lease('a', 60_000);
    expect(electedSpec(held, { ...elected, strategy: 'example.com/a', holder: undefined }, now)).toEqual({ ...held.spec, strategy: 'example.com/a' });
    expect(electedSpec(held, { ...elected, holder: 'a' }, now)).toBeUndefined();
  });
});
