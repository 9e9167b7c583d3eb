// The columns of a custom resource: its name, then what the definition asks for, or its age.
import type { KubernetesObject } from '#api/object.ts';
import type { CustomResourceColumnDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { ageOf } from '#kinds/rules/age.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import type { Column, ColumnContext } from '#resource/column.ts';
import { compileJsonPath, type JsonPath, JsonPathError } from '#resource/json-path.ts';
import { writeSorted } from '#schema/json/json-text.ts';

const ageDefinition: CustomResourceColumnDefinition = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

export function printerColumns(definitions: readonly CustomResourceColumnDefinition[] | undefined): readonly Column[] {
  return [
    nameColumn<KubernetesObject>(),
    ...readable(definitions?.length ? definitions : [ageDefinition]).map((one) => columnOf(one === ageDefinition ? one : explained(one))),
  ];
}

/** A path that cannot be read ends the columns. */
function readable(definitions: readonly CustomResourceColumnDefinition[]): readonly CustomResourceColumnDefinition[] {
  const broken = definitions.findIndex((one) => !canBeRead(one));
  return broken < 0 ? definitions : definitions.slice(0, broken);
}

function canBeRead({ jsonPath }: CustomResourceColumnDefinition): boolean {
  try {
    compileJsonPath(jsonPath);
    return true;
  } catch (error) {
    if (error instanceof JsonPathError) return false;
    throw error;
  }
}

function explained(definition: CustomResourceColumnDefinition): CustomResourceColumnDefinition {
  return definition.description ? definition : { ...definition, description: `Custom resource definition column (in JSONPath format): ${definition.jsonPath}` };
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
      return typeof value === 'number' ? wholeNumber(value) : typeof value === 'bigint' ? value : null;
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

/** As Go converts a float: what does not fit becomes the smallest integer. */
function wholeNumber(value: number): number | bigint {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2n ** 63n);
}

const timeText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function dateCell(text: string, context: ColumnContext): string {
  if (text === '' || text === 'null') return '<unknown>';
  return !timeText.test(text) || Number.isNaN(Date.parse(text)) ? '<invalid>' : ageOf(text, context);
}

/** As client-go's JSONPath prints a value. */
function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '<no value>';
  return writeSorted(value);
}
