// How a schema looks to server-side apply: which values are leaves, which lists are sets or keyed, which maps are one value.
import { sharedMemo } from '#base/shared-memos.ts';
import { compareTexts } from '#patch/apply/path-element.ts';
import type { AnyField, AnySchema, FieldRules, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { quoteJson } from '#schema/json/json-text.ts';
import { holdsRawJson } from '#schema/raw-json.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';

/** What a value may be. Most types allow one shape; untyped ones all three. */
export interface Topology {
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  readonly list?: ListTopology;
  readonly map?: MapTopology;
}

export interface ListTopology {
  readonly item: Topology;
  /** Atomic lists are leaves; items of the others are told apart by their keys, or by their value when there are none. */
  readonly atomic: boolean;
  readonly keys: readonly KeyField[];
  /** The same in the order in which a step names them. */
  readonly sortedKeys: readonly KeyField[];
  /** The schema of a list that holds raw JSON, which is compared as bytes. Asked when items are compared: it looks through their whole type. */
  readonly raw?: () => ListSchema | undefined;
}

export interface KeyField {
  readonly name: string;
  /** What stands for the key when an item does not say it; undefined: the key is left out. */
  readonly default: unknown;
}

export interface MapTopology {
  readonly atomic: boolean;
  /** The type below a member; undefined when the schema does not know the member. */
  readonly typeOf: (name: string) => Topology | undefined;
  /** Is the member a field of a struct? Members of maps, and unknown ones, are owned in their own right. */
  readonly declares: (name: string) => boolean;
  /** Fields of built-in kinds that are null, not absent, when nobody set them. */
  readonly nullFields: readonly string[];
  /** Somewhere in it stands raw JSON. */
  readonly holdsRaw?: () => boolean;
  /** All members are of unknown type. */
  readonly deduced: boolean;
  /** The fields of a struct that has no others, in the order in which field sets are written. */
  readonly fields?: readonly NamedField[];
}

export class NamedField {
  readonly name: string;
  /** Its step in a path: `f:name`. */
  readonly element: string;
  /** The step in JSON, with its colon. */
  readonly quoted: string;
  /** It is one of the `nullFields`. */
  readonly isNull: boolean;
  readonly #typeOf: (name: string) => Topology | undefined;
  #type: Topology | undefined;
  #known = false;
  #whole: string | undefined;

  constructor(name: string, typeOf: (name: string) => Topology | undefined, isNull = false) {
    this.name = name;
    this.element = `f:${name}`;
    this.quoted = `${quoteJson(this.element)}:`;
    this.isNull = isNull;
    this.#typeOf = typeOf;
  }

  /** Found out when somebody asks: types may contain themselves. */
  get type(): Topology | undefined {
    if (!this.#known) this.#findOut();
    return this.#type;
  }

  /** The field owned as a whole, with a comma before it; undefined for types that may be owned in parts. */
  get whole(): string | undefined {
    if (!this.#known) this.#findOut();
    return this.#whole;
  }

  #findOut(): void {
    const type = this.#typeOf(this.name);
    this.#type = type;
    if (type !== undefined && type.list === undefined && type.map === undefined) this.#whole = `,${this.quoted}{}`;
    this.#known = true;
  }
}

/** One value, whatever it is. */
const untyped: Topology = { scalar: 'untyped', list: untypedList(() => untyped), map: untypedMap(true, () => untyped) };

/** Maps are taken apart, everything else is one value. */
const deduced: Topology = { scalar: 'untyped', list: untypedList(() => untyped), map: untypedMap(false, () => deduced) };

function untypedList(item: () => Topology): ListTopology {
  return {
    get item() {
      return item();
    },
    atomic: true,
    keys: [],
    sortedKeys: [],
  };
}

function untypedMap(atomic: boolean, item: () => Topology): MapTopology {
  return { atomic, typeOf: item, declares: () => false, nullFields: [], deduced: !atomic };
}

export function topologyOf(schema: StructSchema): Topology {
  return structTopology(schema, false);
}

interface Compiled {
  plain?: Topology;
  /** Below something that preserves unknown fields, every struct does. */
  preserving?: Topology;
}

let compiled = new WeakMap<StructSchema, Compiled>();
/** With the topologies goes what others keep beside them: the keys of items and the names of members that objects had. */
sharedMemo({
  clear: () => {
    compiled = new WeakMap();
  },
});

function structTopology(schema: StructSchema, inherited: boolean): Topology {
  const preserves = inherited || schema.options.preserveUnknown === true;
  const known = compiled.get(schema) ?? {};
  compiled.set(schema, known);
  if (preserves) {
    known.preserving ??= { map: structMap(schema, true) };
    return known.preserving;
  }
  known.plain ??= { map: structMap(schema, false) };
  return known.plain;
}

function structMap(schema: StructSchema, preserves: boolean): MapTopology {
  const plan = planOf(schema);
  const types = new Map<string, Topology>();
  // A struct without any field is a free-form object to OpenAPI.
  const stranger = preserves || plan.fields.size === 0 ? deduced : undefined;
  const typeOf = (name: string) => {
    const known = types.get(name);
    if (known !== undefined) return known;
    const field = plan.fields.get(name);
    if (field === undefined) return embeddedType(schema, name) ?? stranger;
    const type = fieldTopology(field.field, preserves);
    types.set(name, type);
    return type;
  };
  const declares = (name: string) => plan.fields.has(name) || embeddedType(schema, name) !== undefined;
  const nullFields = plan.nulls.map(({ name }) => name);
  const topology = {
    atomic: schema.options.atomic === true,
    typeOf,
    declares,
    nullFields,
    deduced: plan.fields.size === 0,
    holdsRaw: () => holdsRawJson(schema),
  };
  const names = [...plan.fields.keys()];
  const isClosed = stranger === undefined && schema.options.embeddedResource !== true && names.every((name) => plainName.test(name));
  return isClosed ? { ...topology, fields: names.sort().map((name) => new NamedField(name, typeOf, nullFields.includes(name))) } : topology;
}

/** Nothing to escape, and the same order in every encoding. */
const plainName = /^[\w$-]+$/;

/** An embedded object has its kind and version even where its schema does not say so. */
function embeddedType(schema: StructSchema, name: string): Topology | undefined {
  if (schema.options.embeddedResource !== true) return undefined;
  if (name === 'apiVersion' || name === 'kind') return { scalar: 'string' };
  return name === 'metadata' ? { map: untypedMap(false, () => deduced) } : undefined;
}

function fieldTopology({ schema, rules }: AnyField, preserves: boolean): Topology {
  const topology = valueTopology(schema, rules, preserves);
  if (rules.atomic === undefined || topology.map === undefined || topology.map.atomic === rules.atomic) return topology;
  return { ...topology, map: { ...topology.map, atomic: rules.atomic } };
}

const scalars: Readonly<Partial<Record<AnySchema['is'], Topology>>> = {
  bytes: { scalar: 'string' },
  duration: { scalar: 'string' },
  boolean: { scalar: 'boolean' },
  int32: { scalar: 'numeric' },
  int64: { scalar: 'numeric' },
  double: { scalar: 'numeric' },
  quantity: { scalar: 'untyped' },
  // Its definition has no type, so that anything passes here.
  intOrString: deduced,
  time: { scalar: 'untyped' },
  microTime: { scalar: 'untyped' },
  rawExtension: untyped,
};

/** Where a custom resource says no type, a value may be anything besides what the schema describes. */
function valueTopology(schema: AnySchema, rules: FieldRules, preserves: boolean): Topology {
  const topology = typedTopology(schema, rules, preserves);
  return schema.rules?.untyped === true ? { ...deduced, ...topology } : topology;
}

function typedTopology(schema: AnySchema, rules: FieldRules, preserves: boolean): Topology {
  switch (schema.is) {
    case 'string':
      return { scalar: isText(schema.rules?.format) ? 'string' : 'untyped' };
    case 'list':
      return { list: listTopology(schema, rules, preserves) };
    case 'map':
      return { map: mapTopology(schema, preserves) };
    case 'struct':
      return structTopology(schema, preserves);
    default:
      return scalars[schema.is] ?? deduced;
  }
}

/** A format may mean more than text: such values are compared as they are. */
function isText(format: string | undefined): boolean {
  return format === undefined || format === '' || format === 'byte';
}

function mapTopology({ value, atomic }: MapSchema, preserves: boolean): MapTopology {
  const item = lazily(() => valueTopology(value, {}, preserves));
  return { atomic: atomic === true, typeOf: item, declares: () => false, nullFields: [], deduced: false };
}

function listTopology(schema: ListSchema, rules: FieldRules, preserves: boolean): ListTopology {
  const names = keysOf(rules.merge === undefined && schema.merge !== undefined ? { merge: schema.merge } : rules);
  const item = lazily(() => valueTopology(schema.item, {}, preserves));
  const keys = (names ?? []).map((name) => ({ name, default: defaultOf(schema.item, name) }));
  return {
    get item() {
      return item();
    },
    atomic: names === undefined,
    keys,
    sortedKeys: keys.toSorted((left, right) => compareTexts(left.name, right.name)),
    raw: () => (holdsRawJson(schema) ? schema : undefined),
  };
}

/** Undefined: atomic; no names: a set. Kinds that say nothing else are merged the way strategic merge patch does it. */
function keysOf({ merge, patch }: FieldRules): readonly string[] | undefined {
  if (merge === 'atomic') return undefined;
  if (merge !== undefined) return merge === 'set' ? [] : merge.keys;
  if (patch?.strategy !== 'merge' && patch?.strategy !== 'merge,retainKeys') return undefined;
  return patch.key === undefined ? [] : [patch.key];
}

/** What OpenAPI publishes as the default of a key. */
function defaultOf(item: AnySchema, name: string): unknown {
  const field = item.is === 'struct' ? item.fields[name] : undefined;
  if (field === undefined || item.is !== 'struct') return undefined;
  if (isCustom(item)) return field.schema.rules?.default;
  const { rules, presence, schema } = field;
  if (rules.published !== undefined) return rules.published ?? undefined;
  if (rules.default !== undefined) return rules.default;
  const written = presence !== 'pointer' && (rules.written === 'always' || (presence === 'required' && rules.written === undefined));
  return written ? zeroKey(schema) : undefined;
}

function zeroKey(schema: AnySchema): unknown {
  if (schema.is === 'string') return '';
  if (schema.is === 'boolean') return false;
  return schema.is === 'int32' || schema.is === 'int64' || schema.is === 'double' ? 0 : undefined;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
