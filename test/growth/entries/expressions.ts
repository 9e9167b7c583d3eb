// Texts that expressions read: the values come from objects, the expressions from policies and definitions.
import { parseRequestUri, parseUrl } from '#cel/library/go-url.ts';
import { parseIp } from '#cel/library/ip.ts';
import { parseAddress, parsePrefix } from '#cel/library/netip.ts';
import { parseNormalizedVersion, parseSemanticVersion } from '#cel/library/semantic-version.ts';
import { parseSource } from '#cel/parse/parse-source.ts';
import { tokenize } from '#cel/parse/lexer.ts';
import { parseTokens } from '#cel/parse/parser.ts';
import { parseDuration, parseTimestamp } from '#cel/standard/time.ts';
import { bodyBytes, type GrowthEntry, repeated, textEntry } from '../growth-entry.ts';

const forms: readonly [name: string, text: (bytes: number) => string][] = [
  ['digits', (bytes) => `${repeated('1', bytes)}x`],
  ['dots', (bytes) => repeated('1.', bytes)],
  ['colons', (bytes) => repeated(':', bytes)],
  ['slashes', (bytes) => repeated('/', bytes)],
  ['escapes', (bytes) => `https://a/${repeated('%41', bytes)}%`],
];

const readers: readonly [covers: string, read: (text: string) => unknown][] = [
  ['src/cel/library/go-url.ts#parseRequestUri', parseRequestUri],
  ['src/cel/library/go-url.ts#parseUrl', parseUrl],
  ['src/cel/library/ip.ts#parseIp', parseIp],
  ['src/cel/library/netip.ts#parseAddress', parseAddress],
  ['src/cel/library/netip.ts#parsePrefix', parsePrefix],
  ['src/cel/library/semantic-version.ts#parseNormalizedVersion', parseNormalizedVersion],
  ['src/cel/library/semantic-version.ts#parseSemanticVersion', parseSemanticVersion],
  ['src/cel/standard/time.ts#parseDuration', parseDuration],
  ['src/cel/standard/time.ts#parseTimestamp', parseTimestamp],
];

const options = { macros: new Map(), escapedIdentifiers: false };

/** Longer ones are refused by their length. */
const longestSource = 100_000;

const sources: readonly [name: string, text: (bytes: number) => string][] = [
  ['additions', (bytes) => `${repeated('1+', bytes)}1`],
  ['conjunctions', (bytes) => `${repeated('a&&', bytes)}a`],
  ['members', (bytes) => `a${repeated('.b', bytes)}`],
  ['parentheses', (bytes) => repeated('(', bytes)],
  ['list items', (bytes) => `[${repeated('1,', bytes)}1]`],
  ['characters that are no token', (bytes) => repeated('#', bytes)],
  ['lines without an end', (bytes) => repeated('"\n', bytes)],
  ['a long string', (bytes) => `"${repeated('\\n', bytes)}"`],
  ['missing operands', (bytes) => repeated('+ ', bytes)],
];

export const expressionEntries: readonly GrowthEntry[] = [
  ...readers.flatMap(([covers, read]) =>
    forms.map(([name, text]) => textEntry(`${name} in an expression: ${covers.split('#')[1]}`, covers, text, read, bodyBytes)),
  ),
  ...sources.flatMap(([name, text]) => [
    textEntry(`expression of ${name}`, 'src/cel/parse/parse-source.ts#parseSource', text, (source) => parseSource(source, options), longestSource),
    textEntry(`tokens of ${name}`, 'src/cel/parse/parser.ts#parseTokens', text, (source) => parseTokens(tokenize(source).tokens, options), longestSource),
  ]),
];
