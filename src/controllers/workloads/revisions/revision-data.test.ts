import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goJson, type RevisionData, revisionData, revisionHash } from '#controllers/workloads/revisions/revision-data.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

interface Recorded {
  readonly template: PodTemplateSpec;
  readonly hash: string;
  /** Of the DaemonSet, whose hash is that of the template, and of the StatefulSet. */
  readonly revisions: readonly { readonly hash: string; readonly data: RevisionData }[];
}

/** Made by test/conformance/template-hash/record.ts. */
const recorded = JSON.parse(readFileSync('test/fixtures/template-hashes.json', 'utf8')) as readonly Recorded[];

test('the data of a revision are those of the original, and so is their hash', () => {
  expect(recorded.length).toBeGreaterThan(40);
  for (const { template, hash, revisions } of recorded) {
    const data = revisionData(template);
    for (const revision of revisions) expect(goJson(data)).toBe(goJson(revision.data));
    expect(revisions.map((revision) => revision.hash).toSorted()).toEqual([hash, revisionHash(data, 0)].toSorted());
  }
});

test('JSON is written as Go writes it', () => {
  expect(goJson({ b: 1, a: ['<&>'], 10: null, 9: undefined })).toBe('{"10":null,"a":["\\u003c\\u0026\\u003e"],"b":1}');
});
