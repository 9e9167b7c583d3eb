// The columns of a custom resource: its name, then what the definition asks for, or its age.
import type { KubernetesObject } from '#api/object.ts';
import type { CustomResourceColumnDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { ageOf } from '#kinds/rules/age.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import type { Column, ColumnContext } from '#resource/column.ts';
import { compileJsonPath, type JsonPath } from '#resource/json-path.ts';
import { jsonText } from '#schema/protobuf/protobuf-json.ts';

const ageDefinition: CustomResourceColumnDefinition = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

export function printerColumns(definitions: readonly CustomResourceColumnDefinition[] | undefined): readonly Column[] {
  return [nameColumn<KubernetesObject>(), ...(definitions?.length ? definitions : [ageDefinition]).map(columnOf)];
}

function columnOf({ name, type, format, description, priority, jsonPath }: CustomResourceColumnDefinition): Column {
  let path: JsonPath | undefined;
  return {
    name,
    type: type as Column['type'],
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
    ...(priority !== undefined && { priority }),
    read: (object, context) => {
      path ??= compileJsonPath(jsonPath);
      return cellOf(path, type, object, context);
    },
  };
}

/** No cell where the path leads nowhere, or cannot be followed in this object. */
function cellOf(path: JsonPath, type: string, object: KubernetesObject, context: ColumnContext): unknown {
  let values: readonly unknown[];
  try {
    values = path(object);
  } catch {
    return null;
  }
  // Paths are simple: where one leads to several values, the first is shown.
  if (values.length === 0) return null;
  return type === 'string' ? printed(values[0]) : typedCell(type, values[0], context);
}

function typedCell(type: string, value: unknown, context: ColumnContext): unknown {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, context) : null;
    default:
      return null;
  }
}

function dateCell(text: string, context: ColumnContext): string {
  return Number.isNaN(Date.parse(text)) ? '<invalid>' : ageOf(text, context);
}

/** As client-go's JSONPath prints a value. */
function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return jsonText(value);
}
