// Our tables against the facts about the original's types and resources. Anything that differs is a bug of a table,
// except the few lines below that say why not.
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { AnyField, AnySchema, StructSchema } from '#schema/build.ts';
import { loadAllStructs } from '../../test/support/all-structs.ts';

const reference = new URL('../../../shared/reference/', import.meta.url);
const present = existsSync(reference);

interface TypeFacts {
  proto?: string;
  openapi?: string;
  inSwagger?: boolean;
  typeMeta?: boolean;
  special?: string;
  gvk?: unknown;
  oa?: { mapType?: string; unions?: unknown };
  fields: FieldFacts[];
}

interface OpenApiFacts {
  type?: string;
  format?: string;
  ref?: string;
  items?: OpenApiFacts;
  values?: OpenApiFacts;
  enum?: readonly unknown[];
  default?: unknown;
}

interface FieldFacts {
  json: string | null;
  tag: number | null;
  p?: string;
  go?: string;
  omit?: string;
  oa?: OpenApiFacts;
  req?: boolean;
  enum?: readonly unknown[];
  default?: unknown;
  listType?: string;
  listMapKeys?: readonly string[];
  patchStrategy?: string;
  patchMergeKey?: string;
  mapType?: string;
  protoName?: string;
  inline?: boolean;
  hidden?: boolean;
  ref?: string;
}

interface ResourceFacts {
  group: string;
  version: string;
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
  enabledByDefault: boolean;
  featureGate?: string;
  etcd?: string;
  storage?: string;
  lifecycle?: object;
  responseKind?: { group?: string; version?: string; kind: string };
}

/** One field, in a form that both sides can be brought into. */
type Comparable = Record<string, unknown>;

/** What is different on purpose. */
const explained = [
  // Go-only: the watch machinery of the original, never on the wire.
  /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.InternalEvent$/,
  // Any JSON value, not an object; Tables are not in OpenAPI documents.
  /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.TableRow\.cells openApi:/,
  // Deprecated as the warnings of a real server say; resources.json does not know it.
  /^\/v1\/(componentstatuses|endpoints) lifecycle:/,
  // Stored as v1: the original still writes the version its predecessor could read, and reads ours.
  /^(admissionregistration\.k8s\.io\/\w+\/mutatingadmissionpolic\w+|apiextensions\.k8s\.io\/v1\/customresourcedefinitions) storage:/,
];

const packageOfGroup: Record<string, string> = {
  '': 'io.k8s.api.core',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  'internal.apiserver.k8s.io': 'io.k8s.api.apiserverinternal',
};

describe.skipIf(!present)('the tables of all kinds', () => {
  let types: Record<string, TypeFacts>;
  let structs: ReadonlyMap<string, StructSchema>;
  let names: string[];

  beforeAll(async () => {
    types = readReference<{ types: Record<string, TypeFacts> }>('types.json').types;
    structs = await loadAllStructs();
    const packages = servedPackages();
    names = Object.keys(types).filter((name) => packages.has(name.slice(0, name.lastIndexOf('.'))));
  });

  it('declare every served type, and nothing else', () => {
    // Special types are scalars of the vocabulary, not structs.
    const wanted = names.filter((name) => types[name]?.special === undefined);
    expect(unexplained(wanted.filter((name) => !structs.has(name)))).toEqual([]);
    expect([...structs.keys()].filter((name) => !(name in types))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(700);
  });

  it('say the same about every type', () => {
    const differences = declared().flatMap(([name, facts, struct]) => differ(name, typeAsFound(facts), typeAsDeclared(struct)));
    expect(differences).toEqual([]);
  });

  it('say the same about every field', () => {
    let count = 0;
    const differences = declared().flatMap(([name, facts, struct]) => {
      const wanted = expand(types, facts);
      count += wanted.length;
      const ours = Object.entries(struct.fields).map(([json, field]) => fieldAsDeclared(json, field));
      const lost = wanted.filter(({ json }) => !ours.some((field) => field.json === json)).map(({ json }) => `${name}.${String(json)}: missing`);
      const order = wanted.map(({ json }) => json).join() === ours.map(({ json }) => json).join() ? [] : [`${name}: other order`];
      return [...lost, ...order, ...ours.flatMap((field) => differAboutField(name, wanted.find(({ json }) => json === field.json) ?? {}, field))];
    });
    expect(unexplained(differences)).toEqual([]);
    expect(count).toBeGreaterThan(3000);
  });

  it('fill in every constant default', () => {
    const kinds = readReference<{ kinds: Record<string, [path: string, rule: unknown][]> }>('defaults.json').kinds;
    const constants = Object.entries(kinds).flatMap(([kind, rules]) => {
      const struct = structs.get(openApiNameOf(kind));
      if (struct === undefined) return [];
      return rules
        .filter(([, rule]) => typeof rule === 'object')
        .map(([path, rule]) => ({ path: `${kind} ${path}`, wanted: (rule as { value: unknown }).value, ours: fieldAt(struct, path)?.rules.default }));
    });
    expect(constants.filter(({ wanted, ours }) => wanted !== ours)).toEqual([]);
    expect(constants.length).toBeGreaterThan(200);
  });

  function declared(): [string, TypeFacts, StructSchema][] {
    return names.flatMap((name) => {
      const [facts, struct] = [types[name], structs.get(name)];
      return facts === undefined || struct === undefined ? [] : [[name, facts, struct] as [string, TypeFacts, StructSchema]];
    });
  }
});

describe.skipIf(!present)('the definitions of all resources', () => {
  let facts: ResourceFacts[];
  let groups: { name: string; versions: string[]; priority: Record<string, [number, number]> }[];

  beforeAll(() => {
    const all = readReference<{ resources: ResourceFacts[]; groups: typeof groups }>('resources.json');
    facts = all.resources;
    groups = all.groups;
  });

  it('are those of the original, in the same order', () => {
    const wanted = facts.filter(({ name }) => !name.includes('/')).map(({ group, version, name }) => `${group}/${version}/${name}`);
    expect(builtinResources.map(({ group, version, plural }) => `${group}/${version}/${plural}`)).toEqual(wanted);
  });

  it('say the same about every resource and subresource', () => {
    const differences = builtinResources.flatMap((definition) => {
      const { group, version, plural } = definition;
      const mine = facts.filter((fact) => fact.group === group && fact.version === version && fact.name.split('/')[0] === plural);
      const [resource, ...subresources] = mine.sort((a, b) => (a.name < b.name ? -1 : 1));
      if (resource === undefined) return [`${plural}: unknown`];
      return [
        ...differ(`${group}/${version}/${plural}`, resourceAsFound(resource), resourceAsDeclared(definition)),
        ...differ(`${group}/${version}/${plural}/*`, { all: subresources.map(subresourceAsFound) }, { all: subresourcesAsDeclared(definition) }),
      ];
    });
    expect(unexplained(differences)).toEqual([]);
  });

  it('stand in the groups of the original with their priorities', () => {
    const wanted = groups.map(({ name, priority }) => ({
      name,
      priority: Object.values(priority)[0]?.[0],
      versions: Object.fromEntries(Object.entries(priority).map(([version, [, own]]) => [version, own])),
    }));
    expect(apiGroups).toEqual(wanted);
  });

  it('are published under the kinds they name', () => {
    const wrong = builtinResources.filter(
      ({ group, version, kind, schema }) => !schema.options.gvks?.some((gvk) => gvk.join() === [group, version, kind].join()),
    );
    expect(wrong.map(({ plural }) => plural)).toEqual([]);
  });
});

function readReference<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, reference), 'utf8')) as T;
}

function servedPackages(): Set<string> {
  const extra = ['io.k8s.apimachinery.pkg.apis.meta.v1', 'io.k8s.api.admission.v1', 'io.k8s.metrics.pkg.apis.metrics.v1beta1'];
  return new Set([...apiGroups.flatMap(({ name, versions }) => Object.keys(versions).map((version) => `${packageOf(name)}.${version}`)), ...extra]);
}

function packageOf(group: string): string {
  return packageOfGroup[group] ?? `io.k8s.api.${group.split('.')[0]}`;
}

/** `apps/v1.Deployment` of defaults.json. */
function openApiNameOf(kind: string): string {
  const [folder = '', rest = ''] = kind.split('/');
  return `${packageOfGroup[`${folder}.k8s.io`] ?? `io.k8s.api.${folder}`}.${rest}`;
}

function fieldAt(struct: StructSchema, path: string): AnyField | undefined {
  let schema: AnySchema = struct;
  let field: AnyField | undefined;
  for (const name of path.replaceAll('[]', '').split('.')) {
    if (schema.is !== 'struct') return undefined;
    field = schema.fields[name];
    if (field === undefined) return undefined;
    schema = field.schema.is === 'list' ? field.schema.item : field.schema;
  }
  return field;
}

function unexplained(differences: readonly string[]): string[] {
  return differences.filter((text) => !explained.some((pattern) => pattern.test(text)));
}

/** Types outside OpenAPI have no published properties to compare. */
function differAboutField(struct: string, wanted: Comparable, { openApi, default: zero, ...ours }: Comparable): string[] {
  return differ(`${struct}.${String(ours.json)}`, wanted, 'openApi' in wanted ? { ...ours, openApi, default: zero } : ours);
}

function differ(at: string, wanted: Comparable, ours: Comparable): string[] {
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(ours)])];
  return keys
    .filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(ours[key]))
    .map((key) => `${at} ${key}: wanted ${JSON.stringify(wanted[key])}, ours ${JSON.stringify(ours[key])}`);
}

function typeAsFound(facts: TypeFacts): Comparable {
  return {
    proto: facts.proto ?? undefined,
    root: facts.typeMeta === true,
    published: facts.inSwagger === true,
    gvks: facts.gvk,
    atomic: facts.oa?.mapType === 'atomic',
    unions: facts.oa?.unions,
  };
}

function typeAsDeclared(struct: StructSchema): Comparable {
  const { options } = struct;
  return {
    // Types without protobuf have no tags.
    proto: Object.values(struct.fields).some(({ tag }) => tag === 0) ? undefined : protoNameOf(struct.name),
    root: options.root === true,
    published: options.unpublished !== true,
    gvks: options.gvks,
    atomic: options.atomic === true,
    unions: options.unions,
  };
}

/** The fields as JSON shows them: embedded structs opened up. */
function expand(types: Record<string, TypeFacts>, facts: TypeFacts): Comparable[] {
  return facts.fields.flatMap((field) => {
    if (!field.inline) return [fieldAsFound(field)];
    const inner = types[field.ref ?? ''];
    if (inner === undefined) throw new Error(`no type ${field.ref}`);
    return expand(types, inner).map((nested) => ({ ...nested, via: `${field.tag} ${field.protoName} ${field.ref}` }));
  });
}

function fieldAsFound(field: FieldFacts): Comparable {
  return {
    json: field.json,
    tag: field.tag ?? 0,
    proto: field.p,
    pointer: field.go?.startsWith('*') ?? false,
    omit: field.omit ?? 'never',
    required: field.req ?? false,
    ...(field.oa !== undefined && { default: field.default, openApi: openApiAsFound(field.oa, field.enum) }),
    listType: field.listType,
    keys: field.listMapKeys,
    strategy: field.patchStrategy,
    mergeKey: field.patchMergeKey,
    mapType: field.mapType,
    protoName: field.protoName ?? field.json,
    via: undefined,
  };
}

function fieldAsDeclared(json: string, field: AnyField): Comparable {
  const { schema, presence, rules, via } = field;
  const { merge } = rules;
  return {
    json,
    tag: field.tag,
    proto: field.tag === 0 ? undefined : protoTypeOf(schema),
    pointer: presence === 'pointer',
    omit: omitOf(field),
    required: presence === 'required' || rules.mandatory === true,
    default: publishedDefault(field),
    openApi: openApiAsDeclared(schema, rules.enum),
    listType: typeof merge === 'object' ? 'map' : merge,
    keys: typeof merge === 'object' ? merge.keys : undefined,
    strategy: rules.patch?.strategy,
    mergeKey: rules.patch?.key,
    mapType: rules.atomic === undefined ? undefined : rules.atomic ? 'atomic' : 'granular',
    protoName: rules.protoName ?? json,
    via: via === undefined ? undefined : `${via.tag} ${via.protoName} ${via.struct.name}`,
  };
}

function omitOf({ presence, rules }: AnyField): string {
  if (rules.written === 'nonzero') return 'empty+zero';
  if (rules.written === 'always') return 'never';
  if (rules.written === 'nonempty') return 'empty';
  return presence === 'required' ? 'never' : 'empty';
}

const zeros: Record<string, unknown> = { string: '', boolean: false, int32: 0, int64: 0, double: 0, struct: {} };

function publishedDefault(field: AnyField): unknown {
  const { rules, schema, presence } = field;
  if (rules.published !== undefined) return rules.published ?? undefined;
  if (rules.default !== undefined) return rules.default;
  if (presence === 'pointer') return undefined;
  return schema.is === 'struct' || omitOf(field) === 'never' ? zeros[schema.is] : undefined;
}

function protoNameOf(openApiName: string): string {
  return openApiName.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_');
}

function protoTypeOf(schema: AnySchema): string {
  if (schema.is === 'list') return schema.wrapped === undefined ? `repeated ${protoTypeOf(schema.item)}` : protoNameOf(schema.wrapped);
  if (schema.is === 'map') return `map<string,${protoTypeOf(schema.value)}>`;
  if (schema.name !== undefined) return protoNameOf(schema.name);
  return schema.is === 'boolean' ? 'bool' : schema.is;
}

function openApiAsFound({ type, format, ref, items, values, ...facts }: OpenApiFacts, allowed = facts.enum): Comparable {
  return { type, format, ref, enum: allowed, items: items && elementAsFound(items), values: values && elementAsFound(values) };
}

function elementAsFound(facts: OpenApiFacts): Comparable {
  return { ...openApiAsFound(facts), default: facts.default };
}

const plain: Record<string, [type: string, format?: string]> = {
  string: ['string'],
  boolean: ['boolean'],
  int32: ['integer', 'int32'],
  int64: ['integer', 'int64'],
  double: ['number', 'double'],
  bytes: ['string', 'byte'],
};

function openApiAsDeclared(schema: AnySchema, allowed: readonly string[] | undefined): Comparable {
  const none = { type: undefined, format: undefined, ref: undefined, enum: undefined, items: undefined, values: undefined };
  if (schema.is === 'list') return { ...none, type: 'array', items: elementAsDeclared(schema.item, allowed) };
  if (schema.is === 'map') return { ...none, type: 'object', values: elementAsDeclared(schema.value, allowed) };
  if (schema.name !== undefined) return { ...none, ref: schema.name };
  const [type, format] = plain[schema.is] ?? [];
  return { ...none, type, format, enum: allowed };
}

/** The enum of a list or map is that of its elements; their zero value is published. */
function elementAsDeclared(schema: AnySchema, allowed: readonly string[] | undefined): Comparable {
  return { ...openApiAsDeclared(schema, allowed), default: zeros[schema.is] };
}

function resourceAsFound(fact: ResourceFacts): Comparable {
  return {
    kind: fact.kind,
    singular: fact.singularName,
    namespaced: fact.namespaced,
    verbs: fact.verbs,
    shortNames: fact.shortNames ?? [],
    categories: fact.categories ?? [],
    hash: fact.storageVersionHash,
    enabled: fact.enabledByDefault,
    gate: fact.featureGate,
    prefix: fact.etcd?.replace('/{namespace}', ''),
    storage: fact.storage,
    lifecycle: fact.lifecycle ?? {},
  };
}

function resourceAsDeclared(definition: ResourceDefinition): Comparable {
  const { storage } = definition;
  const group = storage?.group ?? definition.group;
  return {
    kind: definition.kind,
    singular: definition.singular,
    namespaced: definition.namespaced,
    verbs: definition.verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    hash: storage?.hash,
    enabled: definition.enabled,
    gate: definition.featureGate,
    prefix: storage?.prefix,
    storage: storage === undefined ? undefined : group === '' ? storage.version : `${group}/${storage.version}`,
    lifecycle: definition.lifecycle,
  };
}

function subresourceAsFound(fact: ResourceFacts): Comparable {
  return { name: fact.name.split('/')[1], kind: fact.kind, verbs: fact.verbs, gate: fact.featureGate };
}

function subresourcesAsDeclared({ subresources }: ResourceDefinition): Comparable[] {
  const sorted = [...subresources].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, kind, verbs, featureGate }) => ({ name, kind, verbs, gate: featureGate }));
}
