// Replays what a real server answered to patches and applies, without a server: decode, default, patch, track fields.
// What only a whole server can know (validation, allocation, authorization) is left out of the comparison.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { applyObject, type FieldManagerRequest, updateManagedFields } from '#patch/apply/field-manager.ts';
import { isReset } from '#patch/apply/managed-fields.ts';
import { applyJsonPatch } from '#patch/json-patch.ts';
import { applyMergePatch, decodeMergePatch } from '#patch/merge-patch.ts';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '#patch/strategic-merge-patch.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

interface Step {
  readonly do?: string;
  readonly path: string;
  readonly as?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly save?: Readonly<Record<string, string>>;
  readonly answer?: Answer;
}
/** Whole, or only the parts that the scenario keeps, under `body.<path>`. */
interface Answer {
  readonly status?: number;
  readonly body?: KubernetesObject & { message?: string; code?: number };
  readonly [part: string]: unknown;
}
interface Scenario {
  readonly id: string;
  readonly steps: readonly Step[];
}

const oracle = new URL('../../../shared/oracle/', import.meta.url);
const files = ['patch.json', 'apply.json', 'kinds-apply.json', 'kinds-strategic.json'];

describe.skipIf(!existsSync(oracle))('the recorded answers', () => {
  test.each(files)('of %s', (file) => {
    const scenarios = JSON.parse(readFileSync(new URL(file, oracle), 'utf8')) as Scenario[];
    const differences: string[] = [];
    let compared = 0;
    for (const scenario of scenarios) {
      const replay = new Replay(scenario.id);
      for (const step of scenario.steps) if (!replay.run(step)) break;
      compared += replay.compared;
      differences.push(...replay.differences);
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(30);
  });
});

interface Target {
  readonly definition: ResourceDefinition;
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
}

/** A store of one scenario. A step that it cannot do ends the replay. */
class Replay {
  compared = 0;
  readonly differences: string[] = [];
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #id: string;
  #seconds = 0;

  constructor(id: string) {
    this.#id = id;
  }

  run(step: Step): boolean {
    if (step.do === 'GET') return true;
    const target = targetOf(step.path ?? '');
    if (target === undefined || !isReplayable(step, target)) return false;
    const answer = step.answer ?? {};
    const refused = Number(answer.status) >= 400;
    // Refusals of layers above.
    if (refused && !ours.test(answer.body?.message ?? '')) return true;
    const outcome = this.#write(step, target);
    if (outcome === undefined) return false;
    if (plain.has(target.definition.plural) || (refused && answer.status !== 409)) this.#compare(step, target, outcome);
    return true;
  }

  #compare(step: Step, { definition }: Target, outcome: KubernetesObject | string): void {
    for (const [part, expected] of expectations(step.answer ?? {})) {
      const actual = typeof outcome === 'string' ? outcome : valueAt(JSON.parse(encodeJson(definition.schema, outcome)), part);
      this.compared += 1;
      if (tidied(actual) === tidied(expected)) continue;
      const sent = JSON.stringify(step.body ?? step.text).slice(0, 600);
      this.differences.push(`${this.#id} ${step.do} ${step.path} ${part}\n  ${sent}\n  want ${tidied(expected)}\n  got  ${tidied(actual)}`);
    }
  }

  #write(step: Step, target: Target): KubernetesObject | string | undefined {
    try {
      const object = this.#result(step, target);
      if (object === undefined) return undefined;
      if (target.query.get('dryRun') !== 'All') this.#objects.set(keyOf(target, object), { ...object, metadata: { uid: '<uid>', ...object.metadata } });
      return object;
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      return `thrown: ${String(error)}`;
    }
  }

  #result(step: Step, target: Target): KubernetesObject | undefined {
    this.#seconds += 1;
    const { definition } = target;
    const raw = bytesOf(step);
    if (step.do === 'POST') {
      const sent = parseYaml(raw.toString()) as KubernetesObject;
      const object = withNames(decoded(definition, sent), target);
      return updateManagedFields({ ...this.#request(target, undefined), object });
    }
    const live = this.#objects.get(keyOf(target, undefined));
    const request = this.#request(target, live);
    if (step.contentType === 'application/apply-patch+yaml') {
      const applied = parseYaml(raw.toString()) as KubernetesObject;
      const merged = applyObject({ ...request, applied, force: target.query.get('force') === 'true' });
      return withNames(decoded(definition, merged), target);
    }
    if (live === undefined) return undefined;
    const patched = step.do === 'PUT' ? parseYaml(raw.toString()) : patchedValue(step, definition, live, raw);
    const sent = (patched as KubernetesObject).metadata?.managedFields;
    return updateManagedFields({ ...request, object: withNames(decoded(definition, patched), target), reset: isReset(sent) });
  }

  #request({ definition, query, subresource }: Target, live: KubernetesObject | undefined): FieldManagerRequest {
    const manager = query.get('fieldManager') ?? 'oracle';
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, this.#seconds));
    return {
      schema: definition.schema,
      live,
      manager,
      subresource,
      apiVersion: apiVersionOf(definition),
      now,
      resetFields: resetFieldsOf(definition, subresource),
    };
  }
}

/** Saved values, other formats of answers and subresources with rules of their own need a server. */
function isReplayable(step: Step, { subresource }: Target): boolean {
  if (step.do === undefined || step.do === 'DELETE' || (subresource !== '' && subresource !== 'status')) return false;
  if (step.save !== undefined || step.accept !== undefined || step.text?.includes('\n---') === true) return false;
  return !JSON.stringify([step.path, step.body, step.text]).includes('${');
}

/** Kinds to which a server adds nothing of its own. What is refused for its form is compared for all kinds. */
const plain = new Set(['clusterroles', 'configmaps', 'controllerrevisions', 'endpoints', 'ingressclasses', 'leases', 'roles', 'runtimeclasses']);

const ours =
  /^(Apply failed|failed to create typed|failed to prune|metadata.managedFields|the server rejected our request due|error decoding patch|unknown patch type|map: map|list element types|merging lists|The order in patch|value for key|invalid patch format)/;

function resetFieldsOf(definition: ResourceDefinition, subresource: string): readonly (readonly string[])[] {
  const hub =
    builtinResources.find(({ group, kind, version }) => group === definition.group && kind === definition.kind && version === definition.storage?.version) ??
    definition;
  if (subresource === '') return hub.strategy.resetFields ?? (definition.subresources.some(({ name }) => name === 'status') ? [['status']] : []);
  const others = Object.keys(definition.schema.fields).filter((name) => name !== 'status' && name !== 'metadata');
  return hub.strategy.subresources?.[subresource]?.resetFields ?? others.map((name) => [name]);
}

function targetOf(path: string): Target | undefined {
  const [place = '', query = ''] = path.split('?');
  const match = /^\/(?:api\/(v1)|apis\/([^/]+)\/([^/]+))(?:\/namespaces\/\$NS)?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(place);
  if (match === null) return undefined;
  const [, core, group = '', version = core, plural, name = '', subresource = ''] = match;
  const definition = builtinResources.find((candidate) => candidate.group === group && candidate.version === version && candidate.plural === plural);
  return definition && { definition, name, subresource, query: new URLSearchParams(query) };
}

function bytesOf({ body, text }: Step): Buffer {
  return Buffer.from(text ?? JSON.stringify(body));
}

function decoded(definition: ResourceDefinition, value: unknown): KubernetesObject {
  const { object } = decodeValue(definition.schema, value);
  applyDefaults(definition, object);
  return object;
}

function withNames(object: KubernetesObject, { definition }: Target): KubernetesObject {
  return { ...object, metadata: definition.namespaced ? { ...object.metadata, namespace: '$NS' } : object.metadata };
}

function keyOf({ definition, name }: Target, object: KubernetesObject | undefined): string {
  return `${definition.plural}/${name === '' ? object?.metadata.name : name}`;
}

function patchedValue({ contentType }: Step, { schema }: ResourceDefinition, live: KubernetesObject, raw: Buffer): unknown {
  if (contentType?.startsWith('application/json-patch+json') === true) return applyJsonPatch(JSON.parse(encodeJson(schema, live)), raw);
  if (contentType?.startsWith('application/merge-patch+json') === true) return applyMergePatch(live, decodeMergePatch(raw).patch);
  return applyStrategicMergePatch(schema, live, decodeStrategicMergePatch(raw).patch);
}

function expectations({ status, body, ...parts }: Answer): [part: string, expected: unknown][] {
  if (Number(status) >= 400) return [['', body?.message]];
  if (body !== undefined) return [['metadata.managedFields', body.metadata.managedFields]];
  return Object.entries(parts).flatMap(([part, expected]) => (part.startsWith('body.') ? [[part.slice('body.'.length), expected]] : []));
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((current, step) => (current as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '.')], value);
}

/** Entries of managedFields sorted, times only as present. */
function tidied(value: unknown): string {
  if (typeof value === 'string') return value;
  const isEntries = Array.isArray(value) && value.every((item: unknown) => typeof item === 'object' && item !== null && 'fieldsV1' in item);
  if (!isEntries) return JSON.stringify(value) ?? '';
  return (value as ManagedFieldsEntry[])
    .map(({ manager, operation, apiVersion, subresource, time, fieldsV1 }) =>
      JSON.stringify([manager, operation, apiVersion, subresource ?? '', time !== undefined, fieldsV1]),
    )
    .sort()
    .join('\n       ');
}
