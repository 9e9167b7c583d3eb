import { describe, expect, test } from 'vitest';
import { jsonPathProblem } from '#kinds/rules/json-paths.ts';

describe('paths', () => {
  test.each([
    'spec.validations[0].expression',
    '.spec',
    '$.spec',
    '..name',
    '.items[*].x',
    ".a['b']",
    '.a[-1:2]',
    '.a[0,1]',
    '.a[?(@.x=="y)")].z',
    '"text"',
    'a} text {.b',
    '1.5',
  ])('%s is fine', (path) => {
    expect(jsonPathProblem(path)).toBeUndefined();
  });

  test.each([
    ['-lead', 'cannot parse number -'],
    ['a.!', undefined],
    ['!', "unrecognized character in action: U+0021 '!'"],
    ['....', 'invalid multiple recursive descent'],
    ['.a[', 'unterminated array'],
    ['.a[x]', 'invalid array index x'],
    ['.a[1,x]', 'invalid array index x'],
    ['.a[-]', 'array index - is not a number'],
    ['.a[?(@.x', 'unterminated filter'],
    ['.a[?(@.x)', 'unclosed array expect ]'],
    ['"text', 'unterminated quoted string'],
    ['a\nb', 'unclosed action'],
    ['1.2.3', 'cannot parse number 1.2.3'],
  ])('%j: %s', (path, problem) => {
    expect(jsonPathProblem(path)).toBe(problem);
  });
});
