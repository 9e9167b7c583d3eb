// kubernetes.regex: find and findAll. Constant patterns are compiled with the program, which a wrong one refuses.
import type { BoundedPattern } from '#base/bounded-pattern.ts';
import { declare, member } from '#cel/library/declare.ts';
import type { Library, Overload, PreparedBody } from '#cel/library.ts';
import { compilePattern, refuseLongSearch } from '#cel/standard/pattern.ts';
import { intType, listType, stringType, type Type } from '#cel/type.ts';
import { ArrayList, CelError, type CelList, type CelValue } from '#cel/value.ts';

export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  introduced: 0,
  functions: [
    declare('find', matching('string_find_string', [stringType, stringType], stringType, find)),
    declare(
      'findAll',
      matching('string_find_all_string', [stringType, stringType], listType(stringType), findAll),
      matching('string_find_all_string_int', [stringType, stringType, intType], listType(stringType), findAll),
    ),
  ],
};

const all = -1n;

type Search = (pattern: BoundedPattern, text: string, limit: CelValue) => CelValue;

/** The overload with a body that compiles its pattern, once where the pattern is constant. */
function matching(id: string, args: readonly Type[], result: Type, search: Search): Overload {
  return {
    ...member(id, args, result, (text: string, pattern: string, limit: CelValue = all) => search(compiled(pattern), text, limit)),
    prepare: ([, pattern]) => (typeof pattern === 'string' ? preparedSearch(compilePattern(pattern), search) : undefined),
  };
}

function preparedSearch(pattern: BoundedPattern, search: Search): PreparedBody {
  return { call: (text: string, _pattern: string, limit: CelValue = all) => search(pattern, text, limit) };
}

function compiled(pattern: string): BoundedPattern {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof CelError) throw new CelError(`Illegal regex: ${error.message}`);
    throw error;
  }
}

/** The empty text when the pattern does not occur. */
function find(pattern: BoundedPattern, text: string): string {
  refuseLongSearch(pattern, text);
  const matcher = pattern.matcher(text);
  return matcher.find() ? text.slice(matcher.start(), matcher.end()) : '';
}

/** At most `limit` occurrences; an empty one right behind another does not count, as in Go. */
function findAll(pattern: BoundedPattern, text: string, limit: CelValue): CelList {
  const most = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : Number.POSITIVE_INFINITY;
  refuseLongSearch(pattern, text);
  const matcher = pattern.matcher(text);
  const found: string[] = [];
  let lastEnd = -1;
  let from = 0;
  while (from <= text.length && found.length < most && matcher.find(from)) {
    const start = matcher.start();
    const end = matcher.end();
    if (start !== end || start !== lastEnd) found.push(text.slice(start, end));
    lastEnd = end;
    from = end > from ? end : from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  }
  return new ArrayList(found);
}
