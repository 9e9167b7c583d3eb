// The types that expressions of mutating policies build values of: JSONPatch, and `Object{spec: Object.spec{…}}` for apply configurations, whose fields are
// not known to the compiler.
import { jsonPatchTypes } from '#cel/library/json-patch.ts';
import { celEquals } from '#cel/standard/equality.ts';
import { dynType, objectType, type TypeProvider } from '#cel/type.ts';
import { type CelMap, type CelValue, isList, isMap } from '#cel/value.ts';

/** An object as an expression wrote it; its type says at which place of the whole it belongs. */
export class ApplyConfigurationValue implements CelMap {
  readonly kind = 'map';
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, CelValue>;
  constructor(typeName: string, fields: ReadonlyMap<string, CelValue>) {
    this.typeName = typeName;
    this.fields = fields;
  }
  size(): number {
    return this.fields.size;
  }
  get(key: CelValue): CelValue | undefined {
    return typeof key === 'string' ? this.fields.get(key) : undefined;
  }
  has(key: CelValue): boolean {
    return typeof key === 'string' && this.fields.has(key);
  }
  keys(): Iterable<CelValue> {
    return this.fields.keys();
  }
  equals(other: CelMap): boolean {
    if (!(other instanceof ApplyConfigurationValue) || other.typeName !== this.typeName || other.size() !== this.size()) return false;
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      if (theirs === undefined || !celEquals(value, theirs)) return false;
    }
    return true;
  }
}

export const mutationTypes: TypeProvider = {
  findType: (name) => (isObjectTypeName(name) ? objectType(name) : jsonPatchTypes.findType(name)),
  findField: (typeName, field) => (isObjectTypeName(typeName) ? dynType : jsonPatchTypes.findField(typeName, field)),
  create: (typeName, fields) =>
    isObjectTypeName(typeName) ? new ApplyConfigurationValue(typeName, fields) : (jsonPatchTypes.create?.(typeName, fields) ?? null),
};

function isObjectTypeName(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.');
}

/** Objects whose type is not that of the place they stand at; lists and maps between do not count. */
export function misplacedTypes(root: ApplyConfigurationValue): readonly string[] {
  return [...misplaced(root, [root.typeName])];
}

function* misplaced(value: CelValue, path: readonly string[]): Generator<string> {
  if (value instanceof ApplyConfigurationValue) {
    const expected = path.join('.');
    if (value.typeName !== expected)
      yield `unexpected type name "${value.typeName}", expected "${expected}", which matches field name path from root Object type`;
    for (const [name, field] of value.fields) yield* misplaced(field, [...path, name]);
  } else if (isList(value)) {
    for (const element of value) yield* misplaced(element, path);
  } else if (isMap(value)) {
    for (const key of value.keys()) yield* misplaced(value.get(key) ?? null, path);
  }
}
