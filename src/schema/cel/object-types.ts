// The fields of an object as types of expressions, found when an expression asks for them: schemas may hold themselves (JSONSchemaProps). For those who
// only check types; rules with a cost need all of it at once (declared-type.ts).
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  type Type,
  type TypeProvider,
} from '#cel/type.ts';
import type { AnySchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { celName } from '#schema/cel/property-names.ts';

interface Known {
  /** Undefined for objects of which nothing is known, and for those that stand inside themselves, where upstream stops. */
  readonly schema: StructSchema | undefined;
  readonly within: readonly StructSchema[];
}

const unknown: Known = { schema: undefined, within: [] };

export class ObjectTypes implements TypeProvider {
  readonly type: Type;
  readonly #structs = new Map<string, Known>();

  constructor(root: StructSchema, name: string) {
    this.type = this.#objectOf(root, name, []);
  }

  findType(name: string): Type | undefined {
    return this.#structs.has(name) ? objectType(name) : undefined;
  }

  findField(name: string, field: string): Type | undefined {
    const { schema, within } = this.#structs.get(name) ?? unknown;
    const fields = schema?.fields ?? {};
    const property = Object.keys(fields).find((each) => celName(each) === field);
    const member = property === undefined ? undefined : fields[property]?.schema;
    return member && this.#typeOf(member, `${name}.${property}`, schema === undefined ? within : [...within, schema]);
  }

  /** Undefined where upstream's SchemaDeclType finds no type: of quantities, which are two, and of anything. */
  #typeOf(schema: AnySchema, name: string, within: Known['within']): Type | undefined {
    switch (schema.is) {
      case 'list': {
        const element = this.#typeOf(schema.item, `${name}.@idx`, within);
        return element && listType(element);
      }
      case 'map': {
        const element = this.#typeOf(schema.value, `${name}.@elem`, within);
        return element && mapType(stringType, element);
      }
      case 'struct':
        return this.#objectOf(within.includes(schema) ? undefined : schema, name, within);
      case 'rawExtension':
      case 'fieldsV1':
        return this.#objectOf(undefined, name, within);
      default:
        return scalarType(schema);
    }
  }

  #objectOf(schema: StructSchema | undefined, name: string, within: Known['within']): Type {
    this.#structs.set(name, { schema, within });
    return objectType(name);
  }
}

function scalarType({ is, rules }: ScalarSchema): Type | undefined {
  switch (is) {
    case 'string':
      return (rules?.format !== undefined && formats[rules.format]) || stringType;
    case 'duration':
      return stringType;
    case 'boolean':
      return boolType;
    case 'int32':
    case 'int64':
      return intType;
    case 'double':
      return doubleType;
    case 'bytes':
      return bytesType;
    case 'time':
    case 'microTime':
      return timestampType;
    case 'intOrString':
      return dynType;
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, Type>> = { byte: bytesType, duration: durationType, date: timestampType, 'date-time': timestampType };
