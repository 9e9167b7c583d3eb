import { expect, test } from 'vitest';
import { exponentialBuckets, MetricSet } from '#base/metric-set.ts';
import { formatMetrics } from '#base/metrics.ts';

test('two parts that ask for the same metric share it', () => {
  const set = new MetricSet();
  const facts = { name: 'things_total', help: 'Things', labels: ['kind'] };
  for (const kind of ['a', 'b', 'a']) set.counter(facts).at(kind).value += 1;
  expect(formatMetrics(set.metrics())).toBe(
    '# HELP things_total [ALPHA] Things\n# TYPE things_total counter\nthings_total{kind="a"} 2\nthings_total{kind="b"} 1\n',
  );
});

test('a gauge is asked when it is read', () => {
  const set = new MetricSet();
  let value = 1;
  set.gauge({ name: 'now', help: 'Now', stability: 'BETA' }, () => [{ value }]);
  value = 7;
  expect(formatMetrics(set.metrics())).toContain('\nnow 7\n');
});

test('bounds of buckets grow by a factor', () => {
  expect(exponentialBuckets(2, 2, 4)).toEqual([2, 4, 8, 16]);
});
