import { Condition } from '#kinds/meta/v1/condition.ts';
import { GroupResource } from '#kinds/meta/v1/group-version.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const StorageVersionMigration = rootStruct(
  'io.k8s.api.storagemigration.v1beta1.StorageVersionMigration',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<StorageVersionMigrationSpec>(StorageVersionMigrationSpec)),
    status: embedded(3, ref<StorageVersionMigrationStatus>(StorageVersionMigrationStatus)),
  }),
  { gvks: [['storagemigration.k8s.io', 'v1beta1', 'StorageVersionMigration']] },
);
export interface StorageVersionMigration extends Infer<typeof StorageVersionMigration> {}

export const StorageVersionMigrationList = rootStruct(
  'io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<StorageVersionMigration>(StorageVersionMigration))),
  }),
  { gvks: [['storagemigration.k8s.io', 'v1beta1', 'StorageVersionMigrationList']] },
);
export interface StorageVersionMigrationList extends Infer<typeof StorageVersionMigrationList> {}

export const StorageVersionMigrationSpec = struct('io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationSpec', () => ({
  resource: required(1, ref<GroupResource>(GroupResource)),
}));
export interface StorageVersionMigrationSpec extends Infer<typeof StorageVersionMigrationSpec> {}

export const StorageVersionMigrationStatus = struct('io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationStatus', () => ({
  conditions: optional(1, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  resourceVersion: optional(2, string),
}));
export interface StorageVersionMigrationStatus extends Infer<typeof StorageVersionMigrationStatus> {}
