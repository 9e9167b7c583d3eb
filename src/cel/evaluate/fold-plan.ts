/** Comprehensions: the loop all macros become, with checkpoints for runs that are suspended. */
import { ArrayList, CelError, type CelList, type CelValue, type Result, isList, isMap, typeNameOf } from '../value.ts';
import { concatLists } from '../standard/arithmetic.ts';
import { ValueMap } from '../standard/value-map.ts';
import { type Checkpoint, type EvaluationState, type Evaluator, type Iterated, newCheckpoint, type Slot } from './evaluation-state.ts';
import { attributePlan, type Plan } from './plan.ts';

export interface FoldParts {
  readonly nodeId: number;
  readonly range: Evaluator;
  readonly init: Evaluator;
  readonly condition: Evaluator;
  readonly step: Evaluator;
  readonly result: Evaluator;
  /** Slots of the accumulator and the iteration variables. */
  readonly accumulator: number;
  readonly variable: number;
  readonly variable2: number | undefined;
}

export function foldPlan(parts: FoldParts): Plan {
  return {
    evaluate: (state) => (state.checkpoint === undefined ? folded(parts, state, undefined) : resumed(parts, state, state.checkpoint)),
  };
}

/** A fold over nothing only names a value; the value is computed when it is first asked for. */
export function bindingPlan(slot: number, result: Evaluator): Plan {
  return {
    evaluate: (state) => {
      state.slots[slot] = undefined;
      return result(state);
    },
  };
}

/** A variable of a comprehension; one that only names a value is computed here. */
export function slotPlan(slot: number, init: Evaluator | undefined): Plan {
  return attributePlan((state) => {
    const value = state.slots[slot];
    if (value === undefined) {
      const made = init === undefined ? new CelError('no such attribute') : init(state);
      state.slots[slot] = made;
      return made;
    }
    return value;
  }, false);
}

/** Goes on from the checkpoint of an earlier run, or answers what that run came to. */
function resumed(parts: FoldParts, state: EvaluationState, outer: Checkpoint): Result {
  const mine = outer.inner.get(parts.nodeId) ?? newCheckpoint();
  outer.inner.set(parts.nodeId, mine);
  if (mine.outcome !== undefined) {
    state.cost += mine.spent;
    return mine.outcome;
  }
  const costBefore = state.cost;
  state.checkpoint = mine;
  try {
    mine.outcome = folded(parts, state, mine);
  } finally {
    state.checkpoint = outer;
  }
  mine.spent = state.cost - costBefore;
  mine.inner.clear();
  return mine.outcome;
}

function folded(parts: FoldParts, state: EvaluationState, checkpoint: Checkpoint | undefined): Result {
  const { slots } = state;
  const costBefore = state.cost;
  const iterated = checkpoint?.iterated ?? iterate(parts.range(state));
  if (iterated instanceof CelError) return iterated;
  const keep = (next: number): void => {
    if (checkpoint === undefined) return;
    checkpoint.next = next;
    checkpoint.accumulator = slots[parts.accumulator];
    checkpoint.spent = state.cost - costBefore;
    checkpoint.inner.clear();
  };
  if (checkpoint?.iterated === undefined) {
    slots[parts.accumulator] = growable(parts.init(state));
    if (checkpoint !== undefined) checkpoint.iterated = iterated;
    keep(0);
  } else {
    slots[parts.accumulator] = checkpoint.accumulator;
    state.cost = costBefore + checkpoint.spent;
  }
  for (let index = checkpoint?.next ?? 0; index < iterated.size; index++) {
    state.betweenIterations();
    bindVariables(parts, slots, iterated, index);
    // Only a plain false ends a fold.
    if (parts.condition(state) === false) break;
    // The accumulator keeps an error as its value: `all` and `exists` may still absorb it.
    slots[parts.accumulator] = parts.step(state);
    keep(index + 1);
  }
  return settled(parts.result(state));
}

function iterate(range: Result): Iterated | CelError {
  if (range instanceof CelError) return range;
  if (isList(range)) return { range, keys: undefined, size: range.size() };
  if (!isMap(range)) return new CelError(`got '${goTypeName(range)}', expected iterable type`);
  const keys = [...range.keys()];
  return { range, keys, size: keys.length };
}

function bindVariables(parts: FoldParts, slots: Slot[], { range, keys }: Iterated, index: number): void {
  if (keys !== undefined) {
    const key = keys[index] ?? null;
    slots[parts.variable] = key;
    if (parts.variable2 !== undefined && isMap(range)) slots[parts.variable2] = range.get(key) ?? null;
    return;
  }
  if (!isList(range)) return;
  if (parts.variable2 === undefined) slots[parts.variable] = range.get(index);
  else {
    slots[parts.variable] = BigInt(index);
    slots[parts.variable2] = range.get(index);
  }
}

/** A list that grows in place while it is accumulated; expressions see it only when the fold is done. */
class GrowingList implements CelList {
  readonly kind = 'list';
  readonly elements: CelValue[] = [];

  size(): number {
    return this.elements.length;
  }

  get(index: number): CelValue {
    return this.elements[index] ?? null;
  }

  [Symbol.iterator](): Iterator<CelValue> {
    return this.elements[Symbol.iterator]();
  }
}

function growable(init: Result): Result {
  return !(init instanceof CelError) && isList(init) && init.size() === 0 ? new GrowingList() : init;
}

function settled(result: Result): Result {
  if (result instanceof GrowingList) return new ArrayList(result.elements);
  return result instanceof ValueMap ? result.settle() : result;
}

/** `accumulator + [element]` of map, filter and transformList: appends in place. `cost` is that of the list and of the addition. */
export function appendPlan(accumulator: Plan, element: Plan, cost: number): Plan {
  const read = accumulator.evaluate;
  const make = element.evaluate;
  return {
    evaluate: (state) => {
      state.cost += cost;
      const list = read(state);
      const value = make(state);
      if (list instanceof CelError) return list;
      if (value instanceof CelError) return value;
      if (!isList(list)) return new CelError('no such overload');
      if (!(list instanceof GrowingList)) return concatLists(list, new ArrayList([value]));
      list.elements.push(value);
      return list;
    },
  };
}

const goTypeNames: Readonly<Record<string, string>> = {
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  string: 'types.String',
  bytes: 'types.Bytes',
  null_type: 'types.Null',
  optional_type: '*types.Optional',
  type: '*types.Type',
  'google.protobuf.Timestamp': 'types.Timestamp',
  'google.protobuf.Duration': 'types.Duration',
};

/** What Go's `%T` prints of cel-go's values. */
function goTypeName(value: CelValue): string {
  const name = typeNameOf(value);
  return goTypeNames[name] ?? name;
}
