// Tables of refusals: an object that is fine, what is changed in it, and every error that must follow, as messages show them.
// With REFERENCE_SERVER=https://127.0.0.1:PORT the same tables are put to a real kube-apiserver, which must say the same.
import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { featureGates } from '#base/feature-gates.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { validateCommonMetadata, validateCommonMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy, StrategyContext, SubresourceStrategy } from '#resource/strategy.ts';
import { clone } from '#schema/clone.ts';
import { decodeValue } from '#schema/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';

/** Values by dotted path; undefined takes the field away. */
export type Changes = Readonly<Record<string, unknown>>;
export type Refusal = readonly [what: string, changes: Changes, ...errors: string[]];

const someUid = '0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11';
const referenceServer = process.env['REFERENCE_SERVER'];

export function contextWith(gates: Readonly<Record<string, string>> = {}): StrategyContext {
  const now = new Date('2030-01-02T03:04:05Z');
  return { user: { name: 'admin', groups: [] }, now, dryRun: false, gate: featureGates(gates), apiVersion: 'v1' } as unknown as StrategyContext;
}

export function changed<T extends object>(base: T, changes: Changes): T {
  const object = clone(base);
  for (const [path, value] of Object.entries(changes)) setAt(object as Record<string, unknown>, path.split('.'), value);
  return object;
}

/** `~1` stands for a dot inside a key; missing parts are made. */
function setAt(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const key = first.replaceAll('~1', '.');
  if (rest.length > 0) {
    target[key] ??= {};
    setAt(target[key] as Record<string, unknown>, rest, value);
  } else if (value === undefined) delete target[key];
  else target[key] = value;
}

/** As a server has it before the strategy sees it: decoded, defaulted, with complete metadata. */
function received({ schema, namespaced }: ResourceDefinition, body: object): KubernetesObject {
  const { object } = decodeValue(schema, body);
  applyDefaults(schema, object);
  if (namespaced) object.metadata.namespace = 'default';
  if (!object.metadata.name && object.metadata.generateName) object.metadata.name = `${object.metadata.generateName}x7k2p`;
  object.metadata.uid = someUid;
  object.metadata.creationTimestamp = '2030-01-02T03:04:05Z';
  return object;
}

/** As a server has it before validation of a creation. */
export function prepared(definition: ResourceDefinition, body: object, context: StrategyContext): KubernetesObject {
  const object = received(definition, body);
  definition.strategy.prepareForCreate?.(object, context);
  return object;
}

export function creationErrors(definition: ResourceDefinition, body: object, gates: Readonly<Record<string, string>> = {}): string[] {
  const context = contextWith(gates);
  const object = prepared(definition, body, context);
  const errors = new FieldErrors();
  definition.strategy.validate?.(object, errors, context);
  if (errors.empty) validateCommonMetadata(object.metadata, definition.namespaced, errors);
  return unique(errors);
}

export function updateErrors(
  definition: ResourceDefinition,
  old: object,
  body: object,
  subresource = '',
  gates: Readonly<Record<string, string>> = {},
): string[] {
  const context = contextWith(gates);
  const stored = { ...prepared(definition, old, context), ...statusOf(old) } as KubernetesObject;
  stored.metadata.resourceVersion = '1';
  const object = received(definition, body);
  object.metadata = { ...object.metadata, resourceVersion: '1', generation: stored.metadata.generation };
  const strategy: Strategy | SubresourceStrategy | undefined = subresource === '' ? definition.strategy : definition.strategy.subresources?.[subresource];
  strategy?.prepareForUpdate?.(object, stored, context);
  const errors = new FieldErrors();
  validateCommonMetadataUpdate(object.metadata, stored.metadata, definition.namespaced, errors);
  strategy?.validateUpdate?.(object, stored, errors, context);
  return unique(errors);
}

function statusOf(object: object): object {
  const { status } = object as { status?: object };
  return status === undefined ? {} : { status: clone(status) };
}

function unique(errors: FieldErrors): string[] {
  return [...new Set(errors.list.map((error) => error.toString().replace(/\n[\s\S]*/, '')))].toSorted();
}

export function describeRefusals(name: string, definition: ResourceDefinition, base: object, refusals: readonly Refusal[]): void {
  describe(name, () => {
    test('takes the object that all cases start from', () => {
      expect(creationErrors(definition, base)).toEqual([]);
    });
    test.each(refusals.map(([what, changes, ...errors]) => ({ what, changes, errors })))('refuses $what', async ({ changes, errors }) => {
      const body = changed(base, changes);
      expect(creationErrors(definition, body)).toEqual(errors.toSorted());
      if (referenceServer !== undefined) expect(await referenceErrors(definition, body)).toEqual(errors.toSorted());
    });
  });
}

export function describeUpdateRefusals(name: string, definition: ResourceDefinition, old: object, refusals: readonly Refusal[], subresource = ''): void {
  describe(name, () => {
    test('takes an update that changes nothing', () => {
      expect(updateErrors(definition, old, old, subresource)).toEqual([]);
    });
    test.each(refusals.map(([what, changes, ...errors]) => ({ what, changes, errors })))('refuses $what', ({ changes, errors }) => {
      expect(updateErrors(definition, old, changed(old, changes), subresource)).toEqual(errors.toSorted());
    });
  });
}

async function referenceErrors(definition: ResourceDefinition, body: object): Promise<string[]> {
  const { group, version, plural, namespaced } = definition;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const answer = await post(`${root}${namespaced ? '/namespaces/default' : ''}/${plural}?dryRun=All`, JSON.stringify(body));
  const { details, message } = JSON.parse(answer) as { details?: { causes?: { field: string; message: string }[] }; message?: string };
  const causes = details?.causes?.map(({ field, message: text }) => `${field}: ${text}`);
  const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return [...new Set((causes ?? (message === undefined ? [] : [message])).map((text) => text.replace(uid, someUid)))].toSorted();
}

function post(path: string, body: string): Promise<string> {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, referenceServer), { method: 'POST', headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
