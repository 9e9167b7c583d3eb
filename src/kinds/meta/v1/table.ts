import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { embedded, type Infer, int32, json, list, optional, rawExtension, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Table = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.Table',
  () => ({
    metadata: embedded(0, ref<ListMeta>(ListMeta)),
    columnDefinitions: required(0, list(ref<TableColumnDefinition>(TableColumnDefinition)), { merge: 'atomic' }),
    rows: required(0, list(ref<TableRow>(TableRow)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface Table extends Infer<typeof Table> {}

export const TableColumnDefinition = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.TableColumnDefinition',
  () => ({
    name: required(0, string),
    type: required(0, string),
    format: required(0, string),
    description: required(0, string),
    priority: required(0, int32),
  }),
  { unpublished: true },
);
export interface TableColumnDefinition extends Infer<typeof TableColumnDefinition> {}

export const TableRow = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.TableRow',
  () => ({
    cells: required(0, list(json), { merge: 'atomic', goType: '[]interface{}' }),
    conditions: optional(0, list(ref<TableRowCondition>(TableRowCondition)), { merge: 'atomic' }),
    object: optional(0, rawExtension),
  }),
  { unpublished: true },
);
export interface TableRow extends Infer<typeof TableRow> {}

export const TableRowCondition = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.TableRowCondition',
  () => ({
    type: required(0, string, { goType: 'v1.RowConditionType' }),
    status: required(0, string, { goType: 'v1.ConditionStatus' }),
    reason: optional(0, string),
    message: optional(0, string),
  }),
  { unpublished: true },
);
export interface TableRowCondition extends Infer<typeof TableRowCondition> {}
