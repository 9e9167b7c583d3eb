import { volumeAttachmentColumns, volumeAttachmentStrategy } from '#kinds/storage/v1/volume-attachment-strategy.ts';
import { VolumeAttachment, VolumeAttachmentList } from '#kinds/storage/v1/volume-attachment.ts';
import { hostPathDefaults } from '#kinds/core/v1/volume/volume-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const volumeattachments = defineResource<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  singular: 'volumeattachment',
  namespaced: false,
  strategy: volumeAttachmentStrategy,
  columns: volumeAttachmentColumns,
  schema: VolumeAttachment,
  defaults: hostPathDefaults,
  list: VolumeAttachmentList,
  storage: { version: 'v1', prefix: 'volumeattachments', hash: 'tJx/ezt6UDU=' },
  lifecycle: { introduced: '1.13' },
  subresources: [{ name: 'status', kind: 'VolumeAttachment', verbs: ['get', 'patch', 'update'] }],
});
