import { expect, test } from 'vitest';
import { type Count, countSamples, formatMetrics, formatMetricsInTurns, Histogram, type Metric, newCount, Series } from '#base/metrics.ts';

function counter(name: string, samples: Metric['samples']): Metric {
  return { name, type: 'counter', stability: 'ALPHA', help: 'h', samples };
}

test('metrics are sorted by name, labels too, and what has no samples is not mentioned', () => {
  const text = formatMetrics([counter('b', () => [{ value: 2 }]), counter('c', () => []), counter('a', () => [{ labels: { z: '1', y: '2' }, value: 1 }])]);
  expect(text).toBe('# HELP a [ALPHA] h\n# TYPE a counter\na{y="2",z="1"} 1\n# HELP b [ALPHA] h\n# TYPE b counter\nb 2\n');
});

test('label values cannot break out of their quotes', () => {
  expect(formatMetrics([counter('a', () => [{ labels: { x: 'a"b\\c\nd' }, value: 1 }])])).toContain('a{x="a\\"b\\\\c\\nd"} 1\n');
});

test('buckets of a histogram count everything up to their bound', () => {
  const histogram = new Histogram([1, 5]);
  for (const value of [0.5, 1, 3, 100]) histogram.observe(value);
  const values = [...histogram.samples({ x: 'y' })].map(({ suffix, le, value }) => `${suffix} ${le ?? ''} ${value}`);
  expect(values).toEqual(['_bucket 1 2', '_bucket 5 3', '_bucket +Inf 4', '_sum  104.5', '_count  4']);
});

test('the bound of a bucket is its last label', () => {
  const histogram = new Histogram([1]);
  expect(formatMetrics([counter('a', () => histogram.samples({ z: '1' }))])).toContain('a_bucket{z="1",le="1"} 0\na_bucket{z="1",le="+Inf"} 0\n');
});

test('many lines are written with pauses, and are the same', async () => {
  const metrics = [counter('a', () => Array.from({ length: 5000 }, (_, i) => ({ labels: { i: String(i) }, value: i })))];
  let time = 0;
  let pauses = 0;
  const text = await formatMetricsInTurns(
    metrics,
    () => (time += 2),
    async () => void (pauses += 1),
  );
  expect(pauses).toBeGreaterThan(5);
  expect(text.toString()).toBe(formatMetrics(metrics));
});

test('a series never has more than its limit of label values', () => {
  const series = new Series<Count>(['user'], newCount, 3);
  for (let i = 0; i < 1000; i++) series.at(`user-${i}`).value += 1;
  const samples = countSamples(series);
  expect(samples.length).toBeLessThanOrEqual(4);
  expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(1000);
});
