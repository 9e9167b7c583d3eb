// No request is remembered by what its sender chose: every memo that requests reach is filled with long texts, with many texts
// and with texts cut out of large ones, and the heap must be what it was before.
import { describe, expect, it } from 'vitest';
import { parseAmount } from '#admission/resource-list.ts';
import { VerifiedTokens } from '#auth/authentication/verified-tokens.ts';
import { signingKey, signJwt } from '#auth/authentication/jwt.ts';
import { remembered } from '#auth/authentication/webhook-token.ts';
import { webhookAuthorizer } from '#auth/authorization/webhook.ts';
import { generateEcKey, privateKeyPem } from '#base/x509.ts';
import { newCount, Series } from '#base/metrics.ts';
import { compareQuantities } from '#kinds/rules/quantities.ts';
import { compareElements, parseElement } from '#patch/apply/path-element.ts';
import { selectsDevice } from '#kinds/resource/v1/device-selector-expression.ts';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { LimitRange } from '#kinds/core/v1/limit-range.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { Warnings } from '#server/answer/warning-header.ts';
import { moduleMemos } from './module-memos.ts';

interface Memo {
  readonly name: string;
  /** Module-level maps that this stands for, as `src/kinds/rules/quantities.ts#kept`. */
  readonly covers: readonly string[];
  /** Brings one text of a sender to the memo. */
  readonly feed: (text: string) => unknown;
  /** Fewer than usual, where one takes long. */
  readonly many?: number;
}

const clock = { now: () => new Date(0) };
const access = {
  isResource: true,
  verb: 'get',
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
};
const series = new Series(['a', 'b'], newCount);
const authorize = webhookAuthorizer({
  call: async () => ({ status: { allowed: true } }),
  version: 'v1',
  clock,
  allowedMs: 1000,
  refusedMs: 1000,
  onFailure: 'deny',
});
const tokens = remembered(async () => ({ user: { name: 'a', groups: [] }, audiences: [] }), clock, 1000, 1000);
const key = signingKey(privateKeyPem(generateEcKey()));
const verified = new VerifiedTokens([key]);

const memos: readonly Memo[] = [
  { name: 'labels of metrics', covers: [], feed: (text) => series.at('GET', text) },
  { name: 'answers of a webhook that authorizes', covers: [], feed: (text) => authorize({ name: 'a', groups: [text] }, { ...access, name: text }) },
  { name: 'answers of a webhook that authenticates', covers: [], feed: (text) => tokens(text, { audiences: [], warn: () => {} }) },
  { name: 'verified tokens', covers: [], feed: (text) => verified.read(signJwt({ iss: 'a', sub: text.slice(0, 100_000) }, key), ['a']), many: 6000 },
  { name: 'warnings', covers: ['src/server/answer/warning-header.ts#known'], feed: (text) => new Warnings().add(text) },
  { name: 'amounts of limits and quotas', covers: ['src/admission/resource-list.ts#parsed'], feed: (text) => parseAmount(digitsOf(text)) },
  { name: 'amounts of rules', covers: ['src/kinds/rules/quantities.ts#kept'], feed: (text) => compareQuantities(digitsOf(text), '1') },
  {
    name: 'canonical amounts',
    covers: ['src/schema/json/canonical.ts#knownQuantities'],
    feed: (text) => decodeValue(LimitRange, { spec: { limits: [{ max: { cpu: digitsOf(text) } }] } }),
  },
  {
    name: 'steps of field sets',
    covers: ['src/patch/apply/path-element.ts#knownKeys'],
    feed: (text) => compareElements(stepOf(text), 'k:{"a":1,"b":2}'),
  },
  {
    name: 'selectors of devices',
    covers: ['src/kinds/resource/v1/device-selector-expression.ts#programs'],
    feed: (text) => selectsDevice(`device.driver == '${text.slice(0, 5000)}'`, 'driver.example', { name: 'a' }),
    many: 3000,
  },
  { name: 'keys of maps', covers: [], feed: (text) => decodeValue(ConfigMap, { data: { [text]: 'x' } }) },
];

/** Digits only, so that it is an amount; a short text stays the one that was cut out. */
function digitsOf(text: string): string {
  return /^[0-9]*$/.test(text) ? text : text.slice(0, 4000).replaceAll(/[^0-9]/g, '1');
}

function stepOf(text: string): string {
  const parsed = parseElement(`k:{"a":1,"b":${JSON.stringify(text)}}`);
  return 'element' in parsed ? parsed.element : 'f:a';
}

const attacks: readonly [name: string, count: number, text: (index: number) => string][] = [
  ['long texts', 80, (index) => `${index}${'x'.repeat(512 * 1024)}`],
  ['many texts', 30_000, (index) => `text-${index}-${'y'.repeat(900)}`],
  [
    'short texts cut out of long ones',
    64,
    (index) => `${'1'.repeat(20)}${index}${Buffer.alloc(512 * 1024, 0x31).toString('latin1')}`.slice(0, 20 + String(index).length),
  ],
];

describe('the heap is what it was after', () => {
  for (const { name, feed, many } of memos) {
    it.each(attacks)(`%s for ${name}`, async (_attack, count, text) => {
      await feed('1');
      const before = await heapAfterCollection();
      for (let index = 0; index < Math.min(count, many ?? count); index++) await attempt(() => feed(text(index)));
      expect(((await heapAfterCollection()) - before) / 1024 / 1024).toBeLessThan(20);
    });
  }
});

describe('every map that a module keeps', () => {
  it('is filled here, or holds nothing that a sender chose', () => {
    const known = new Set([...memos.flatMap(({ covers }) => covers), ...Object.keys(mapsOfOurOwn)]);
    expect(
      moduleMemos()
        .filter((name) => !known.has(name))
        .join('\n'),
    ).toBe('');
  });
});

/** Maps of modules whose keys no sender chooses, each with the reason. */
const mapsOfOurOwn: Readonly<Record<string, string>> = {
  'src/cel/standard/pattern.ts#recent': 'a TextMemo of 16 kB of patterns',
  'src/cel/standard/time.ts#formatters': 'only names of the time zone database',
  'src/schema/structural/schema-pattern.ts#patterns': 'a TextMemo of patterns, which administrators write',
  'src/testing/start-test-server.ts#seeds': 'one per list of flags that a test file starts servers with',
};

async function attempt(feed: () => unknown): Promise<void> {
  try {
    await feed();
  } catch {
    // A refusal must not be remembered either.
  }
}

/** Twice: what the first collection finds to be garbage may be what keeps other garbage. */
async function heapAfterCollection(): Promise<number> {
  globalThis.gc?.();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
