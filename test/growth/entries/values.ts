// Texts inside of objects: amounts, times, addresses, names.
import { parseIpSloppy, parseCidrSloppy } from '#base/ip-address.ts';
import { parseApiVersion } from '#api/names.ts';
import { FieldErrors } from '#api/field-error.ts';
import { parseAmount, parseAmounts } from '#admission/resource-list.ts';
import { parseLevel, parseVersion } from '#admission/pod-security/policy.ts';
import { parseCronFields } from '#base/time/cron-fields.ts';
import { parseCronSchedule } from '#base/time/cron-schedule.ts';
import { parseQuantity } from '#base/quantity.ts';
import { parseGoUrl } from '#base/go-url.ts';
import { parseSemanticVersion } from '#base/versions/semantic-versions.ts';
import { parseElement } from '#patch/apply/path-element.ts';
import { parseDuration } from '#base/time/duration.ts';
import { canonicalTime } from '#schema/time.ts';
import { bodyBytes, type GrowthEntry, numbered, repeated, textEntry } from '../growth-entry.ts';

const value = (name: string, covers: string, text: (bytes: number) => string, take: (text: string) => unknown): GrowthEntry =>
  textEntry(name, covers, text, take, bodyBytes);

const quantity = (name: string, text: (bytes: number) => string): GrowthEntry[] => [
  value(`quantity of ${name}`, 'src/base/quantity.ts#parseQuantity', text, parseQuantity),
  value(`amount of ${name}`, 'src/admission/resource-list.ts#parseAmount', text, parseAmount),
];
const duration = (name: string, text: (bytes: number) => string) =>
  value(`duration of ${name}`, 'src/base/time/duration.ts#parseDuration', text, parseDuration);
const schedule = (name: string, text: (bytes: number) => string): GrowthEntry[] => [
  value(`fields of ${name}`, 'src/base/time/cron-fields.ts#parseCronFields', text, parseCronFields),
  value(`schedule of ${name}`, 'src/base/time/cron-schedule.ts#parseCronSchedule', text, (schedule) => parseCronSchedule(schedule, 'UTC')),
];
const address = (name: string, text: (bytes: number) => string): GrowthEntry[] => [
  value(`address of ${name}`, 'src/base/ip-address.ts#parseIpSloppy', text, parseIpSloppy),
  value(`network of ${name}`, 'src/base/ip-address.ts#parseCidrSloppy', (bytes) => `${text(bytes)}/8`, parseCidrSloppy),
];

export const valueEntries: readonly GrowthEntry[] = [
  ...quantity('digits', (bytes) => repeated('1', bytes)),
  ...quantity('digits within the limit', (bytes) => repeated('1', Math.min(bytes, 4999))),
  ...quantity('zeros', (bytes) => `${repeated('0', bytes)}x`),
  ...quantity('suffixes', (bytes) => `1${repeated('Ki', bytes)}`),
  duration('digits', (bytes) => `${repeated('1', bytes)}x`),
  duration('digits of a fraction', (bytes) => `0.${repeated('1', bytes)}s`),
  duration('many terms', (bytes) => repeated('1h', bytes)),
  duration('many terms of nothing', (bytes) => repeated('0s', bytes)),
  duration('an unknown unit', (bytes) => `1${repeated('x', bytes)}`),
  ...schedule('many values', (bytes) => `${repeated('1,', bytes)} * * * *`),
  ...schedule('many commas', (bytes) => `* * * ${repeated(',', bytes)} *`),
  ...schedule('many fields', (bytes) => repeated('* ', bytes)),
  ...schedule('many hyphens', (bytes) => `${repeated('1-', bytes)} * * * *`),
  ...schedule('many slashes', (bytes) => `1${repeated('/2', bytes)} * * * *`),
  ...schedule('a long zone', (bytes) => `TZ=${repeated('a', bytes)} * * * * *`),
  value('time with a long fraction', 'src/schema/time.ts#canonicalTime', (bytes) => `2020-01-01T00:00:00.${repeated('1', bytes)}Z`, canonicalTime),
  value('time and more', 'src/schema/time.ts#canonicalTime', (bytes) => `2020-01-01T00:00:00Z${repeated('é', bytes)}`, canonicalTime),
  ...address('digits', (bytes) => repeated('1', bytes)),
  ...address('dots', (bytes) => repeated('1.', bytes)),
  ...address('colons', (bytes) => repeated(':', bytes)),
  ...address('groups', (bytes) => repeated('1:', bytes)),
  value('apiVersion of slashes', 'src/api/names.ts#parseApiVersion', (bytes) => repeated('/', bytes), parseApiVersion),
  value(
    'a long level',
    'src/admission/pod-security/policy.ts#parseLevel',
    (bytes) => repeated('a', bytes),
    (text) => parseLevel(text, 'level', new FieldErrors()),
  ),
  value(
    'a level version of digits',
    'src/admission/pod-security/policy.ts#parseVersion',
    (bytes) => `v1.${repeated('1', bytes)}x`,
    (text) => parseVersion(text, 'version', new FieldErrors()),
  ),
  {
    name: 'amounts of many resources',
    covers: ['src/admission/resource-list.ts#parseAmounts'],
    maxBytes: bodyBytes,
    prepare: (bytes) => {
      const list = Object.fromEntries(numbered((i) => `resource-${i}`, bytes).map((name) => [name, '100m']));
      return () => parseAmounts(list);
    },
  },
  value('URL of slashes', 'src/base/go-url.ts#parseGoUrl', (bytes) => repeated('/', bytes), parseGoUrl),
  value('URL of colons', 'src/base/go-url.ts#parseGoUrl', (bytes) => `https://${repeated(':', bytes)}`, parseGoUrl),
  value('URL of at signs', 'src/base/go-url.ts#parseGoUrl', (bytes) => `https://${repeated('@', bytes)}/`, parseGoUrl),
  value('URL of escapes', 'src/base/go-url.ts#parseGoUrl', (bytes) => `https://a/${repeated('%41', bytes)}%`, parseGoUrl),
  value('URL of digits', 'src/base/go-url.ts#parseGoUrl', (bytes) => `https://a:${repeated('1', bytes)}x`, parseGoUrl),
  value('version of digits', 'src/base/versions/semantic-versions.ts#parseSemanticVersion', (bytes) => `${repeated('1', bytes)}x`, parseSemanticVersion),
  value('version of dots', 'src/base/versions/semantic-versions.ts#parseSemanticVersion', (bytes) => `1.2.3-${repeated('a.', bytes)}`, parseSemanticVersion),
  value('step of a field set with a long key', 'src/patch/apply/path-element.ts#parseElement', (bytes) => `k:{"name":"${repeated('a', bytes)}"}`, parseElement),
  value(
    'step of a field set with many keys',
    'src/patch/apply/path-element.ts#parseElement',
    (bytes) => `k:{${numbered((i) => `"k${i}":1`, bytes).join(',')}}`,
    parseElement,
  ),
  value('step of a field set with digits', 'src/patch/apply/path-element.ts#parseElement', (bytes) => `i:${repeated('1', bytes)}x`, parseElement),
];
