import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { podTemplateHash } from '#kinds/core/v1/pod/pod-template-hash.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

/** Made by test/conformance/template-hash/record.ts. */
const recorded = JSON.parse(readFileSync('test/fixtures/template-hashes.json', 'utf8')) as readonly {
  readonly template: PodTemplateSpec;
  readonly hash: string;
}[];

test('the hash of a template is that of the original', () => {
  expect(recorded.length).toBeGreaterThan(40);
  expect(recorded.map(({ template }) => podTemplateHash(template))).toEqual(recorded.map(({ hash }) => hash));
});

test('a template whose hash is taken gets another one', () => {
  const template = recorded[0]?.template as PodTemplateSpec;
  expect(new Set([undefined, 0, 1, 2].map((count) => podTemplateHash(template, count))).size).toBe(4);
});
