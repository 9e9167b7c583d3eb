import { describe, expect, test } from 'vitest';
import { parseMediaType } from '#server/answer/media-type.ts';

// As Go's mime.ParseMediaType has it.
describe('a Content-Type', () => {
  test.each([
    ['application/json', 'application/json'],
    [' Application/JSON ', 'application/json'],
    ['application/json; charset="utf-8"; a=b', 'application/json'],
    ['application/json;charset=utf-8;', 'application/json'],
    ['application/json ; charset = utf-8', 'application/json'],
    ['application/json; a="\\""', 'application/json'],
    ['application/json; a=b; a=b', 'application/json'],
    ['json', 'json'],
  ])('%j is %s', (text, expected) => {
    expect(parseMediaType(text)).toBe(expected);
  });

  test.each([
    '',
    '/json',
    'application/',
    'application/json/x',
    'application/json x',
    'application/json, application/yaml',
    'application/json; charset',
    'application/json; charset=',
    'application/json;;',
    'application/json; a="b',
    'application/json; a=b; a=c',
    'application/json; =b',
  ])('%j cannot be read', (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });
});
