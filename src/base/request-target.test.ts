import { expect, test } from 'vitest';
import { isBrokenTarget } from '#base/request-target.ts';

test.each(['/', '/a%20b', '/%C3%A9', '/%ff', '/a?b=%zz', '/a?%', '*', '/é'])('%s is read', (target) => {
  expect(isBrokenTarget(target)).toBe(false);
});

test.each(['/%', '/%zz', '/a%2', '/a%2?b', '/a%%20', '/a\u0001', '/a?b=\u007f'])('%s is no target', (target) => {
  expect(isBrokenTarget(target)).toBe(true);
});
