import { type Infer, int64, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const ListMeta = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta', () => ({
  selfLink: optional(1, string),
  resourceVersion: optional(2, string),
  continue: optional(3, string),
  remainingItemCount: pointer(4, int64),
  shardInfo: pointer(5, ref<ShardInfo>(ShardInfo)),
}));
export interface ListMeta extends Infer<typeof ListMeta> {}

export const ShardInfo = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ShardInfo', () => ({
  selector: required(1, string),
}));
export interface ShardInfo extends Infer<typeof ShardInfo> {}
