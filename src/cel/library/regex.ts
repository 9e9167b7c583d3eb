// kubernetes.regex: find and findAll.
import { declare, member } from '#cel/library/declare.ts';
import type { Library } from '#cel/library.ts';
import { compilePattern, type Pattern } from '#cel/regular-expression.ts';
import { intType, listType, stringType } from '#cel/type.ts';
import { ArrayList, CelError, type CelList } from '#cel/value.ts';

export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  introduced: 0,
  functions: [
    declare('find', member('string_find_string', [stringType, stringType], stringType, find)),
    declare(
      'findAll',
      member('string_find_all_string', [stringType, stringType], listType(stringType), (text: string, pattern: string) => findAll(text, pattern, -1n)),
      member('string_find_all_string_int', [stringType, stringType, intType], listType(stringType), findAll),
    ),
  ],
};

/** The empty text when the pattern does not occur. */
function find(text: string, pattern: string): string {
  const found = compiled(pattern).find(text, 0);
  return found === undefined ? '' : text.slice(found.start, found.end);
}

/** At most `limit` occurrences, all when it is negative; an empty one right behind another does not count, as in Go. */
function findAll(text: string, pattern: string, limit: bigint): CelList {
  const regex = compiled(pattern);
  const found: string[] = [];
  let lastEnd = -1;
  let from = 0;
  while (from <= text.length && (limit < 0n || BigInt(found.length) < limit)) {
    const next = regex.find(text, from);
    if (next === undefined) break;
    if (next.start !== next.end || next.start !== lastEnd) found.push(text.slice(next.start, next.end));
    lastEnd = next.end;
    from = next.end > from ? next.end : from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  }
  return new ArrayList(found);
}

function compiled(pattern: string): Pattern {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof CelError) throw new CelError(`Illegal regex: ${error.message}`);
    throw error;
  }
}
