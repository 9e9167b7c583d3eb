import { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ObjectMeta, OwnerReference } from '#kinds/meta/v1/object-meta.ts';
import { bytes, embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PodStatusResult = rootStruct(
  'io.k8s.api.core.v1.PodStatusResult',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    status: embedded(2, ref<PodStatus>(PodStatus)),
  }),
  { unpublished: true },
);
export interface PodStatusResult extends Infer<typeof PodStatusResult> {}

export const RangeAllocation = rootStruct(
  'io.k8s.api.core.v1.RangeAllocation',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    range: required(2, string),
    data: required(3, bytes),
  }),
  { unpublished: true },
);
export interface RangeAllocation extends Infer<typeof RangeAllocation> {}

export const SerializedReference = rootStruct(
  'io.k8s.api.core.v1.SerializedReference',
  () => ({
    reference: embedded(1, ref<ObjectReference>(ObjectReference)),
  }),
  { unpublished: true },
);
export interface SerializedReference extends Infer<typeof SerializedReference> {}

export const AvoidPods = struct(
  'io.k8s.api.core.v1.AvoidPods',
  () => ({
    preferAvoidPods: optional(1, list(ref<PreferAvoidPodsEntry>(PreferAvoidPodsEntry)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface AvoidPods extends Infer<typeof AvoidPods> {}

export const PreferAvoidPodsEntry = struct(
  'io.k8s.api.core.v1.PreferAvoidPodsEntry',
  () => ({
    podSignature: required(1, ref<PodSignature>(PodSignature)),
    evictionTime: optional(2, time),
    reason: optional(3, string),
    message: optional(4, string),
  }),
  { unpublished: true },
);
export interface PreferAvoidPodsEntry extends Infer<typeof PreferAvoidPodsEntry> {}

export const PodSignature = struct(
  'io.k8s.api.core.v1.PodSignature',
  () => ({
    podController: pointer(1, ref<OwnerReference>(OwnerReference)),
  }),
  { unpublished: true },
);
export interface PodSignature extends Infer<typeof PodSignature> {}

export const Preconditions = struct(
  'io.k8s.api.core.v1.Preconditions',
  () => ({
    uid: pointer(1, string, { goType: 'types.UID' }),
  }),
  { unpublished: true },
);
export interface Preconditions extends Infer<typeof Preconditions> {}
