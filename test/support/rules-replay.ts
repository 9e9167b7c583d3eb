// Replays recorded creations of the oracle through decoding, defaults and strategy, without a server:
//   npx tsx test/support/rules-replay.ts kinds-mutations-apps.json [--only REGEX] [--show N]
// Answers that need admission plug-ins (403) or that decoding gives (400) are left out.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiError, invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { featureGates } from '#base/feature-gates.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { validateCommonMetadata } from '#resource/metadata-rules.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import { decodeJson, decodeValue } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { arrange } from '#schema/json/arrange.ts';

interface Answer {
  readonly status: number;
  readonly warning?: readonly string[] | string;
  readonly body?: unknown;
  readonly [path: string]: unknown;
}

interface Step {
  readonly do?: string;
  readonly path: string;
  readonly body?: unknown;
  /** The exact body, where it matters how it is written. */
  readonly text?: string;
  readonly keep?: readonly string[];
  readonly answer?: Answer;
}

interface Scenario {
  readonly id: string;
  readonly steps: readonly Step[];
}

export interface Difference {
  readonly id: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

export interface ReplayResult {
  readonly total: number;
  readonly differences: readonly Difference[];
}

const folder = fileURLToPath(new URL('../../../shared/oracle/', import.meta.url));

export function replayCreations(file: string, only = /./): ReplayResult {
  const scenarios = JSON.parse(readFileSync(folder + file, 'utf8')) as Scenario[];
  const differences: Difference[] = [];
  let total = 0;
  for (const { id, steps } of scenarios) {
    const [step] = steps;
    if (step === undefined || steps.length !== 1 || !only.test(id)) continue;
    const definition = definitionOf(step);
    const expected = step.answer;
    if (definition === undefined || expected === undefined || !isAboutRules(expected)) continue;
    total++;
    const actual = create(definition, step);
    const [wanted, got] = [comparable(expected, step), comparable(actual, step)];
    if (JSON.stringify(wanted) !== JSON.stringify(got)) differences.push({ id, expected: wanted, actual: got });
  }
  return { total, differences };
}

/** Options of the request are checked before any kind is asked. */
function isAboutRules({ status, body }: Answer): boolean {
  if (status !== 201 && status !== 422) return false;
  return (body as { details?: { kind?: string } } | undefined)?.details?.kind !== 'CreateOptions';
}

function definitionOf({ do: method, path }: Step): ResourceDefinition | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/(?:namespaces\/[^/]+\/)?([^/?]+)(?:\?|$)/.exec(path);
  if (method !== 'POST' || match === null) return undefined;
  const [, group = '', version, plural] = match;
  return builtinResources.find((one) => one.group === group && one.version === version && one.plural === plural);
}

const gate = featureGates();
const unused = () => Promise.reject(new Error('no other objects here'));
const context: Omit<StrategyContext, 'apiVersion'> = {
  user: { name: 'admin', groups: ['system:masters', 'system:authenticated'] },
  now: new Date(),
  dryRun: true,
  gate,
  lister: { get: unused, list: unused },
  writer: { create: unused, update: unused, delete: unused },
} as unknown as StrategyContext;

function create(definition: ResourceDefinition, step: Step): Answer {
  try {
    return createOrThrow(definition, step);
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code, body: error.toStatus() };
    return { status: 500, body: error instanceof Error ? error.stack : String(error) };
  }
}

function createOrThrow(definition: ResourceDefinition, { path, body, text }: Step): Answer {
  const { strategy, schema, namespaced, group, kind } = definition;
  const { object, problems } = text === undefined ? decodeValue(schema, body) : decodeJson(schema, Buffer.from(text));
  applyDefaults(definition, object);
  fillMetadata(object, namespaced ? (/namespaces\/([^/]+)/.exec(path)?.[1] ?? 'default') : '');
  const facts = { ...context, apiVersion: object.apiVersion ?? '' };
  if (kind === 'Pod') admitPod(object);
  strategy.prepareForCreate?.(object, facts);
  const errors = new FieldErrors();
  strategy.validate?.(object, errors, facts);
  if (errors.empty) validateCommonMetadata(object.metadata, namespaced, errors);
  if (!errors.empty) throw invalid({ group, kind }, object.metadata.name ?? '', errors.list);
  const ignored = path.includes('fieldValidation=Ignore');
  const warnings = [...(ignored ? [] : problems), ...(strategy.warnOnCreate?.(object, facts) ?? [])];
  return {
    status: 201,
    ...(warnings.length > 0 && { warning: warnings.map((warning) => `299 - ${JSON.stringify(warning)}`).join(', ') }),
    body: arrange(schema, object),
  };
}

function fillMetadata({ metadata }: KubernetesObject, namespace: string): void {
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const) delete metadata[field];
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
  metadata.uid = '0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11';
  metadata.creationTimestamp = '2026-11-15T00:00:00Z';
  if (!metadata.name && metadata.generateName) metadata.name = `${metadata.generateName}x7k2p`;
}

/** What the default admission plug-ins add to a pod. */
function admitPod(pod: KubernetesObject): void {
  const spec = pod['spec'] as Record<string, unknown>;
  const tolerations = (spec['tolerations'] ?? []) as { key?: string; effect?: string; operator?: string }[];
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !tolerations.some((one) => (one.key ?? key) === key && (one.effect ?? 'NoExecute') === 'NoExecute'))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  if (tolerations.length + added.length > 0) spec['tolerations'] = [...tolerations, ...added];
  spec['priority'] ??= 0;
  spec['preemptionPolicy'] ??= 'PreemptLowerPriority';
}

/** What both sides are reduced to: status, warnings, the kept parts of an object, the errors of a refusal in any order. */
function comparable(answer: Answer, { keep = [] }: Step): unknown {
  if (answer.status >= 400) {
    const { message = '', details } = answer.body as { message?: string; details?: { causes?: unknown[] } };
    if (details?.causes === undefined) return { status: answer.status, body: answer.body };
    const causes = details.causes.map((cause) => plain(JSON.stringify(cause))).toSorted();
    return {
      status: answer.status,
      start: plain(message.slice(0, message.indexOf(' is invalid'))),
      causes,
      details: plain(JSON.stringify({ ...details, causes: undefined })),
    };
  }
  const kept = keep.filter((path) => path.startsWith('body.')).map((path) => [path, jsonOf(answer[path] ?? valueAt(answer.body, path.slice('body.'.length)))]);
  return { status: answer.status, warning: plain([answer.warning ?? []].flat().join(', ')), kept };
}

function jsonOf(value: unknown): string {
  return plain(
    JSON.stringify(value, (key, inner: unknown) => (key === 'managedFields' ? undefined : typeof inner === 'bigint' ? `#${inner}` : inner)) ?? 'null',
  );
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '.')], value);
}

function plain(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(/"#(-?\d+)"/g, '$1')
    .replaceAll('x7k2p', '<random>');
}

function main(argv: readonly string[]): void {
  const option = (name: string, fallback: string) => (argv.includes(name) ? (argv[argv.indexOf(name) + 1] ?? fallback) : fallback);
  const shown = Number(option('--show', '10'));
  for (const file of argv.filter((argument) => argument.endsWith('.json'))) {
    const { total, differences } = replayCreations(file, new RegExp(option('--only', '.')));
    for (const { id, expected, actual } of differences.slice(0, shown)) {
      console.log(`${id}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
    }
    console.log(`${file}: ${total - differences.length}/${total}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
