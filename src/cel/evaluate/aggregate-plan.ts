/** Lists, maps and objects written in expressions, with optional elements and entries. */
import { formatValue } from '../standard/format-value.ts';
import { unsupportedKey, ValueMap } from '../standard/value-map.ts';
import { ArrayList, CelError, type CelValue, Optional } from '../value.ts';
import { attempt, type Plan } from './plan.ts';

/** cel-go's base costs of making an aggregate. */
export const aggregateCosts = { list: 10, map: 30, struct: 40 } as const;

export function listPlan(elements: readonly Plan[], optionalIndices: readonly number[]): Plan {
  const evaluators = elements.map((element) => element.evaluate);
  const optional = new Set(optionalIndices);
  return {
    evaluate: (state) => {
      state.cost += aggregateCosts.list;
      const values: CelValue[] = [];
      for (let index = 0; index < evaluators.length; index++) {
        const value = evaluators[index]?.(state) ?? null;
        if (value instanceof CelError) return value;
        if (!optional.has(index)) values.push(value);
        else if (!(value instanceof Optional)) return new CelError(`cannot initialize optional list element from non-optional value ${formatValue(value)}`);
        else if (value.value !== undefined) values.push(value.value);
      }
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
        if (key instanceof CelError) return key;
        const value = entry.value.evaluate(state);
        if (value instanceof CelError) return value;
        if (entry.optional && !(value instanceof Optional)) return nonOptionalEntry(formatValue(key), value);
        const kept = entry.optional && value instanceof Optional ? value.value : value;
        if (kept === undefined) map.delete(key);
        else if (!map.insert(key, kept)) return unsupportedKey;
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
        if (value instanceof CelError) return value;
        if (field.optional && !(value instanceof Optional)) return nonOptionalEntry(field.name, value);
        const kept = field.optional && value instanceof Optional ? value.value : value;
        if (kept === undefined) values.delete(field.name);
        else values.set(field.name, kept);
      }
      return attempt(() => create(values));
    },
  };
}

function nonOptionalEntry(key: string, value: CelValue): CelError {
  return new CelError(`cannot initialize optional entry '${key}' from non-optional value ${formatValue(value)}`);
}
