// The numbers that a custom resource's Scale shows must be what a Scale can hold.
import type { FieldErrors } from '#api/field-error.ts';
import { goList, goNumber } from '#base/go-text.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CustomResourceSubresourceScale } from '#kinds/apiextensions/v1/custom-resource-definition.ts';

const mostReplicas = 2 ** 31 - 1;

export function validateScaleSpec(scale: CustomResourceSubresourceScale | undefined, object: KubernetesObject, errors: FieldErrors): void {
  if (scale !== undefined) validateReplicas(scale.specReplicasPath, object, errors);
}

export function validateScaleStatus(scale: CustomResourceSubresourceScale | undefined, object: KubernetesObject, errors: FieldErrors): void {
  if (scale === undefined) return;
  validateReplicas(scale.statusReplicasPath, object, errors);
  if (scale.labelSelectorPath === undefined) return;
  const { value, problem = typeProblem(scale.labelSelectorPath, value, 'string') } = valueAt(object, scale.labelSelectorPath);
  if (problem !== undefined) errors.invalid(scale.labelSelectorPath, '', problem);
}

/** Names of fields from the root on; the leading dot of the path is not one. */
export function namesIn(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

function validateReplicas(path: string, object: KubernetesObject, errors: FieldErrors): void {
  const { value, problem = typeProblem(path, value, 'int64') } = valueAt(object, path);
  if (problem !== undefined) errors.invalid(path, 0, problem);
  else if (value === undefined) return;
  else if ((value as number) < 0) errors.invalid(path, value, 'should be a non-negative integer');
  else if ((value as number) > mostReplicas) errors.invalid(path, value, `should be less than or equal to ${mostReplicas}`);
}

interface Found {
  readonly value?: unknown;
  readonly problem?: string;
}

/** As unstructured.NestedFieldNoCopy finds it. */
function valueAt(object: KubernetesObject, path: string): Found {
  const names = namesIn(path);
  let value: unknown = object;
  for (const [depth, name] of names.entries()) {
    if (value === undefined || value === null) return {};
    if (goTypeOf(value) !== mapType) return { problem: accessorError(names.slice(0, depth + 1), value, mapType.replace(' ', '')) };
    value = (value as Record<string, unknown>)[name];
  }
  return { value };
}

const mapType = 'map[string]interface {}';

function typeProblem(path: string, value: unknown, wanted: 'int64' | 'string'): string | undefined {
  return value === undefined || goTypeOf(value) === wanted ? undefined : accessorError(namesIn(path), value, wanted);
}

function accessorError(names: readonly string[], value: unknown, wanted: string): string {
  return `.${names.join('.')} accessor error: ${goValue(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`;
}

/** Go's `%v`. */
function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return goList(value.map(goValue));
  if (typeof value !== 'object') return typeof value === 'number' ? goNumber(value) : String(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map${goList(members.map(([name, member]) => `${name}:${goValue(member)}`))}`;
}

function goTypeOf(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return 'int64';
    case 'boolean':
      return 'bool';
    case 'object':
      return mapType;
    default:
      return typeof value;
  }
}
