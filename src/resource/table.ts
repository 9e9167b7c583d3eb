// The Table form of objects: what `kubectl get` prints.
import type { KubernetesObject, ObjectMeta } from '#api/object.ts';
import type { Column, RowCondition } from '#resource/column.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRow {
  cells: unknown[];
  conditions?: readonly RowCondition[];
  object?: object;
}

export interface Table {
  kind: 'Table';
  apiVersion: string;
  metadata: object;
  columnDefinitions: readonly object[] | null;
  rows: TableRow[] | null;
}

export interface TableOptions {
  readonly definition: Pick<ResourceDefinition, 'columns'> & Partial<Pick<ResourceDefinition, 'fieldAnnotations' | 'rowCondition'>>;
  /** `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly now: Date;
}

/** What a kind without columns of its own shows. */
const commonColumns: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object, unique within its namespace', read: ({ metadata }) => metadata.name ?? '' },
  { name: 'Created At', type: 'date', description: 'When the object was created', read: ({ metadata }) => metadata.creationTimestamp ?? '<unknown>' },
];

interface RowSource {
  readonly stored: KubernetesObject;
  readonly shown: () => KubernetesObject;
}

/** `columns` and row objects come from the stored version; `shown` are the same objects in the version of the request. */
export function tableOf(items: readonly RowSource[], metadata: object, options: TableOptions): Table {
  const columns = options.definition.columns ?? commonColumns;
  return {
    kind: 'Table',
    apiVersion: options.apiVersion,
    metadata,
    columnDefinitions: columns.filter(({ undeclared }) => !undeclared).map(columnDefinition),
    // A kind without columns of its own prints null for no rows, as the original's generic printer does.
    rows:
      columns === commonColumns && items.length === 0
        ? null
        : inOrder(columns, items, options).map(({ stored, shown }) => rowOf(columns, stored, shown, options)),
  };
}

function inOrder(columns: readonly Column[], items: readonly RowSource[], options: TableOptions): readonly RowSource[] {
  const rankOf = rowRank(columns, options);
  return rankOf === undefined ? items : items.toSorted((a, b) => rankOf(a.stored) - rankOf(b.stored));
}

/** By what rows are ordered, where that is not the order of the list. */
export function rowRank(columns: readonly Column[] | undefined, options: TableOptions): ((object: KubernetesObject) => number) | undefined {
  const column = columns?.find(({ ordersRows }) => ordersRows);
  return column && ((object) => Number(column.read(object, options)));
}

function columnDefinition({ name, type, format = '', description = '', priority = 0 }: Column): object {
  return { name, type, format, description, priority };
}

function rowOf(columns: readonly Column[], stored: KubernetesObject, shown: () => KubernetesObject, options: TableOptions): TableRow {
  const head = headOf(columns, stored, options);
  if (options.includeObject === 'None') return { ...head, object: null as unknown as object };
  return { ...head, object: options.includeObject === 'Object' ? shown() : partialMetadata(stored, options) };
}

/** A row without its object. */
export function rowHead(stored: KubernetesObject, options: TableOptions): TableRow {
  return headOf(options.definition.columns ?? commonColumns, stored, options);
}

function headOf(columns: readonly Column[], stored: KubernetesObject, options: TableOptions): TableRow {
  const cells = columns.map((column) => column.read(stored, options));
  const condition = options.definition.rowCondition?.(stored);
  return condition === undefined ? { cells } : { cells, conditions: [condition] };
}

interface PartialOptions {
  readonly definition: Pick<ResourceDefinition, 'fieldAnnotations'>;
  readonly apiVersion: string;
}

/** An object reduced to its metadata. */
export function partialMetadata(
  { metadata }: KubernetesObject,
  { definition, apiVersion }: PartialOptions,
): { kind: string; apiVersion: string; metadata: object } {
  const shown = definition.fieldAnnotations === undefined ? metadata : withoutAnnotations(metadata, definition.fieldAnnotations);
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: shown };
}

function withoutAnnotations(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const left = Object.entries(metadata.annotations ?? {}).filter(([name]) => !names.includes(name));
  return { ...metadata, annotations: left.length === 0 ? undefined : Object.fromEntries(left) };
}
