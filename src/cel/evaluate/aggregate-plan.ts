/** Lists, maps and objects written in expressions, with optional elements and entries. */
import { formatValue } from '../standard/format-value.ts';
import { ValueMap } from '../standard/value-map.ts';
import { ArrayList, CelError, type CelValue, Optional } from '../value.ts';
import type { Plan } from './plan.ts';

/** cel-go's base costs of making an aggregate. */
export const aggregateCosts = { list: 10, map: 30, struct: 40 } as const;

export function listPlan(elements: readonly Plan[], optionalIndices: readonly number[]): Plan {
  const evaluators = elements.map((element) => element.evaluate);
  if (optionalIndices.length === 0) {
    return {
      evaluate: (state) => {
        state.cost += aggregateCosts.list;
        return new ArrayList(evaluators.map((evaluate) => evaluate(state)));
      },
    };
  }
  const optional = new Set(optionalIndices);
  return {
    evaluate: (state) => {
      state.cost += aggregateCosts.list;
      const values: CelValue[] = [];
      evaluators.forEach((evaluate, index) => {
        const value = evaluate(state);
        const kept = optional.has(index)
          ? unwrapped(value, () => `cannot initialize optional list element from non-optional value ${formatValue(value)}`)
          : value;
        if (kept !== undefined) values.push(kept);
      });
      return new ArrayList(values);
    },
  };
}

export interface EntryPlan {
  readonly key: Plan;
  readonly value: Plan;
  readonly optional: boolean;
}

export function mapPlan(entries: readonly EntryPlan[]): Plan {
  return {
    evaluate: (state) => {
      state.cost += aggregateCosts.map;
      const map = new ValueMap();
      for (const entry of entries) {
        const key = entry.key.evaluate(state);
        const value = entry.value.evaluate(state);
        const kept = entry.optional ? unwrapped(value, () => nonOptionalEntry(formatValue(key), value)) : value;
        if (kept === undefined) map.delete(key);
        else map.insert(key, kept);
      }
      return map;
    },
  };
}

export interface FieldPlan {
  readonly name: string;
  readonly value: Plan;
  readonly optional: boolean;
}

export function structPlan(fields: readonly FieldPlan[], create: (fields: ReadonlyMap<string, CelValue>) => CelValue): Plan {
  return {
    evaluate: (state) => {
      state.cost += aggregateCosts.struct;
      const values = new Map<string, CelValue>();
      for (const field of fields) {
        const value = field.value.evaluate(state);
        const kept = field.optional ? unwrapped(value, () => nonOptionalEntry(field.name, value)) : value;
        if (kept === undefined) values.delete(field.name);
        else values.set(field.name, kept);
      }
      return create(values);
    },
  };
}

/** The value of an optional, undefined for none. */
function unwrapped(value: CelValue, message: () => string): CelValue | undefined {
  if (!(value instanceof Optional)) throw new CelError(message());
  return value.value;
}

function nonOptionalEntry(key: string, value: CelValue): string {
  return `cannot initialize optional entry '${key}' from non-optional value ${formatValue(value)}`;
}
