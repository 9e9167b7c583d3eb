import { expect, test } from 'vitest';
import { findValue, pathOf } from '#base/json-scan.ts';
import type { Shape } from '#base/shapes/shape.ts';
import { ShapeBook } from '#base/shapes/shape-book.ts';
import { ShapedValues } from '#cache/shaped-values.ts';
import { samplePod } from '../../test/support/sample-pod.ts';

function variant(i: number): Buffer {
  const pod = samplePod(`web-${i}`) as { metadata: Record<string, unknown>; spec: Record<string, unknown> };
  pod.metadata['uid'] = `uid "${i}" \\ ${'é'.repeat(i % 5)}`;
  pod.metadata['generation'] = i % 3 === 0 ? i : null;
  pod.spec['nodeName'] = `node-${i % 7}`;
  return Buffer.from(JSON.stringify(pod));
}

const paths = [
  'metadata.uid',
  'metadata.generation',
  'metadata.name',
  'metadata',
  'metadata.labels',
  'spec.nodeName',
  'spec.containers',
  'spec.none',
  'none',
].map(pathOf);

test('what stands at a path is the same as in the whole object, which is put together only for values with holes in them', () => {
  const book = new ShapeBook((shape: Shape) => ({ shape, values: new ShapedValues(shape) }), 0);
  const whole = new Set<string>();
  let compared = 0;
  for (let i = 0; i < 50; i++) {
    const json = variant(i);
    const fit = book.fit(json);
    if (fit === undefined) continue;
    const packed = Buffer.alloc(fit.length + 7);
    fit.shaped.shape.pack(json, book.found, packed, 7);
    for (const path of paths) {
      const span = findValue(json, 0, path);
      const expected = span && (JSON.parse(json.toString('utf8', span.start, span.end)) as unknown);
      const read = () => {
        whole.add(path.join('.'));
        return expected;
      };
      expect(fit.shaped.values.at(path, packed, 7, read)).toEqual(expected);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(400);
  expect([...whole]).toEqual([pathOf('metadata').join('.')]);
});
