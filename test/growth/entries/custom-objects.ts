// Custom objects with many parts, right and wrong ones, and definitions of many parts: what their schemas ask for is looked at once for each part.
import { errorsIn, type FieldErrors, TooManyFieldErrors } from '#api/field-error.ts';
import { validateRules } from '#schema/cel/validate-rules.ts';
import { type OpenApiSource, valueFromOpenApi } from '#schema/structural/from-openapi.ts';
import { validateListInvariants } from '#schema/structural/list-invariants.ts';
import { prune } from '#schema/structural/prune.ts';
import { applyStructuralDefaults } from '#schema/structural/structural-defaults.ts';
import { validateStructural } from '#schema/structural/validate.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { oursOfCreation } from '../../support/rule-cases.ts';
import { sampleDefinition } from '../../support/sample-definition.ts';
import type { GrowthEntry } from '../growth-entry.ts';

/** About what one part takes in JSON, and how many parts a body may hold. */
const partBytes = 30;
const mostParts = 33_000;

const text = { type: 'string' };
const items = (item: object, more: object = {}): OpenApiSource => ({ type: 'array', items: item, ...more });
const named = { type: 'object', properties: { name: text, value: { type: 'string', default: 'x' } }, required: ['name'] };
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };

function ofParts(name: string, prepare: (parts: <T>(of: (index: number) => T) => T[]) => () => unknown): GrowthEntry {
  const prepareBytes = (bytes: number) => prepare((of) => Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => of(index)));
  return { name, covers: [], maxBytes: mostParts * partBytes, prepare: prepareBytes };
}

/** All that is found, or as much as is collected before the object is refused. */
function judged(judge: (errors: FieldErrors) => void): unknown {
  try {
    return errorsIn((errors) => judge(errors));
  } catch (error) {
    if (error instanceof TooManyFieldErrors) return error.list;
    throw error;
  }
}

function objectOf(name: string, source: OpenApiSource, part: (index: number) => unknown, old?: (index: number) => unknown): GrowthEntry {
  const schema = valueFromOpenApi(source);
  return ofParts(`a custom list of ${name}`, (parts) => {
    const [value, earlier] = [parts(part), old && parts(old)];
    return () => {
      applyStructuralDefaults(schema, value);
      judged((errors) => validateStructural(schema, value, errors, earlier && { old: earlier }));
      return judged((errors) => validateListInvariants(schema, value, errors, earlier));
    };
  });
}

function definition(name: string, specOf: (parts: <T>(of: (index: number) => T) => T[]) => object): GrowthEntry {
  const found = builtinResources.find(({ kind }) => kind === 'CustomResourceDefinition');
  if (found === undefined) throw new Error('there is no kind CustomResourceDefinition');
  return ofParts(`a definition of ${name}`, (parts) => {
    const object = structuredClone(sampleDefinition);
    Object.assign(object.spec.versions[0]?.schema.openAPIV3Schema.properties.spec ?? {}, specOf(parts));
    return () => oursOfCreation(found, object as never);
  });
}

export const customObjectEntries: readonly GrowthEntry[] = [
  objectOf('texts that fit their pattern', items({ ...text, pattern: '^t[0-9]+$' }), (i) => `t${i}`),
  objectOf('texts that break their pattern', items({ ...text, pattern: '^t$' }), (i) => `t${i}`),
  objectOf('values of a wrong type', items({ type: 'integer' }), (i) => `t${i}`),
  objectOf('values outside an enum', items({ ...text, enum: ['a', 'b'] }), (i) => `t${i}`),
  objectOf('items that are told apart by a key', items(named, keyed), (i) => ({ name: `n${i}` })),
  objectOf('items without their key', items(named, keyed), () => ({ value: 'v' })),
  objectOf('one item again and again', items(named, keyed), () => ({ name: 'n' })),
  objectOf(
    'items that were wrong before',
    items({ ...named, maxProperties: 1 }, keyed),
    (i) => ({ name: `n${i}` }),
    (i) => ({ name: `n${i}` }),
  ),
  objectOf('members of a set', items(text, { 'x-kubernetes-list-type': 'set' }), (i) => `t${i}`),
  objectOf(
    'objects that fit none of three ways',
    items({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }] }),
    () => ({}),
  ),
  objectOf('unique items', items(text, { uniqueItems: true }), (i) => `t${i}`),
  ofParts('a custom object of unknown fields', (parts) => {
    const schema = valueFromOpenApi({ type: 'object', properties: { a: text } });
    const fields = Object.fromEntries(parts((i) => [`k${i}`, 1]));
    return () => prune(schema, { ...fields });
  }),
  ofParts('a custom list with a rule for each item', (parts) => {
    const schema = valueFromOpenApi(items({ ...text, maxLength: 10, 'x-kubernetes-validations': [{ rule: "self != 'x'" }] }, { maxItems: 100_000 }));
    const value = parts((i) => `t${i}`);
    return () => judged((errors) => void validateRules(schema, value, errors, { now: () => 0 }));
  }),
  definition('properties', (parts) => ({ properties: Object.fromEntries(parts((i) => [`p${i}`, { type: 'string', default: 'x' }])) })),
  definition('an enum', (parts) => ({ properties: { p: { type: 'string', enum: parts((i) => `e${i}`) } } })),
  definition('alternatives', (parts) => ({ properties: { p: text }, anyOf: parts(() => ({ required: ['p'] })) })),
  definition('properties that are required', (parts) => ({ properties: { p: text }, required: parts((i) => `r${i}`) })),
];
