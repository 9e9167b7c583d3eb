import { type Infer, int32, int64, list, optional, required, string, struct } from '#schema/build.ts';

export const GroupVersion = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersion',
  () => ({
    group: required(1, string),
    version: required(2, string),
  }),
  { unpublished: true },
);
export interface GroupVersion extends Infer<typeof GroupVersion> {}

export const GroupVersionKind = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind',
  () => ({
    group: required(1, string),
    version: required(2, string),
    kind: required(3, string),
  }),
  { unpublished: true },
);
export interface GroupVersionKind extends Infer<typeof GroupVersionKind> {}

export const GroupVersionResource = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionResource',
  () => ({
    group: required(1, string),
    version: required(2, string),
    resource: required(3, string),
  }),
  { unpublished: true },
);
export interface GroupVersionResource extends Infer<typeof GroupVersionResource> {}

export const GroupResource = struct('io.k8s.apimachinery.pkg.apis.meta.v1.GroupResource', () => ({
  group: required(1, string),
  resource: required(2, string),
}));
export interface GroupResource extends Infer<typeof GroupResource> {}

export const GroupKind = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupKind',
  () => ({
    group: required(1, string),
    kind: required(2, string),
  }),
  { unpublished: true },
);
export interface GroupKind extends Infer<typeof GroupKind> {}

export const Patch = struct('io.k8s.apimachinery.pkg.apis.meta.v1.Patch', () => ({}));
export interface Patch extends Infer<typeof Patch> {}

export const RootPaths = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.RootPaths',
  () => ({
    paths: required(1, list(string), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface RootPaths extends Infer<typeof RootPaths> {}

export const Timestamp = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.Timestamp',
  () => ({
    seconds: required(1, int64),
    nanos: required(2, int32),
  }),
  { unpublished: true },
);
export interface Timestamp extends Infer<typeof Timestamp> {}

export const TypeMeta = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta',
  () => ({
    kind: optional(1, string),
    apiVersion: optional(2, string),
  }),
  { unpublished: true },
);
export interface TypeMeta extends Infer<typeof TypeMeta> {}
