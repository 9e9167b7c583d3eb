// The vocabulary in which kinds are declared. A schema is plain data; the type parameter exists only for the type checker.
// Readers of a schema: one walker per file in this folder. They look at properties, never at type names.

/** A schema whose decoded values have the static type `T`. */
export type Schema<T> = AnySchema & { readonly _type?: T };

export type AnySchema = ScalarSchema | ListSchema | MapSchema | StructSchema;

/**
 * Scalars and the types of the API whose JSON form is not that of their fields:
 * - `int64` beyond 2^53 is held as a bigint, everything else as a number
 * - `bytes` is base64 text; `quantity`, `duration`, `time` and `microTime` are text in canonical form
 * - `json` is any JSON value, `rawExtension` any JSON object; `fieldsV1` is a field set of managedFields
 * - `schemaOr*` are the three unions inside JSONSchemaProps
 */
export interface ScalarSchema {
  readonly is:
    | 'string'
    | 'boolean'
    | 'int32'
    | 'int64'
    | 'double'
    | 'bytes'
    | 'quantity'
    | 'intOrString'
    | 'time'
    | 'microTime'
    | 'duration'
    | 'rawExtension'
    | 'fieldsV1'
    | 'json'
    | 'schemaOrArray'
    | 'schemaOrBool'
    | 'schemaOrStringArray';
  readonly rules?: ValueRules;
  /** The name under which OpenAPI and protobuf know a type of its own (Quantity, Time …); plain scalars have none. */
  readonly name?: string;
  /** For the `schemaOr*` unions: the struct that is one side of them. */
  readonly of?: () => StructSchema;
}

export interface ListSchema {
  readonly is: 'list';
  readonly item: AnySchema;
  readonly rules?: ValueRules;
  /** A named Go slice type: in protobuf a message with the items in field 1. */
  readonly wrapped?: string;
  /** Items are pointers or already named: OpenAPI publishes no default for them. */
  readonly itemsNullable?: boolean;
  /** The same as the rule of a field, for lists of a custom resource that may stand inside maps and other lists. */
  readonly merge?: FieldRules['merge'];
}

export interface MapSchema {
  readonly is: 'map';
  readonly value: AnySchema;
  readonly rules?: ValueRules;
  /** The same as the rule of a field, for maps of a custom resource that may stand inside maps and lists. */
  readonly atomic?: boolean;
}

export interface StructSchema {
  readonly is: 'struct';
  /** OpenAPI name, e.g. `io.k8s.api.core.v1.Pod`; empty for the anonymous objects of a custom resource. */
  readonly name: string;
  /** Built on first use: declaring all kinds must cost nothing at boot. */
  readonly fields: FieldTable;
  readonly options: StructOptions;
  readonly rules?: ValueRules;
}

export interface StructOptions {
  /** Has `kind` and `apiVersion`: is a root object. */
  readonly root?: boolean;
  /** Full protobuf message name where it is not derived from the OpenAPI name. */
  readonly proto?: string;
  /** Server-side apply treats the struct as one value. */
  readonly atomic?: boolean;
  /** x-kubernetes-unions, as published. */
  readonly unions?: readonly object[];
  /** Known to protobuf only; OpenAPI does not publish it. */
  readonly unpublished?: boolean;
  /** Group, version, kind, when the struct is published as one (`x-kubernetes-group-version-kind`). */
  readonly gvks?: readonly (readonly [group: string, version: string, kind: string])[];
  /** x-kubernetes-preserve-unknown-fields: fields that are not declared stay. */
  readonly preserveUnknown?: boolean;
  /** x-kubernetes-embedded-resource: the value is a whole object with its own kind, apiVersion and metadata. */
  readonly embeddedResource?: boolean;
  /** The OpenAPI schema that a custom resource's author wrote: OpenAPI publishes it in place of the fields. */
  readonly source?: Readonly<Record<string, unknown>>;
}

/** What a custom resource's OpenAPI schema can demand of any value (built-in kinds say such things in their rules). */
export interface ValueRules {
  /** No type is said: values of every type are taken, and the other rules look at those they fit. */
  readonly untyped?: boolean;
  readonly nullable?: boolean;
  /** `additionalProperties: false`: an object without members. */
  readonly closed?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Members that must be there, declared or not. */
  readonly required?: readonly string[];
  /** allOf, anyOf, oneOf and not, which only validate; kept in their OpenAPI form. */
  readonly junctors?: { readonly [junctor: string]: unknown };
  /** x-kubernetes-validations, compiled by the CEL layer. */
  readonly validations?: readonly unknown[];
}

export type Presence =
  /** A value, always written. */
  | 'required'
  /** A value, left out when it is zero (struct values are always written). */
  | 'optional'
  /** A pointer: absent, or present even when zero. */
  | 'pointer';

export interface Field<T, P extends Presence> {
  readonly tag: number;
  readonly schema: AnySchema;
  readonly presence: P;
  readonly rules: FieldRules;
  /** The embedded Go struct this field comes from: JSON shows it in the parent, protobuf as a message under its own tag. */
  readonly via?: { readonly tag: number; readonly protoName: string; readonly struct: StructSchema };
  readonly _type?: T;
}

export type AnyField = Field<unknown, Presence>;

export interface FieldRules {
  /** The value the server fills in when the field is empty; published too. */
  readonly default?: string | number | boolean;
  /** What OpenAPI publishes as default where that is not the zero value of a non-pointer field. */
  readonly published?: string | number | boolean | null;
  readonly enum?: readonly string[];
  /** How two lists become one: as a whole, as a set, or item by item under keys. Absent: not declared (acts as atomic). */
  readonly merge?: 'atomic' | 'set' | { readonly keys: readonly string[] };
  /** The map or struct is one value for server-side apply. */
  readonly atomic?: boolean;
  /** Strategic merge patch: `merge`, `replace`, `retainKeys`, and the key under which list items meet. */
  readonly patch?: { readonly strategy?: string; readonly key?: string };
  /** Written in every case though not required, or left out when empty though required: where Go's tags disagree with OpenAPI. */
  readonly written?: 'always' | 'nonempty' | 'nonzero';
  /** The kind is stored as JSON, which tells an empty list from none. */
  readonly keepsEmpty?: boolean;
  /** OpenAPI calls the field required although its presence is optional or pointer. */
  readonly mandatory?: boolean;
  /** Name of the protobuf field where it is not the JSON name. */
  readonly protoName?: string;
  /** How Go prints the type of the field (`v1.Protocol`) where it does not follow from the schema; decoding errors show it. */
  readonly goType?: string;
}

export const string: Schema<string> = { is: 'string' };
export const boolean: Schema<boolean> = { is: 'boolean' };
export const int32: Schema<number> = { is: 'int32' };
/** Held as a bigint beyond 2^53; typed as number because arithmetic on such values is refused by validation anyway. */
export const int64: Schema<number> = { is: 'int64' };
export const double: Schema<number> = { is: 'double' };
export const bytes: Schema<string> = { is: 'bytes' };
export const quantity: Schema<string> = { is: 'quantity', name: 'io.k8s.apimachinery.pkg.api.resource.Quantity' };
export const intOrString: Schema<number | string> = { is: 'intOrString', name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString' };
export const time: Schema<string> = { is: 'time', name: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time' };
export const microTime: Schema<string> = { is: 'microTime', name: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime' };
export const duration: Schema<string> = { is: 'duration', name: 'io.k8s.apimachinery.pkg.apis.meta.v1.Duration' };
export const rawExtension: Schema<Record<string, unknown>> = { is: 'rawExtension', name: 'io.k8s.apimachinery.pkg.runtime.RawExtension' };
export const fieldsV1: Schema<Record<string, unknown>> = { is: 'fieldsV1', name: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1' };
export const json: Schema<unknown> = { is: 'json', name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON' };

export function list<T>(item: Schema<T>, options: Pick<ListSchema, 'wrapped' | 'itemsNullable'> = {}): Schema<T[]> {
  return { is: 'list', item, ...options };
}

export function map<T>(value: Schema<T>): Schema<Record<string, T>> {
  return { is: 'map', value };
}

/** Says which interface a struct stands for, so that hovers and errors read `Container`, not its expansion. */
export function ref<T>(schema: AnySchema): Schema<T> {
  return schema;
}

export function required<T>(tag: number, schema: Schema<T>, rules: FieldRules = {}): Field<T, 'required'> {
  return { tag, schema, presence: 'required', rules };
}

export function optional<T>(tag: number, schema: Schema<T>, rules: FieldRules = {}): Field<T, 'optional'> {
  return { tag, schema, presence: 'optional', rules };
}

export function pointer<T>(tag: number, schema: Schema<T>, rules: FieldRules = {}): Field<T, 'pointer'> {
  return { tag, schema, presence: 'pointer', rules };
}

/** A struct value that is always there, `{}` at least: `metadata`, `spec`, `status`. */
export function embedded<T>(tag: number, schema: Schema<T>, rules: FieldRules = {}): Field<T, 'required'> {
  return { tag, schema, presence: 'optional', rules } as unknown as Field<T, 'required'>;
}

/** A struct together with the static form of its field table. */
export type Struct<F> = StructSchema & { readonly _fields?: F; readonly _type?: TypeOf<F> };
export type RootStruct<F> = StructSchema & { readonly _fields?: F; readonly _type?: TypeMeta & TypeOf<F> };
export type FieldTable = Readonly<Record<string, AnyField>>;

export function struct<F extends FieldTable>(name: string, fields: () => F, options: StructOptions = {}): Struct<F> {
  return new LazyStruct(name, fields, options);
}

/** A root object: `kind` and `apiVersion` stand before the declared fields. */
export function rootStruct<F extends FieldTable>(name: string, fields: () => F, options: StructOptions = {}): RootStruct<F> {
  return new LazyStruct(name, fields, { ...options, root: true });
}

/** The fields of a struct that Go embeds: spread into the parent's table. */
export function inline<F>(tag: number, protoName: string, source: Struct<F>): F {
  const via = { tag, protoName, struct: source };
  return Object.fromEntries(Object.entries(source.fields).map(([name, field]) => [name, { ...field, via }])) as F;
}

export interface TypeMeta {
  kind?: string;
  apiVersion?: string;
}

class LazyStruct implements StructSchema {
  readonly is = 'struct';
  readonly name: string;
  readonly options: StructOptions;
  readonly #build: () => FieldTable;
  #fields: FieldTable | undefined;

  constructor(name: string, build: () => FieldTable, options: StructOptions) {
    this.name = name;
    this.#build = build;
    this.options = options;
  }

  get fields(): FieldTable {
    this.#fields ??= this.#build();
    return this.#fields;
  }
}

export type Infer<S> = S extends { readonly _type?: infer T } ? NonNullable<T> : never;

type ValueOf<F> = F extends Field<infer T, Presence> ? T : never;
/** Decoding fills in the zero value of required scalars and structs; lists and maps may be missing all the same. */
type PresentKeys<F> = { [K in keyof F]: F[K] extends Field<infer T, 'required'> ? (IsCollection<T> extends true ? never : K) : never }[keyof F];
type IsCollection<T> = T extends readonly unknown[] ? true : string extends keyof T ? true : false;
type TypeOf<F> = Flatten<{ [K in PresentKeys<F>]: ValueOf<F[K]> } & { [K in Exclude<keyof F, PresentKeys<F>>]?: ValueOf<F[K]> | undefined }>;
type Flatten<T> = { [K in keyof T]: T[K] };
