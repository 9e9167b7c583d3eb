// Whether an object of a built-in kind fits its topology (fits.ts). In canonical form every value has the type of its field, so that only
// items of lists can be at fault, by having no step: whatever holds no such list is never looked at.
// test/bench pays for this with every update.
import { hasStep } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, NamedField, Topology } from '#patch/apply/topology.ts';

type Check = (value: unknown) => boolean;

export function itemsHaveSteps(topology: Topology, object: unknown): boolean {
  return checkOf(topology)?.(object) ?? true;
}

const checks = new WeakMap<Topology, { readonly check: Check | undefined }>();

/** Undefined: always true. */
function checkOf(topology: Topology): Check | undefined {
  let known = checks.get(topology);
  if (known === undefined) {
    known = { check: mayFail(topology, new Set()) ? compile(topology) : undefined };
    checks.set(topology, known);
  }
  return known.check;
}

function mayFail(topology: Topology, seen: Set<Topology>): boolean {
  if (seen.has(topology)) return false;
  seen.add(topology);
  const { list, map } = topology;
  if (list !== undefined && (!list.atomic || mayFail(list.item, seen))) return true;
  return map !== undefined && typesBelow(map).some((type) => mayFail(type, seen));
}

/** A map has one type for all members, which are not known by name. */
function typesBelow({ deduced, fields, typeOf }: MapTopology): readonly Topology[] {
  if (deduced) return [];
  const types = fields === undefined ? [typeOf('')] : fields.map(({ type }) => type);
  return types.filter((type) => type !== undefined);
}

function compile({ list, map }: Topology): Check {
  const checkItems = list && itemsCheck(list);
  const checkMembers = map && (map.fields === undefined ? membersCheck(map) : fieldsCheck(map.fields));
  return (value) => {
    if (typeof value !== 'object' || value === null) return true;
    return (Array.isArray(value) ? checkItems?.(value) : checkMembers?.(value as Record<string, unknown>)) ?? true;
  };
}

function itemsCheck(list: ListTopology): (items: readonly unknown[]) => boolean {
  return (items) => {
    const check = checkOf(list.item);
    for (const item of items) if ((!list.atomic && !hasStep(list, item)) || (check !== undefined && !check(item))) return false;
    return true;
  };
}

function fieldsCheck(fields: readonly NamedField[]): (object: Readonly<Record<string, unknown>>) => boolean {
  let checked: readonly { readonly name: string; readonly check: Check }[] | undefined;
  return (object) => {
    checked ??= fields.flatMap(({ name, type }) => {
      const check = type && checkOf(type);
      return check === undefined ? [] : [{ name, check }];
    });
    for (const { name, check } of checked) if (object[name] !== undefined && !check(object[name])) return false;
    return true;
  };
}

function membersCheck({ typeOf }: MapTopology): (object: Readonly<Record<string, unknown>>) => boolean {
  return (object) => {
    for (const name in object) {
      const type = typeOf(name);
      if (type !== undefined && !(checkOf(type)?.(object[name]) ?? true)) return false;
    }
    return true;
  };
}
