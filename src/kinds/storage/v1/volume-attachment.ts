import { PersistentVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int32, list, map, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const VolumeAttachment = rootStruct(
  'io.k8s.api.storage.v1.VolumeAttachment',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<VolumeAttachmentSpec>(VolumeAttachmentSpec)),
    status: embedded(3, ref<VolumeAttachmentStatus>(VolumeAttachmentStatus)),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'VolumeAttachment']] },
);
export interface VolumeAttachment extends Infer<typeof VolumeAttachment> {}

export const VolumeAttachmentList = rootStruct(
  'io.k8s.api.storage.v1.VolumeAttachmentList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<VolumeAttachment>(VolumeAttachment))),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'VolumeAttachmentList']] },
);
export interface VolumeAttachmentList extends Infer<typeof VolumeAttachmentList> {}

export const VolumeAttachmentSpec = struct('io.k8s.api.storage.v1.VolumeAttachmentSpec', () => ({
  attacher: required(1, string),
  source: required(2, ref<VolumeAttachmentSource>(VolumeAttachmentSource)),
  nodeName: required(3, string),
}));
export interface VolumeAttachmentSpec extends Infer<typeof VolumeAttachmentSpec> {}

export const VolumeAttachmentSource = struct('io.k8s.api.storage.v1.VolumeAttachmentSource', () => ({
  persistentVolumeName: pointer(1, string),
  inlineVolumeSpec: pointer(2, ref<PersistentVolumeSpec>(PersistentVolumeSpec)),
}));
export interface VolumeAttachmentSource extends Infer<typeof VolumeAttachmentSource> {}

export const VolumeAttachmentStatus = struct('io.k8s.api.storage.v1.VolumeAttachmentStatus', () => ({
  attached: required(1, boolean),
  attachmentMetadata: optional(2, map(string)),
  attachError: pointer(3, ref<VolumeError>(VolumeError)),
  detachError: pointer(4, ref<VolumeError>(VolumeError)),
}));
export interface VolumeAttachmentStatus extends Infer<typeof VolumeAttachmentStatus> {}

export const VolumeError = struct('io.k8s.api.storage.v1.VolumeError', () => ({
  time: optional(1, time),
  message: optional(2, string),
  errorCode: pointer(3, int32),
}));
export interface VolumeError extends Infer<typeof VolumeError> {}
