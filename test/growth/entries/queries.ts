// Path and query: what a request is about, and its options.
import { parseFieldSelector } from '#api/field-selector.ts';
import { parseGoDuration } from '#api/go-duration.ts';
import { parseLabelSelector } from '#api/label-selector.ts';
import { parseRequestInfo } from '#api/request-info.ts';
import { withoutTrailing } from '#base/without-trailing.ts';
import { decodeContinue } from '#verbs/continue-token.ts';
import { managerFromUserAgent, parseFlag, parseInteger, parseListOptions, parsePatchOptions, parseResourceVersion, parseWriteOptions } from '#verbs/options.ts';
import { type GrowthEntry, numbered, repeated, textEntry } from '../growth-entry.ts';

type TextOf = (bytes: number) => string;

const timeout = (name: string, text: (bytes: number) => string) =>
  textEntry(`timeout of ${name}`, 'src/api/go-duration.ts#parseGoDuration', text, parseGoDuration);
const labels = (name: string, text: (bytes: number) => string) =>
  textEntry(`label selector of ${name}`, 'src/api/label-selector.ts#parseLabelSelector', text, (value) => parseLabelSelector(value).matches({ a: 'b' }));
const fields = (name: string, text: (bytes: number) => string) =>
  textEntry(`field selector of ${name}`, 'src/api/field-selector.ts#parseFieldSelector', text, (value) => parseFieldSelector(value).matches({ a: 'b' }));
/** As many objects as requirements: each object must not cost as much as there are requirements. */
const selected = (
  name: string,
  covers: string,
  text: TextOf,
  matching: (text: string) => (values: Readonly<Record<string, string>>) => boolean,
): GrowthEntry => ({
  name: `many objects and ${name}`,
  covers: [covers],
  maxBytes: 1024 * 1024,
  prepare: (bytes) => {
    const sent = text(bytes);
    const objects = Array.from({ length: bytes / 32 }, (_, i) => ({ app: `a${i}`, 'metadata.name': `n${i}` }));
    return () => objects.filter(matching(sent)).length;
  },
});
const token = (name: string, text: (bytes: number) => string) =>
  textEntry(`continue token of ${name}`, 'src/verbs/continue-token.ts#decodeContinue', text, decodeContinue);
const encoded = (text: string) => Buffer.from(text).toString('base64url');

const request = (name: string, text: (bytes: number) => string): GrowthEntry =>
  textEntry(`path of ${name}`, 'src/api/request-info.ts#parseRequestInfo', text, (path) =>
    parseRequestInfo({ method: 'GET', path, query: new URLSearchParams() }),
  );

const option = (name: string, covers: string, parameter: string, text: (bytes: number) => string, take: (query: URLSearchParams) => unknown): GrowthEntry => ({
  name,
  covers: [`src/verbs/options.ts#${covers}`],
  maxBytes: 1024 * 1024,
  prepare: (bytes) => {
    const query = new URLSearchParams([[parameter, text(bytes)]]);
    return () => take(query);
  },
});

export const queryEntries: readonly GrowthEntry[] = [
  timeout('digits', (bytes) => `${repeated('1', bytes)}x`),
  timeout('digits around a point', (bytes) => `${repeated('1', bytes / 2)}.${repeated('1', bytes / 2)}x`),
  timeout('many terms', (bytes) => repeated('1h', bytes)),
  timeout('many terms and a wrong one', (bytes) => `${repeated('1h', bytes)}x`),
  labels('many requirements', (bytes) => numbered((i) => `k${i}=v`, bytes).join(',')),
  labels('many requirements for one key', (bytes) => numbered((i) => `k!=v${i}`, bytes).join(',')),
  labels('one requirement again and again', (bytes) => repeated('a=b,', bytes) + 'c'),
  labels('many values', (bytes) => `k in (${numbered((i) => `v${i}`, bytes).join(',')})`),
  labels('sets without an end', (bytes) => repeated('k in (', bytes)),
  labels('a long key', (bytes) => repeated('a-', bytes)),
  labels('a long key with a prefix', (bytes) => `${repeated('a.', bytes / 2)}!/${repeated('a-', bytes / 2)}`),
  labels('a long value', (bytes) => `k=${repeated('a-', bytes)}`),
  labels('a bound of many digits', (bytes) => `k>${repeated('1', bytes)}`),
  labels('blanks', (bytes) => `a${repeated(' ', bytes)}=b`),
  labels('exclamation marks', (bytes) => repeated('!', bytes)),
  selected(
    'labels that are not wanted',
    'src/api/label-selector.ts#parseLabelSelector',
    (bytes) => numbered((i) => `k${i}!=v`, bytes).join(','),
    (text) => parseLabelSelector(text).matches,
  ),
  selected(
    'values that are not wanted',
    'src/api/label-selector.ts#parseLabelSelector',
    (bytes) => numbered((i) => `app!=v${i}`, bytes).join(','),
    (text) => parseLabelSelector(text).matches,
  ),
  selected(
    'names that are not wanted',
    'src/api/field-selector.ts#parseFieldSelector',
    (bytes) => numbered((i) => `metadata.name!=v${i}`, bytes).join(','),
    (text) => parseFieldSelector(text).matches,
  ),
  fields('many terms', (bytes) => numbered((i) => `f${i}=v`, bytes).join(',')),
  fields('many names', (bytes) => repeated('metadata.name!=x,', bytes)),
  fields('backslashes', (bytes) => repeated('\\', bytes)),
  fields('escapes', (bytes) => `a=${repeated('\\,', bytes)}`),
  fields('a field without an operator', (bytes) => repeated('!', bytes)),
  fields('exclamation marks before an operator', (bytes) => `${repeated('!', bytes)}=a`),
  fields('commas', (bytes) => repeated(',', bytes)),
  token('equal signs', (bytes) => `${repeated('=', bytes)}x`),
  token('a long key', (bytes) => encoded(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: repeated('a', bytes * 0.7) }))),
  token('a key that climbs', (bytes) => encoded(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: repeated('a/../', bytes * 0.7) }))),
  token('a key that climbs above the root', (bytes) => encoded(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: repeated('../', bytes * 0.7) }))),
  token('nested JSON', (bytes) => encoded(repeated('[', bytes * 0.7))),
  token('a number of many digits', (bytes) => encoded(`{"v":"meta.k8s.io/v1","rv":${repeated('1', bytes * 0.7)},"start":"a"}`)),
  token('many members', (bytes) => encoded(`{${numbered((i) => `"k${i}":1`, bytes * 0.7).join(',')}}`)),
  token('one member again and again', (bytes) => encoded(`{${repeated('"a":1,', bytes * 0.7)}"b":1}`)),
  textEntry(
    'path of slashes that do not end it',
    'src/base/without-trailing.ts#withoutTrailing',
    (bytes) => `/apis${repeated('/', bytes)}x`,
    (path) => withoutTrailing(path, '/'),
  ),
  request('slashes', (bytes) => repeated('/', bytes)),
  request('many elements', (bytes) => `/api/v1/${repeated('a/', bytes)}`),
  request('escapes', (bytes) => `/api/v1/${repeated('%41', bytes)}`),
  request('escapes that are no UTF-8', (bytes) => `/api/v1/${repeated('%ff', bytes)}`),
  request('a broken escape at its end', (bytes) => `/api/v1/${repeated('%41', bytes)}%`),
  {
    name: 'a field selector of many names, while the verb is found',
    covers: ['src/api/request-info.ts#parseRequestInfo'],
    maxBytes: 1024 * 1024,
    prepare: (bytes) => {
      const query = new URLSearchParams([['fieldSelector', repeated('metadata.name!=x,', bytes)]]);
      return () => parseRequestInfo({ method: 'GET', path: '/api/v1/pods', query });
    },
  },
  option(
    'a field manager of what cannot be printed',
    'parseWriteOptions',
    'fieldManager',
    (bytes) => repeated('\u0001', bytes),
    (query) => parseWriteOptions('CreateOptions', query),
  ),
  option(
    'a long field manager',
    'parsePatchOptions',
    'fieldManager',
    (bytes) => repeated('é', bytes),
    (query) => parsePatchOptions('apply', query),
  ),
  option(
    'a long flag',
    'parseFlag',
    'watch',
    (bytes) => repeated('F', bytes),
    (query) => parseFlag(query, 'watch'),
  ),
  option(
    'a limit of many digits',
    'parseInteger',
    'limit',
    (bytes) => repeated('1', bytes),
    (query) => parseInteger(query, 'limit'),
  ),
  option(
    'a limit of many digits and a letter',
    'parseInteger',
    'limit',
    (bytes) => `${repeated('1', bytes)}x`,
    (query) => parseInteger(query, 'limit'),
  ),
  option(
    'a long resourceVersion',
    'parseResourceVersion',
    'resourceVersion',
    (bytes) => `${repeated('1', bytes)}x`,
    (query) => parseResourceVersion(query.get('resourceVersion') ?? ''),
  ),
  {
    name: 'a parameter many times',
    covers: ['src/verbs/options.ts#parseListOptions', 'src/verbs/options.ts#parseWriteOptions'],
    maxBytes: 1024 * 1024,
    prepare: (bytes) => {
      const query = new URLSearchParams(repeated('dryRun=x&', bytes));
      return () => [parseListOptions(query, false), parseWriteOptions('CreateOptions', query)];
    },
  },
  textEntry('a user agent of what cannot be printed', 'src/verbs/options.ts#managerFromUserAgent', (bytes) => repeated('\u0001', bytes), managerFromUserAgent),
  textEntry('a long user agent', 'src/verbs/options.ts#managerFromUserAgent', (bytes) => repeated('a', bytes), managerFromUserAgent),
];
