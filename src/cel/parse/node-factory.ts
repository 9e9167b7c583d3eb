/** Makes nodes with fresh ids and remembers where in the source each belongs. */
import type { CallExpr, Expr } from '../ast.ts';
import type { CelValue } from '../value.ts';

export class NodeFactory {
  readonly positions = new Map<number, number>();
  #nextId = 1;

  /** A fresh id at an offset of the source. */
  id(offset: number): number {
    const id = this.#nextId++;
    this.positions.set(id, offset);
    return id;
  }

  offsetOf(expr: Expr): number {
    return this.positions.get(expr.id) ?? 0;
  }

  constant(offset: number, value: CelValue): Expr {
    return { kind: 'constant', id: this.id(offset), value };
  }

  call(id: number, name: string, args: readonly Expr[], target?: Expr): CallExpr {
    return { kind: 'call', id, function: name, target, args };
  }

  /** A copy whose nodes have ids of their own, at the places of the originals. */
  copy(expr: Expr): Expr {
    const id = this.id(this.offsetOf(expr));
    switch (expr.kind) {
      case 'constant':
      case 'ident':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: this.copy(expr.operand) };
      case 'call':
        return { ...expr, id, target: expr.target === undefined ? undefined : this.copy(expr.target), args: expr.args.map((arg) => this.copy(arg)) };
      case 'list':
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case 'map':
        return {
          ...expr,
          id,
          entries: expr.entries.map((entry) => ({ ...entry, id: this.#copyId(entry.id), key: this.copy(entry.key), value: this.copy(entry.value) })),
        };
      case 'struct':
        return { ...expr, id, fields: expr.fields.map((field) => ({ ...field, id: this.#copyId(field.id), value: this.copy(field.value) })) };
      case 'comprehension':
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          accumulatorInit: this.copy(expr.accumulatorInit),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
    }
  }

  #copyId(id: number): number {
    return this.id(this.positions.get(id) ?? 0);
  }
}
