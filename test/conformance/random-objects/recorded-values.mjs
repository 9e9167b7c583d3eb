// What the recordings teach about objects: whole ones that were accepted, and for every field of every type the values seen in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const notScenarios = new Set(['flags.json', 'kubectl.json', 'metrics-names.json', 'root-paths.json', 'openapi-v2.json', 'openapi-v3.json']);
/** Kinds whose objects change what other scenarios see, or that are not stored. */
const leftOut = new Set(['Namespace', 'APIService', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'MutatingAdmissionPolicyBinding']);
const mostValues = 60;

/** The types of the reference: `typeOf(object)` by group, version and kind; `fieldOf(type, name)` with the type of what it holds. */
export function readTypes(folder) {
  const { types } = JSON.parse(readFileSync(join(folder, 'types.json'), 'utf8'));
  const byKind = new Map();
  for (const type of Object.values(types))
    for (const [group, version, kind] of type.gvk ?? []) byKind.set(`${group ? `${group}/` : ''}${version} ${kind}`, type);
  const named = (shape) => (shape?.ref ? types[shape.ref] : undefined);
  return {
    typeOf: (object) => byKind.get(`${object?.apiVersion} ${object?.kind}`),
    fieldsOf: (type) => type?.fields ?? [],
    /** The shape and, where it is a struct, the type of a field, an item or a value of a map. */
    under(type, shape, key) {
      if (type && !type.special) {
        const field = type.fields?.find(({ json }) => json === key);
        return { field, shape: field?.oa, type: named(field?.oa) };
      }
      const inner = typeof key === 'number' ? shape?.items : shape?.additionalProperties;
      return { shape: inner, type: named(inner) };
    },
  };
}

/** Every request body that made an object, with the path it was sent to. */
export function readSeeds(folder, types) {
  const seeds = new Map();
  const values = new Map();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json') && !notScenarios.has(file))) {
    for (const scenario of JSON.parse(readFileSync(join(folder, name), 'utf8'))) {
      for (const step of scenario.steps) {
        const { body } = step;
        if (step.do !== 'POST' && step.do !== 'PUT') continue;
        const type = types.typeOf(body);
        if (type === undefined) continue;
        collect(types, values, { type }, body);
        if (step.answer?.body && types.typeOf(step.answer.body) === type) collect(types, values, { type }, step.answer.body);
        if (step.do === 'POST' && accepted(step)) keepSeed(seeds, step, scenario);
      }
    }
  }
  return { seeds: [...seeds.values()], values };
}

function accepted({ answer, as, headers }) {
  return answer?.status === 201 && as === undefined && headers === undefined;
}

function keepSeed(seeds, { path, body }, scenario) {
  const plain = path.split('?')[0];
  const text = JSON.stringify(body);
  if (leftOut.has(body.kind) || /\$\{/.test(text + plain) || text.length > 12000) return;
  if (!/^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/)?[a-z]+$/.test(plain)) return;
  const where = plain.replace(/\/namespaces\/[^/]+\//, '/namespaces/$NS/');
  const seed = { path: where, body, from: scenario.id };
  const key = `${where} ${shapeOf(body)}`;
  if (!seeds.has(key)) seeds.set(key, seed);
}

/** Seeds with the same fields set are one. */
function shapeOf(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].join()}]`;
  if (value && typeof value === 'object')
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${key}:${shapeOf(value[key])}`)
      .join()}}`;
  return typeof value;
}

function collect(types, values, at, value) {
  if (!value || typeof value !== 'object') return;
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const inner = types.under(at.type, at.shape, key);
    if (inner.field) {
      const name = `${at.type.openapi}.${key}`;
      const seen = values.get(name) ?? values.set(name, new Map()).get(name);
      const text = JSON.stringify(item);
      if (seen.size < mostValues && text.length < 2000 && !/\$\{|<(?:rv|uid|time|any)>/.test(text)) seen.set(text, item);
    }
    collect(types, values, inner, item);
  }
}
