import { boolean, type Infer, inline, optional, pointer, required, string, struct } from '#schema/build.ts';

export const LocalObjectReference = struct(
  'io.k8s.api.core.v1.LocalObjectReference',
  () => ({
    name: optional(1, string, { published: '' }),
  }),
  { atomic: true },
);
export interface LocalObjectReference extends Infer<typeof LocalObjectReference> {}

export const TypedLocalObjectReference = struct(
  'io.k8s.api.core.v1.TypedLocalObjectReference',
  () => ({
    apiGroup: pointer(1, string, { written: 'always' }),
    kind: required(2, string),
    name: required(3, string),
  }),
  { atomic: true },
);
export interface TypedLocalObjectReference extends Infer<typeof TypedLocalObjectReference> {}

export const TypedObjectReference = struct('io.k8s.api.core.v1.TypedObjectReference', () => ({
  apiGroup: pointer(1, string, { written: 'always' }),
  kind: required(2, string),
  name: required(3, string),
  namespace: pointer(4, string),
}));
export interface TypedObjectReference extends Infer<typeof TypedObjectReference> {}

export const ConfigMapKeySelector = struct(
  'io.k8s.api.core.v1.ConfigMapKeySelector',
  () => ({
    ...inline(1, 'localObjectReference', LocalObjectReference),
    key: required(2, string),
    optional: pointer(3, boolean),
  }),
  { atomic: true },
);
export interface ConfigMapKeySelector extends Infer<typeof ConfigMapKeySelector> {}

export const SecretKeySelector = struct(
  'io.k8s.api.core.v1.SecretKeySelector',
  () => ({
    ...inline(1, 'localObjectReference', LocalObjectReference),
    key: required(2, string),
    optional: pointer(3, boolean),
  }),
  { atomic: true },
);
export interface SecretKeySelector extends Infer<typeof SecretKeySelector> {}

export const ObjectReference = struct(
  'io.k8s.api.core.v1.ObjectReference',
  () => ({
    kind: optional(1, string),
    namespace: optional(2, string),
    name: optional(3, string),
    uid: optional(4, string, { goType: 'types.UID' }),
    apiVersion: optional(5, string),
    resourceVersion: optional(6, string),
    fieldPath: optional(7, string),
  }),
  { atomic: true },
);
export interface ObjectReference extends Infer<typeof ObjectReference> {}

export const SecretReference = struct(
  'io.k8s.api.core.v1.SecretReference',
  () => ({
    name: optional(1, string),
    namespace: optional(2, string),
  }),
  { atomic: true },
);
export interface SecretReference extends Infer<typeof SecretReference> {}
