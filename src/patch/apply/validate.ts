// Does a value fit its topology? The refusals are those that clients of server-side apply know.
import { fieldElement, formatElement, type PathElement } from '#patch/apply/path-element.ts';
import { itemStep, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { fits } from '#patch/apply/fits.ts';
import { formatUnstructured, formatUnstructuredDetail, goTypeOf } from '#patch/go-format.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';

interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The value does not have the type its schema gives it. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
}

/** Throws for a value that does not fit. Only what clients apply may not name the same list item twice. */
export function refuseMisfit(topology: Topology, value: unknown, duplicates: 'allowed' | 'refused'): void {
  if (fits(topology, value, duplicates === 'refused')) return;
  const check: Check = { refusesTwins: duplicates === 'refused', problems: [] };
  visit(topology, value, '', check);
  if (check.problems.length > 0) throw new TypeMismatch(formatProblems(check.problems));
}

interface Check {
  readonly refusesTwins: boolean;
  readonly problems: Problem[];
}

function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? (lines[0] as string) : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}

function visit(topology: Topology, value: unknown, path: string, check: Check): void {
  if (value === null || value === undefined) return;
  switch (shapeOf(topology, value)) {
    case 'map':
      return visitMap(topology.map as MapTopology, value, path, check);
    case 'list':
      return visitList(topology.list as ListTopology, value, path, check);
    case 'scalar':
      checkScalar(topology.scalar as string, value, path, check);
  }
}

function visitMap(map: MapTopology, value: unknown, path: string, check: Check): void {
  if (!isPlainObject(value)) {
    check.problems.push({ path, message: `expected map, got ${formatUnstructured(value)}` });
    return;
  }
  if (map.deduced) return;
  visitMembers(map, value, path, check);
}

function visitMembers(map: MapTopology, value: PlainObject, path: string, check: Check): void {
  for (const key of Object.keys(value)) {
    const type = map.typeOf(key);
    if (type === undefined) {
      check.problems.push({ path: join(path, fieldElement(key)), message: 'field not declared in schema' });
      return;
    }
    visit(type, value[key], join(path, fieldElement(key)), check);
  }
}

function visitList(list: ListTopology, value: unknown, path: string, check: Check): void {
  if (!Array.isArray(value)) {
    check.problems.push({ path, message: `expected list, got ${formatUnstructured(value)}` });
    return;
  }
  const seen = new Set<PathElement>();
  for (let index = 0; index < value.length; index += 1) {
    const item: unknown = value[index];
    const step = list.atomic ? { element: `i:${index}` } : itemStep(list, item);
    if (step.element === undefined) {
      check.problems.push({ path, message: `element ${index}: ${step.problem}` });
      return;
    }
    if (!list.atomic && check.refusesTwins && seen.has(step.element))
      check.problems.push({ path, message: `duplicate entries for key ${formatElement(step.element)}` });
    seen.add(step.element);
    visit(list.item, item, join(path, step.element), check);
  }
}

function checkScalar(scalar: string, value: unknown, path: string, { problems }: Check): void {
  if (scalar === 'numeric') {
    if (typeof value !== 'number' && typeof value !== 'bigint') problems.push({ path, message: `expected numeric (int or float), got ${goTypeOf(value)}` });
  } else if (scalar === 'string') {
    if (typeof value !== 'string') problems.push({ path, message: `expected string, got ${formatUnstructuredDetail(value)}` });
  } else if (scalar === 'boolean') {
    if (typeof value !== 'boolean') problems.push({ path, message: `expected boolean, got ${formatUnstructured(value)}` });
  } else if (typeof value === 'object') problems.push({ path, message: `expected any scalar, got ${formatUnstructured(value)}` });
}

function join(path: string, element: PathElement): string {
  return `${path}${formatElement(element)}`;
}
