/** Standard functions on strings: contains, startsWith, endsWith, matches. */
import type { BoundedPattern } from '#base/bounded-pattern.ts';
import type { FunctionDeclaration, Overload } from '../library.ts';
import { boolType, stringType } from '../type.ts';
import { CelError } from '../value.ts';
import { compilePattern, refuseLongSearch } from './pattern.ts';

const twoStrings = [stringType, stringType];

export const textFunctions: readonly FunctionDeclaration[] = [
  test('contains', 'contains_string', (text, part) => text.includes(part)),
  test('endsWith', 'ends_with_string', (text, suffix) => text.endsWith(suffix)),
  test('startsWith', 'starts_with_string', (text, prefix) => text.startsWith(prefix)),
  { name: 'matches', overloads: [matches('matches', false), matches('matches_string', true)], mismatch: () => 'no such overload' },
];

function test(name: string, id: string, holds: (text: string, part: string) => boolean): FunctionDeclaration {
  return { name, overloads: [{ id, member: true, args: twoStrings, result: boolType, call: holds }], mismatch: () => 'no such overload' };
}

function isMatched(pattern: BoundedPattern, text: string): boolean {
  refuseLongSearch(pattern, text);
  return pattern.occursIn(text);
}

function matches(id: string, member: boolean): Overload {
  return {
    id,
    member,
    args: twoStrings,
    result: boolType,
    call: (text: string, pattern: string) => isMatched(compilePattern(pattern), text),
    prepare: ([, pattern]) => {
      if (typeof pattern !== 'string') return undefined;
      const compiled = compilePattern(pattern);
      return {
        call: (text) => {
          if (typeof text !== 'string') throw new CelError('no such overload');
          return isMatched(compiled, text);
        },
      };
    },
  };
}
