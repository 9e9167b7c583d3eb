import { describe, expect, test } from 'vitest';
import { defaultPullPolicy } from '#kinds/rules/images.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('the default pull policy', () => {
  test.each([
    'nginx',
    'nginx:latest',
    'a/b',
    'A/b',
    'localhost/x',
    'localhost:5000/x',
    'host:5000/x:latest',
    'host.com/x/y',
    'host.com:80/x',
    '[::1]:5/x:latest',
    `x:latest@${digest}`,
    'x__y',
    'x--y',
    'a.b/c:latest',
  ])('is Always for %s', (image) => {
    expect(defaultPullPolicy(image)).toBe('Always');
  });

  test.each(['nginx:1', `x@${digest}`, `x:1@${digest}`])('is IfNotPresent for %s', (image) => {
    expect(defaultPullPolicy(image)).toBe('IfNotPresent');
  });

  test.each([
    '',
    'NGINX',
    'a/B',
    'host.com/X',
    'x@sha256:abc',
    `x@md5:${'a'.repeat(32)}`,
    'a'.repeat(64),
    'x:',
    'x:a b',
    '-x',
    'x___y',
    'x..y',
    'x/',
    'a'.repeat(260),
    'x:latest ',
  ])('is IfNotPresent for %j, which is no reference', (image) => {
    expect(defaultPullPolicy(image)).toBe('IfNotPresent');
  });
});
