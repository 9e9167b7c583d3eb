// The names that Go prints for the types of our tables; they appear in decoding errors.
import type { AnyField, AnySchema } from '#schema/build.ts';

/** `v1.PodSpec`, `[]string`, `map[string]string`: without the pointer. */
export function goTypeOf(schema: AnySchema): string {
  switch (schema.is) {
    case 'boolean':
      return 'bool';
    case 'double':
      return 'float64';
    case 'bytes':
      return '[]uint8';
    case 'list':
      return `[]${schema.itemsNullable === true ? '*' : ''}${goTypeOf(schema.item)}`;
    case 'map':
      return `map[string]${goTypeOf(schema.value)}`;
    case 'struct':
      return goNameOf(schema.name);
    case 'string':
    case 'int32':
    case 'int64':
      return schema.is;
    default:
      return schema.name === undefined ? schema.is : goNameOf(schema.name);
  }
}

export function goTypeOfField(field: AnyField): string {
  return field.rules.goType ?? goTypeOf(field.schema);
}

/** The type of the items of a list or map whose own type has this name. */
export function goItemType(goType: string, item: AnySchema): string {
  const match = /^(?:\[\]|map\[[^\]]*\])\*?(.+)$/.exec(goType);
  return match?.[1] ?? goTypeOf(item);
}

/** The bare name of a struct: `ObjectMeta`. */
export function goStructName(openApiName: string): string {
  return openApiName.slice(openApiName.lastIndexOf('.') + 1);
}

/** `io.k8s.api.core.v1.Pod` is `v1.Pod`. */
function goNameOf(openApiName: string): string {
  return openApiName.split('.').slice(-2).join('.');
}
