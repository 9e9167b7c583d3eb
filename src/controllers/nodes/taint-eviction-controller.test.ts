import { expect, test } from 'vitest';
import { toleratedFor } from '#controllers/nodes/taint-eviction-controller.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import type { Taint } from '#kinds/core/v1/node/node.ts';

const taints = (...keys: readonly string[]) => keys.map((key) => ({ key, effect: 'NoExecute' }) as Taint);
const toleration = (key: string, tolerationSeconds?: number) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }) as Toleration;

test.each([
  ['no taint', taints(), [], undefined],
  ['a taint that is not tolerated', taints('a'), [toleration('b')], 0],
  ['one of two that is not tolerated', taints('a', 'b'), [toleration('b')], 0],
  ['taints that are tolerated for ever', taints('a', 'b'), [toleration('a'), toleration('b')], undefined],
  ['taints of which one is tolerated for a time', taints('a', 'b'), [toleration('a'), toleration('b', 30)], 30_000],
  ['taints that are tolerated for different times', taints('a', 'b'), [toleration('a', 10), toleration('b', 30)], 10_000],
  ['a time below zero', taints('a'), [toleration('a', -5)], 0],
  ['the first toleration that fits', taints('a'), [toleration('a', 60), toleration('a', 5)], 60_000],
])('%s', (_, given, tolerations, expected) => {
  expect(toleratedFor(given, tolerations)).toBe(expected);
});
