// Configuration files are read strictly: a field that nobody knows, or a value of another type, is a mistake of the operator.

export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly listOf: Shape }
  | { readonly mapOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

/** What is wrong with a value, each with the path it is at; nothing when it has the shape. Absent and null fit every shape. */
export function misfits(value: unknown, shape: Shape, path = ''): readonly string[] {
  if (value === undefined || value === null) return [];
  if (shape === 'text') return typeof value === 'string' ? [] : [`${path}: must be a string`];
  if (shape === 'number') return typeof value === 'number' ? [] : [`${path}: must be a number`];
  if (shape === 'boolean') return typeof value === 'boolean' ? [] : [`${path}: must be true or false`];
  if ('listOf' in shape) {
    if (!Array.isArray(value)) return [`${path}: must be a list`];
    return value.flatMap((item, index) => misfits(item, shape.listOf, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || Array.isArray(value)) return [`${path || 'configuration'}: must be an object`];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const expected = 'mapOf' in shape ? shape.mapOf : shape.fields[name];
    return expected === undefined ? [`unknown field "${at}"`] : misfits(member, expected, at);
  });
}
