import { ConfigMapKeySelector, LocalObjectReference, SecretKeySelector } from '#kinds/core/v1/references.ts';
import { boolean, type Infer, inline, optional, pointer, quantity, ref, required, string, struct } from '#schema/build.ts';

export const EnvVar = struct('io.k8s.api.core.v1.EnvVar', () => ({
  name: required(1, string),
  value: optional(2, string),
  valueFrom: pointer(3, ref<EnvVarSource>(EnvVarSource)),
}));
export interface EnvVar extends Infer<typeof EnvVar> {}

export const ObjectFieldSelector = struct(
  'io.k8s.api.core.v1.ObjectFieldSelector',
  () => ({
    apiVersion: optional(1, string),
    fieldPath: required(2, string),
  }),
  { atomic: true },
);
export interface ObjectFieldSelector extends Infer<typeof ObjectFieldSelector> {}

export const ResourceFieldSelector = struct(
  'io.k8s.api.core.v1.ResourceFieldSelector',
  () => ({
    containerName: optional(1, string),
    resource: required(2, string),
    divisor: optional(3, quantity),
  }),
  { atomic: true },
);
export interface ResourceFieldSelector extends Infer<typeof ResourceFieldSelector> {}

export const EnvFromSource = struct('io.k8s.api.core.v1.EnvFromSource', () => ({
  prefix: optional(1, string),
  configMapRef: pointer(2, ref<ConfigMapEnvSource>(ConfigMapEnvSource)),
  secretRef: pointer(3, ref<SecretEnvSource>(SecretEnvSource)),
}));
export interface EnvFromSource extends Infer<typeof EnvFromSource> {}

export const ConfigMapEnvSource = struct('io.k8s.api.core.v1.ConfigMapEnvSource', () => ({
  ...inline(1, 'localObjectReference', LocalObjectReference),
  optional: pointer(2, boolean),
}));
export interface ConfigMapEnvSource extends Infer<typeof ConfigMapEnvSource> {}

export const SecretEnvSource = struct('io.k8s.api.core.v1.SecretEnvSource', () => ({
  ...inline(1, 'localObjectReference', LocalObjectReference),
  optional: pointer(2, boolean),
}));
export interface SecretEnvSource extends Infer<typeof SecretEnvSource> {}

export const EnvVarSource = struct('io.k8s.api.core.v1.EnvVarSource', () => ({
  fieldRef: pointer(1, ref<ObjectFieldSelector>(ObjectFieldSelector)),
  resourceFieldRef: pointer(2, ref<ResourceFieldSelector>(ResourceFieldSelector)),
  configMapKeyRef: pointer(3, ref<ConfigMapKeySelector>(ConfigMapKeySelector)),
  secretKeyRef: pointer(4, ref<SecretKeySelector>(SecretKeySelector)),
  fileKeyRef: pointer(5, ref<FileKeySelector>(FileKeySelector)),
}));
export interface EnvVarSource extends Infer<typeof EnvVarSource> {}

export const FileKeySelector = struct(
  'io.k8s.api.core.v1.FileKeySelector',
  () => ({
    volumeName: required(1, string),
    path: required(2, string),
    key: required(3, string),
    optional: pointer(4, boolean, { default: false }),
  }),
  { atomic: true },
);
export interface FileKeySelector extends Infer<typeof FileKeySelector> {}
