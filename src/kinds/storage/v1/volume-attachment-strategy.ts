import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { PersistentVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import { validateInlineVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec-validation.ts';
import { validateCsiDriverName } from '#kinds/core/v1/volume/volume-validation.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { keepMetadataForStatus, statusStrategy } from '#kinds/rules/status-updates.ts';
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeError,
} from '#kinds/storage/v1/volume-attachment.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const metadataBytes = 256 * 1024;
const messageBytes = 1024;

export const volumeAttachmentStrategy: Strategy<VolumeAttachment> = {
  returnsDeleted: true,
  allowUnconditionalUpdate: false,
  prepareForCreate(attachment) {
    attachment.status = { attached: false };
  },
  validate: validateAttachment,
  prepareForUpdate(attachment, old) {
    attachment.status = old.status;
  },
  validateUpdate: validateAttachmentUpdate,
  subresources: {
    status: statusStrategy<VolumeAttachment>({
      prepare: ({ metadata }, old) => keepMetadataForStatus(metadata, old.metadata),
      validateUpdate: validateAttachmentUpdate,
      resetFields: [['metadata'], ['spec']],
    }),
  },
};

function validateAttachmentUpdate(attachment: VolumeAttachment, old: VolumeAttachment, errors: FieldErrors): void {
  validateAttachment(attachment, errors);
  if (!semanticEqual(attachment.spec, old.spec)) errors.invalid('spec', shownSpec(attachment.spec), 'field is immutable');
}

function shownSpec({ attacher, source, nodeName }: VolumeAttachmentSpec): object {
  const { persistentVolumeName = null, inlineVolumeSpec } = source;
  const volume = { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: goForm(PersistentVolumeSpec, inlineVolumeSpec) };
  return { Attacher: attacher, Source: volume, NodeName: nodeName };
}

function validateAttachment({ metadata, spec, status }: VolumeAttachment, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  validateCsiDriverName(spec.attacher, 'spec.attacher', errors);
  validateSource(spec.source, 'spec.source', errors);
  errors.invalidEach('spec.nodeName', spec.nodeName, dns1123SubdomainProblems(spec.nodeName));
  validateStatus(status, 'status', errors);
  const { persistentVolumeName: volume } = spec.source;
  if (volume !== undefined) errors.invalidEach('spec.source.persistentVolumeName', volume, dns1123SubdomainProblems(volume));
}

function validateSource({ inlineVolumeSpec, persistentVolumeName }: VolumeAttachmentSource, path: string, errors: FieldErrors): void {
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) errors.required(path, one);
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) errors.forbidden(path, one);
  else if (inlineVolumeSpec !== undefined) validateInlineVolumeSpec(inlineVolumeSpec, `${path}.inlineVolumeSpec`, errors);
  else if (persistentVolumeName === '') errors.required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
}

function validateStatus({ attachmentMetadata = {}, attachError, detachError }: VolumeAttachmentStatus, path: string, errors: FieldErrors): void {
  const size = Object.entries(attachmentMetadata).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (size > metadataBytes) errors.tooLong(`${path}.attachmentMetadata`, metadataBytes);
  validateVolumeError(attachError, `${path}.attachError`, errors);
  validateVolumeError(detachError, `${path}.detachError`, errors);
}

function validateVolumeError(error: VolumeError | undefined, path: string, errors: FieldErrors): void {
  // The limit that the original names here is another one.
  if (byteLength(error?.message ?? '') > messageBytes) errors.tooLong(`${path}.message`, metadataBytes);
  const { errorCode } = error ?? {};
  if (errorCode !== undefined && errorCode < 0) errors.invalid(`${path}.errorCode`, errorCode, 'must be between 0 and 2147483647, inclusive');
}

export const volumeAttachmentColumns: readonly Column<VolumeAttachment>[] = [
  nameColumn(),
  { name: 'Attacher', type: 'string', format: 'name', read: ({ spec }) => spec.attacher },
  { name: 'PV', type: 'string', read: ({ spec }) => spec.source.persistentVolumeName ?? '' },
  { name: 'Node', type: 'string', read: ({ spec }) => spec.nodeName },
  { name: 'Attached', type: 'boolean', read: ({ status }) => status.attached },
  ageColumn(),
];
