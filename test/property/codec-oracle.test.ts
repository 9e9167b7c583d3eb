// What a real server answered, decoded and encoded again; and what it refused to decode, refused in the same words.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { apiVersionOf } from '#api/names.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { AnySchema } from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { formatYaml, parseYaml } from '#schema/yaml/yaml.ts';

interface Step {
  readonly do?: string;
  readonly path?: string;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly answer?: {
    readonly status: number;
    readonly type?: string;
    readonly text?: string;
    readonly body?: { kind?: string; apiVersion?: string; message?: string };
  };
}

const oracle = join(import.meta.dirname, '../../../shared/oracle');

function stepsOf(file: string): { id: string; step: Step }[] {
  const scenarios = JSON.parse(readFileSync(join(oracle, file), 'utf8')) as { id: string; steps: Step[] }[];
  return scenarios.flatMap(({ id, steps }) => steps.map((step) => ({ id, step })));
}

describe.skipIf(!existsSync(oracle))('recorded answers (../shared/oracle)', () => {
  const byKind = new Map(builtinResources.map((resource) => [`${apiVersionOf(resource)} ${resource.kind}`, resource]));

  test.each(['kinds-lifecycle.json', 'kinds-rich.json', 'kinds-status.json'])('%s: decoded and encoded again, every object says the same', (file) => {
    const answered = stepsOf(file).flatMap(({ id, step: { answer } }) => {
      const body = answer !== undefined && answer.status < 300 && typeof answer.body === 'object' ? answer.body : undefined;
      const resource = byKind.get(`${body?.apiVersion} ${body?.kind}`);
      return resource === undefined || JSON.stringify(body).includes('<any>') ? [] : [{ id, body, resource }];
    });
    expect(answered.length).toBeGreaterThan(40);
    for (const { id, body, resource } of answered) {
      const given = withoutPlaceholders(resource.schema, body);
      const { object, problems } = decodeJson(resource.schema, Buffer.from(textOf(given)));
      expect({ id, problems, body: JSON.parse(quoteLarge(encodeJson(resource.schema, object))) as unknown }).toEqual({
        id,
        problems: [],
        body: JSON.parse(quoteLarge(textOf(given))) as unknown,
      });
    }
  });
});

describe.skipIf(!existsSync(oracle))('recorded YAML (../shared/oracle)', () => {
  test.each(['kinds-rich.json', 'kinds-yaml.json', 'negotiate.json'])('%s: read and written again, every answer is the same text', (file) => {
    const answers = stepsOf(file).flatMap(({ id, step: { answer } }) => (answer?.type?.includes('yaml') && answer.text ? [{ id, text: answer.text }] : []));
    expect(answers.length).toBeGreaterThan(5);
    for (const { id, text } of answers) {
      const real = text.replaceAll('"<time>"', '"2026-11-15T01:02:03Z"').replaceAll('"<rv>"', '"5"');
      expect({ id, text: formatYaml(parseYaml(real)) }).toEqual({ id, text: real });
    }
  });
});

describe.skipIf(!existsSync(oracle))('recorded refusals (../shared/oracle)', () => {
  const files = existsSync(oracle) ? readdirSync(oracle).filter((file) => /^(kinds-(mutations|updates)|verbs|negotiate)/.test(file)) : [];

  test.each(files)('%s: what cannot be decoded is refused in the same words, everything else is decoded', (file) => {
    for (const { id, step } of stepsOf(file)) {
      const resource = resourceOf(step);
      const text = step.text ?? (step.body === undefined ? undefined : JSON.stringify(step.body));
      if (resource === undefined || text === undefined || step.answer === undefined) continue;
      const expected = decodingRefusal(step.answer.body?.message ?? '');
      if (expected?.includes('<') || text.includes('"<')) continue;
      const found = refusalOf(resource, text, step.path ?? '');
      if (expected !== undefined) expect({ id, refusal: found }).toEqual({ id, refusal: expected });
      else if (step.answer.status < 300) expect({ id, refusal: found }).toEqual({ id, refusal: undefined });
    }
  });
});

/** Whole objects sent as JSON to a collection or an object. */
function resourceOf({ do: method, path = '', contentType = 'application/json' }: Step): ResourceDefinition | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/(?:namespaces\/[^/]+\/)?([a-z]+)(?:\/[^/?]+)?(?:\/status)?(?:\?.*)?$/.exec(path);
  if (match === null || !contentType.includes('json') || (method !== 'POST' && method !== 'PUT')) return undefined;
  const [, group = '', version, plural] = match;
  return builtinResources.find((resource) => resource.group === group && resource.version === version && resource.plural === plural);
}

function decodingRefusal(message: string): string | undefined {
  return /cannot be handled as a \S+: (?!no kind|converting)([\s\S]*)$/.exec(message)?.[1];
}

function refusalOf({ schema }: ResourceDefinition, text: string, path: string): string | undefined {
  try {
    const { problems } = decodeJson(schema, Buffer.from(text));
    return problems.length > 0 && path.includes('fieldValidation=Strict') ? `strict decoding error: ${problems.join(', ')}` : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The recording replaces times by `<time>`. */
function withoutPlaceholders(schema: AnySchema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (schema.is) {
    case 'struct':
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, schema.fields[name] ? withoutPlaceholders(schema.fields[name].schema, member) : member]),
      );
    case 'list':
      return (value as unknown[]).map((item) => withoutPlaceholders(schema.item, item));
    case 'map':
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutPlaceholders(schema.value, member)]));
    case 'time':
      return value === '<time>' ? '2026-11-15T01:02:03Z' : value;
    case 'microTime':
      return value === '<time>' ? '2026-11-15T01:02:03.000004Z' : value;
    default:
      return value;
  }
}

/** Integers of 16 and more digits are recorded as texts `#digits`. */
function textOf(value: unknown): string {
  return JSON.stringify(value).replace(/"#(-?\d+)"/g, '$1');
}

function quoteLarge(text: string): string {
  return text.replace(/([:[,])(-?\d{16,})/g, '$1"#$2"');
}
