// cel.lib.ext.strings in version 2, the one Kubernetes uses since 1.29: no reverse, format with a locale. Positions count code points.
import { declare, global, member } from '#cel/library/declare.ts';
import { formatCallProblems } from '#cel/library/format-validator.ts';
import { replaceText, splitText, trimSpace } from '#cel/library/go-strings.ts';
import { formatText } from '#cel/library/string-format.ts';
import type { Library } from '#cel/library.ts';
import { dynType, intType, listType, stringType } from '#cel/type.ts';
import { ArrayList, CelError, type CelList, codePointLength, typeNameOf } from '#cel/value.ts';

const texts = listType(stringType);

export const stringsLibrary: Library = {
  name: 'cel.lib.ext.strings',
  introduced: 29,
  validate: formatCallProblems,
  functions: [
    declare('charAt', member('string_char_at_int', [stringType, intType], stringType, charAt)),
    declare(
      'indexOf',
      member('string_index_of_string', [stringType, stringType], intType, (text: string, part: string) => indexOf(text, part, 0n)),
      member('string_index_of_string_int', [stringType, stringType, intType], intType, indexOf),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', [stringType, stringType], intType, lastIndexOf),
      member('string_last_index_of_string_int', [stringType, stringType, intType], intType, lastIndexBefore),
    ),
    declare('lowerAscii', member('string_lower_ascii', [stringType], stringType, lowerAscii)),
    declare('upperAscii', member('string_upper_ascii', [stringType], stringType, upperAscii)),
    declare('trim', member('string_trim', [stringType], stringType, trimSpace)),
    declare(
      'replace',
      member('string_replace_string_string', [stringType, stringType, stringType], stringType, (text: string, from: string, to: string) =>
        replaceText(text, from, to, -1n),
      ),
      member('string_replace_string_string_int', [stringType, stringType, stringType, intType], stringType, replaceText),
    ),
    declare(
      'split',
      member('string_split_string', [stringType, stringType], texts, (text: string, separator: string) => new ArrayList(splitText(text, separator, -1n))),
      member(
        'string_split_string_int',
        [stringType, stringType, intType],
        texts,
        (text: string, separator: string, limit: bigint) => new ArrayList(splitText(text, separator, limit)),
      ),
    ),
    declare(
      'substring',
      member('string_substring_int', [stringType, intType], stringType, substringFrom),
      member('string_substring_int_int', [stringType, intType, intType], stringType, substring),
    ),
    declare(
      'join',
      member('list_join', [texts], stringType, (list: CelList) => join(list, '')),
      member('list_join_string', [texts, stringType], stringType, join),
    ),
    declare('strings.quote', global('strings_quote', [stringType], stringType, quote)),
    declare('format', member('string_format', [stringType, listType(dynType)], stringType, formatText)),
  ],
};

function outOfRange(position: bigint): never {
  throw new CelError(`index out of range: ${position}`);
}

function charAt(text: string, position: bigint): string {
  const start = unitPosition(text, position) ?? outOfRange(position);
  const character = text.codePointAt(start);
  return character === undefined ? '' : String.fromCodePoint(character);
}

/** The empty text is found wherever it is looked for, even outside. */
function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const start = unitPosition(text, from);
  const found = start === undefined ? -1 : text.indexOf(part, start);
  return found < 0 ? -1n : BigInt(codePointLength(text.slice(0, found)));
}

function lastIndexOf(text: string, part: string): bigint {
  const length = codePointLength(text);
  if (part === '') return BigInt(length);
  return length === 0 ? -1n : lastIndexBefore(text, part, BigInt(length - 1));
}

/** The last occurrence that begins at or before a position. */
function lastIndexBefore(text: string, part: string, position: bigint): bigint {
  if (part === '') return position;
  if (position < 0n) return outOfRange(position);
  const start = unitPosition(text, position);
  if (start === undefined || start >= text.length) return -1n;
  const found = text.lastIndexOf(part, start);
  return found < 0 ? -1n : BigInt(codePointLength(text.slice(0, found)));
}

function substringFrom(text: string, start: bigint): string {
  return text.slice(unitPosition(text, start) ?? outOfRange(start));
}

function substring(text: string, start: bigint, end: bigint): string {
  if (start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  return text.slice(unitPosition(text, start) ?? outOfRange(start), unitPosition(text, end) ?? outOfRange(end));
}

/** Where the code point of that number begins, in UTF-16 units; undefined outside 0 … length. */
function unitPosition(text: string, position: bigint): number | undefined {
  if (position < 0n || position > BigInt(text.length)) return undefined;
  let units = 0;
  for (let left = Number(position); left > 0; left--) {
    const character = text.codePointAt(units);
    if (character === undefined) return undefined;
    units += character > 0xffff ? 2 : 1;
  }
  return units;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function join(list: CelList, separator: string): string {
  const parts: string[] = [];
  for (const element of list) {
    if (typeof element !== 'string') throw new CelError(`join: invalid input: ${typeof element === 'object' ? typeNameOf(element) : String(element)}`);
    parts.push(element);
  }
  return parts.join(separator);
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** What CEL has escapes for is escaped, everything else stands as it is. */
function quote(text: string): string {
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => escapes[character] ?? character)}"`;
}
