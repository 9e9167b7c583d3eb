// Tables of refusals: an object that is fine, what is changed in it, and every error that must follow, as messages show them.
// What is compared is the Status a client gets: code, reason, and field, reason and message of every cause.
// With REFERENCE_SERVER=https://127.0.0.1:PORT the same tables are put to a real kube-apiserver, which must say the same
// (REFERENCE_SERVER_WITH_GATES: one that was started with the gates of the tables that name gates).
// Every table is registered, so that tools/check-rule-rows.ts can tell which rules have a case.
import { describe, expect, test } from 'vitest';
import { invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { featureGates } from '#base/feature-gates.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { validateCommonMetadata, validateCommonMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy, StrategyContext, SubresourceStrategy } from '#resource/strategy.ts';
import { clone } from '#schema/clone.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { type Reference, referenceFor, refusalOfCreation, refusalOfUpdate } from './reference-answers.ts';
import { type Refused, refusedWith, registerRefusals, shownRefusal, someUid } from './refusals.ts';

/** Values by dotted path; undefined takes the field away. */
export type Changes = Readonly<Record<string, unknown>>;
export type Refusal = readonly [what: string, changes: Changes, ...errors: string[]];

/** Under which circumstances a table is put. */
export interface Circumstances {
  readonly gates?: Readonly<Record<string, string>>;
  /** More that the strategy knows: `apiVersion`, `allowPrivileged` … */
  readonly context?: Partial<StrategyContext>;
  /** The real server says something else, for the reason given here: it is not asked. */
  readonly notAsked?: string;
  /** Such objects are refused however they come; else an update that changes nothing must be taken. */
  readonly refusesAll?: boolean;
}

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
function received(definition: ResourceDefinition, body: object): KubernetesObject {
  const { object } = decodeValue(definition.schema, body);
  applyDefaults(definition, object);
  if (definition.namespaced) object.metadata.namespace = 'default';
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
  return messagesOf(errorsOfCreation(definition, body, contextWith(gates)));
}

function errorsOfCreation(definition: ResourceDefinition, body: object, context: StrategyContext): FieldErrors {
  const object = prepared(definition, body, context);
  const errors = new FieldErrors();
  definition.strategy.validate?.(object, errors, context);
  if (errors.empty) validateCommonMetadata(object.metadata, definition.namespaced, errors);
  return errors;
}

export function updateErrors(
  definition: ResourceDefinition,
  old: object,
  body: object,
  subresource = '',
  gates: Readonly<Record<string, string>> = {},
): string[] {
  return messagesOf(errorsOfUpdate(definition, old, () => body, subresource, contextWith(gates)));
}

type Change = (stored: KubernetesObject) => object;

function errorsOfUpdate(definition: ResourceDefinition, old: object, change: Change, subresource: string, context: StrategyContext): FieldErrors {
  const stored = { ...prepared(definition, old, context), ...statusOf(old) } as KubernetesObject;
  stored.metadata.resourceVersion = '1';
  const object = received(definition, change(stored));
  object.metadata = { ...object.metadata, resourceVersion: '1', generation: stored.metadata.generation };
  const strategy: Strategy | SubresourceStrategy | undefined = subresource === '' ? definition.strategy : definition.strategy.subresources?.[subresource];
  strategy?.prepareForUpdate?.(object, stored, context);
  const errors = new FieldErrors();
  validateCommonMetadataUpdate(object.metadata, stored.metadata, definition.namespaced, errors);
  strategy?.validateUpdate?.(object, stored, errors, context);
  return errors;
}

function statusOf(object: object): object {
  const { status } = object as { status?: object };
  return status === undefined ? {} : { status: clone(status) };
}

function messagesOf(errors: FieldErrors): string[] {
  return [...new Set(errors.list.map(String))].toSorted();
}

/** What our rules answer to the creation of this object. */
export function oursOfCreation(definition: ResourceDefinition, body: object, circumstances: Circumstances = {}): Refused {
  return refusal(definition, errorsOfCreation(definition, body, contextOf(circumstances)));
}

/** What our rules answer when the stored form of the old object comes back changed. */
export function oursOfUpdate(definition: ResourceDefinition, old: object, changes: Changes, subresource = '', circumstances: Circumstances = {}): Refused {
  return refusal(
    definition,
    errorsOfUpdate(definition, old, (stored) => changed(stored, changes), subresource, contextOf(circumstances)),
  );
}

/** The Status of these errors, as the server answers it. */
function refusal({ group, kind }: Pick<ResourceDefinition, 'group' | 'kind'>, errors: FieldErrors): Refused {
  return shownRefusal(errors.empty ? undefined : invalid({ group, kind }, 'x', errors.list).toStatus());
}

function contextOf({ gates = {}, context = {} }: Circumstances): StrategyContext {
  return { ...contextWith(gates), ...context };
}

function referenceOf({ gates = {}, notAsked }: Circumstances): Reference | undefined {
  return notAsked === undefined ? referenceFor(gates) : undefined;
}

export function describeRefusals(
  name: string,
  definition: ResourceDefinition,
  base: object,
  refusals: readonly Refusal[],
  circumstances: Circumstances = {},
): void {
  registerRefusals('create', definition.kind, refusals);
  const reference = referenceOf(circumstances);
  describe(name, () => {
    test('takes the object that all cases start from', async () => {
      expect(messagesOf(errorsOfCreation(definition, base, contextOf(circumstances)))).toEqual([]);
      if (reference) expect(await refusalOfCreation(reference, definition, base)).toEqual(shownRefusal(undefined));
    });
    test.each(refusals.map(([what, changes, ...errors]) => ({ what, changes, errors })))('refuses $what', async ({ changes, errors }) => {
      const body = changed(base, changes);
      expect(oursOfCreation(definition, body, circumstances)).toEqual(refusedWith(errors));
      if (reference) expect(await refusalOfCreation(reference, definition, body)).toEqual(refusedWith(errors));
    });
  });
}

export function describeUpdateRefusals(
  name: string,
  definition: ResourceDefinition,
  old: object,
  refusals: readonly Refusal[],
  subresource = '',
  circumstances: Circumstances = {},
): void {
  registerRefusals(subresource === '' ? 'update' : subresource, definition.kind, refusals);
  const reference = referenceOf(circumstances);
  describe(name, () => {
    const harmless = () => expect(oursOfUpdate(definition, old, {}, subresource, circumstances)).toEqual(refusedWith([]));
    if (!circumstances.refusesAll) test('takes an update that changes nothing', harmless);
    test.each(refusals.map(([what, changes, ...errors]) => ({ what, changes, errors })))('refuses $what', async ({ changes, errors }) => {
      expect(oursOfUpdate(definition, old, changes, subresource, circumstances)).toEqual(refusedWith(errors));
      if (reference) expect(await refusalOfUpdate(reference, definition, old, (stored) => changed(stored, changes), subresource)).toEqual(refusedWith(errors));
    });
  });
}

/** Rules that no request reaches, or not in this form: put to the rule itself. */
export function describeFieldErrors(
  name: string,
  write: string,
  { group, kind }: Pick<ResourceDefinition, 'group' | 'kind'>,
  cases: readonly (readonly [what: string, rule: (errors: FieldErrors) => void, ...errors: string[]])[],
): void {
  registerRefusals(write, kind, cases);
  describe(name, () => {
    test.each(cases.map(([what, rule, ...errors]) => ({ what, rule, errors })))('refuse $what', ({ rule, errors }) => {
      const found = new FieldErrors();
      rule(found);
      expect(refusal({ group, kind }, found)).toEqual(refusedWith(errors));
    });
  });
}
