import { describe, expect, test } from 'vitest';
import { checks, details, evaluate, newestVersion } from '#admission/pod-security/evaluate.ts';
import { subjectOf } from '#admission/pod-security/subject.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { type Change, type ContainerKind, isRefused, podSecurityCases, podSpecOf } from '../../../test/support/pod-security-cases.ts';

const versions = [...Array.from({ length: newestVersion + 3 }, (_, version) => version), 'latest' as const];

function subject(change: Change, kind: ContainerKind) {
  return subjectOf({ ...(change.annotations && { annotations: change.annotations }) }, podSpecOf(change, kind) as unknown as PodSpec);
}

describe.each(['containers', 'initContainers', 'ephemeralContainers'] as const)('a pod with %s', (kind) => {
  test('that says all it should passes every level in every version', () => {
    for (const level of ['privileged', 'baseline', 'restricted'] as const) {
      for (const version of versions) expect(details(evaluate({ level, version }, subject({}, kind)))).toBe('');
    }
  });

  test.each(podSecurityCases)('that $what is refused in the versions that know the check', (one) => {
    const judged = subject(one, kind);
    const asked = versions.flatMap((version) => (['baseline', 'restricted'] as const).map((level) => ({ level, version })));
    const told = asked.map((asks) => [asks, answer(details(evaluate(asks, judged)), one.says)]);
    expect(told).toEqual(asked.map((asks) => [asks, isRefused(one, asks.level, asks.version) ? one.says : '']));
    expect(versions.flatMap((version) => evaluate({ level: 'privileged', version }, judged))).toEqual([]);
  });
});

/** Other findings about the same pod do not matter, unless there should be none at all. */
function answer(found: string, says: string): string {
  return says === '' ? found : found.includes(says) ? says : '';
}

test('the table has a refusal by every check, and a pod for every version in which a check changes', () => {
  const found = podSecurityCases.filter(({ says }) => says !== '');
  const turns = new Set(found.flatMap(({ baseline, restricted }) => [baseline, restricted].flatMap((range) => (range ? [range[0], range[1] + 1] : []))));
  expect(checks.flatMap(({ versions: changes }) => changes.map(([since]) => since)).filter((since) => !turns.has(since))).toEqual([]);
  const judged = found.map((one) => subject(one, 'containers'));
  const silent = checks.filter(({ versions: changes }) => !judged.some((each) => changes.some(([, check]) => check(each) !== undefined)));
  expect(silent.map(({ id }) => id)).toEqual([]);
});
