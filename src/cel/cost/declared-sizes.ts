import type { SizeEstimator } from '#cel/cost/cost-node.ts';

/** A declared type by the most that its values can hold (apiserver's DeclType.MaxElements): 0 where values have no size. */
export interface DeclaredSize {
  readonly maxElements: number;
  /** Of a list, or the values of a map. */
  readonly element?: DeclaredSize;
  readonly key?: DeclaredSize;
  readonly fields?: ReadonlyMap<string, DeclaredSize>;
}

/** Sizes of what the variables of a rule lead to. All of them (`self`, `oldSelf`) are of the root's type. */
export function sizesOf(root: DeclaredSize): SizeEstimator {
  return ({ path }) => {
    if (path === undefined) return undefined;
    let current: DeclaredSize | undefined = root;
    for (const step of path.slice(1)) current = current === undefined ? undefined : stepInto(current, step);
    return current === undefined ? undefined : { min: 0, max: current.maxElements };
  };
}

function stepInto(size: DeclaredSize, step: string): DeclaredSize | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return size.element;
    case '@keys':
      return size.key;
    default:
      return size.fields?.get(step);
  }
}
