// A column of the Table representation (`kubectl get`).
import type { KubernetesObject } from '#api/object.ts';

export interface Column<T = KubernetesObject> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date' | 'number';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. Default: 0. */
  readonly priority?: number;
  /** The original writes a cell without saying what it is. */
  readonly undeclared?: boolean;
  /** The rows of a list stand in the order of this column, which holds numbers; otherwise in the order of the list. */
  readonly ordersRows?: true;
  readonly read: (object: T, context: ColumnContext) => unknown;
}

export interface ColumnContext {
  readonly now: Date;
}

/** What a Table says about a whole row. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}
