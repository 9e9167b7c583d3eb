import { boolean, type Infer, int64, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const DeleteOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  () => ({
    gracePeriodSeconds: pointer(1, int64),
    preconditions: pointer(2, ref<Preconditions>(Preconditions)),
    orphanDependents: pointer(3, boolean),
    propagationPolicy: pointer(4, string, { goType: 'v1.DeletionPropagation' }),
    dryRun: optional(5, list(string), { merge: 'atomic' }),
    ignoreStoreReadErrorWithClusterBreakingPotential: pointer(6, boolean),
  }),
  {
    gvks: [
      ['', 'v1', 'DeleteOptions'],
      ['admission.k8s.io', 'v1', 'DeleteOptions'],
      ['admission.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['admissionregistration.k8s.io', 'v1', 'DeleteOptions'],
      ['admissionregistration.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['admissionregistration.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['apiextensions.k8s.io', 'v1', 'DeleteOptions'],
      ['apiextensions.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['apiregistration.k8s.io', 'v1', 'DeleteOptions'],
      ['apiregistration.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['apps', 'v1', 'DeleteOptions'],
      ['apps', 'v1beta1', 'DeleteOptions'],
      ['apps', 'v1beta2', 'DeleteOptions'],
      ['authentication.k8s.io', 'v1', 'DeleteOptions'],
      ['authentication.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['authentication.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['authorization.k8s.io', 'v1', 'DeleteOptions'],
      ['authorization.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['autoscaling', 'v1', 'DeleteOptions'],
      ['autoscaling', 'v2', 'DeleteOptions'],
      ['batch', 'v1', 'DeleteOptions'],
      ['batch', 'v1beta1', 'DeleteOptions'],
      ['certificates.k8s.io', 'v1', 'DeleteOptions'],
      ['certificates.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['certificates.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['coordination.k8s.io', 'v1', 'DeleteOptions'],
      ['coordination.k8s.io', 'v1alpha2', 'DeleteOptions'],
      ['coordination.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['discovery.k8s.io', 'v1', 'DeleteOptions'],
      ['discovery.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['events.k8s.io', 'v1', 'DeleteOptions'],
      ['events.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['extensions', 'v1beta1', 'DeleteOptions'],
      ['flowcontrol.apiserver.k8s.io', 'v1', 'DeleteOptions'],
      ['flowcontrol.apiserver.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['flowcontrol.apiserver.k8s.io', 'v1beta2', 'DeleteOptions'],
      ['flowcontrol.apiserver.k8s.io', 'v1beta3', 'DeleteOptions'],
      ['imagepolicy.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['internal.apiserver.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['networking.k8s.io', 'v1', 'DeleteOptions'],
      ['networking.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['node.k8s.io', 'v1', 'DeleteOptions'],
      ['node.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['node.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['policy', 'v1', 'DeleteOptions'],
      ['policy', 'v1beta1', 'DeleteOptions'],
      ['rbac.authorization.k8s.io', 'v1', 'DeleteOptions'],
      ['rbac.authorization.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['rbac.authorization.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['resource.k8s.io', 'v1', 'DeleteOptions'],
      ['resource.k8s.io', 'v1alpha3', 'DeleteOptions'],
      ['resource.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['resource.k8s.io', 'v1beta2', 'DeleteOptions'],
      ['scheduling.k8s.io', 'v1', 'DeleteOptions'],
      ['scheduling.k8s.io', 'v1alpha2', 'DeleteOptions'],
      ['scheduling.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['storage.k8s.io', 'v1', 'DeleteOptions'],
      ['storage.k8s.io', 'v1alpha1', 'DeleteOptions'],
      ['storage.k8s.io', 'v1beta1', 'DeleteOptions'],
      ['storagemigration.k8s.io', 'v1beta1', 'DeleteOptions'],
    ],
  },
);
export interface DeleteOptions extends Infer<typeof DeleteOptions> {}

export const ApplyOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.ApplyOptions',
  () => ({
    dryRun: optional(1, list(string), { merge: 'atomic' }),
    force: required(2, boolean),
    fieldManager: required(3, string),
  }),
  { unpublished: true },
);
export interface ApplyOptions extends Infer<typeof ApplyOptions> {}

export const CreateOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.CreateOptions',
  () => ({
    dryRun: optional(1, list(string), { merge: 'atomic' }),
    fieldManager: optional(3, string),
    fieldValidation: optional(4, string),
  }),
  { unpublished: true },
);
export interface CreateOptions extends Infer<typeof CreateOptions> {}

export const GetOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.GetOptions',
  () => ({
    resourceVersion: optional(1, string),
  }),
  { unpublished: true },
);
export interface GetOptions extends Infer<typeof GetOptions> {}

export const ListOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListOptions',
  () => ({
    labelSelector: optional(1, string),
    fieldSelector: optional(2, string),
    watch: optional(3, boolean),
    allowWatchBookmarks: optional(9, boolean),
    resourceVersion: optional(4, string),
    resourceVersionMatch: optional(10, string, { goType: 'v1.ResourceVersionMatch' }),
    timeoutSeconds: pointer(5, int64),
    limit: optional(7, int64),
    continue: optional(8, string),
    sendInitialEvents: pointer(11, boolean),
    shardSelector: optional(15, string),
  }),
  { unpublished: true },
);
export interface ListOptions extends Infer<typeof ListOptions> {}

export const PatchOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.PatchOptions',
  () => ({
    dryRun: optional(1, list(string), { merge: 'atomic' }),
    force: pointer(2, boolean),
    fieldManager: optional(3, string),
    fieldValidation: optional(4, string),
  }),
  { unpublished: true },
);
export interface PatchOptions extends Infer<typeof PatchOptions> {}

export const TableOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.TableOptions',
  () => ({
    includeObject: optional(1, string, { goType: 'v1.IncludeObjectPolicy' }),
  }),
  { unpublished: true },
);
export interface TableOptions extends Infer<typeof TableOptions> {}

export const UpdateOptions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.UpdateOptions',
  () => ({
    dryRun: optional(1, list(string), { merge: 'atomic' }),
    fieldManager: optional(2, string),
    fieldValidation: optional(3, string),
  }),
  { unpublished: true },
);
export interface UpdateOptions extends Infer<typeof UpdateOptions> {}

export const Preconditions = struct('io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions', () => ({
  uid: pointer(1, string, { goType: 'types.UID' }),
  resourceVersion: pointer(2, string),
}));
export interface Preconditions extends Infer<typeof Preconditions> {}
