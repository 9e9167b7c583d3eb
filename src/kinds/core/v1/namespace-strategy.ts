// Namespaces: a deletion that waits for their content, and a label that always tells their name.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { nameIsLabel } from '#base/formats.ts';
import type { Namespace } from '#kinds/core/v1/namespace.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateKubernetesFinalizer, validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { Column } from '#resource/column.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';
import { clone } from '#schema/clone.ts';

const contentFinalizer = 'kubernetes';
const nameLabel = 'kubernetes.io/metadata.name';

export function defaultNamespace({ metadata }: Namespace): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

export function defaultNamespaceStatus(status: Namespace['status']): void {
  status.phase ??= 'Active';
}

export const namespaceStrategy: Strategy<Namespace> = {
  returnsDeleted: true,
  selectableMetadata: ['metadata.name'],
  selectableFields: { 'status.phase': ({ status }) => status.phase ?? '' },

  prepareForCreate(namespace) {
    namespace.status = { phase: 'Active' };
    const finalizers = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(contentFinalizer)) namespace.spec.finalizers = [...finalizers, contentFinalizer];
    // A generated name was not known when defaults ran; one that is refused gets no label to be refused too.
    if (nameIsLabel(namespace.metadata.name ?? '', false).length === 0) defaultNamespace(namespace);
  },
  validate: validateNamespace,

  prepareForUpdate(namespace, old) {
    namespace.spec = clone(old.spec);
    namespace.status = clone(old.status);
  },
  validateUpdate(namespace, old, errors) {
    validateNamespace(namespace, errors);
    validateObjectMetaUpdate(namespace.metadata, old.metadata, errors);
  },

  isHeld: ({ spec }) => (spec.finalizers?.length ?? 0) > 0,
  markDeleted(namespace) {
    namespace.status.phase = 'Terminating';
  },

  subresources: {
    status: {
      prepareForUpdate(namespace, old) {
        namespace.spec = clone(old.spec);
      },
      validateUpdate(namespace, old, errors) {
        validateObjectMetaUpdate(namespace.metadata, old.metadata, errors);
        validatePhase(namespace, errors);
      },
    },
    finalize: {
      prepareForUpdate(namespace, old) {
        namespace.status = clone(old.status);
      },
      validateUpdate(namespace, old, errors) {
        validateObjectMetaUpdate(namespace.metadata, old.metadata, errors);
        namespace.spec.finalizers?.forEach((finalizer, index) => validateSpecFinalizer(finalizer, `spec.finalizers[${index}]`, errors));
      },
      resetFields: [['status']],
    },
  },
};

/** Refusals name the list here, its items when the namespace is finalized. */
function validateNamespace({ metadata, spec }: Namespace, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, nameIsLabel, errors);
  for (const finalizer of spec.finalizers ?? []) validateSpecFinalizer(finalizer, 'spec.finalizers', errors);
}

function validateSpecFinalizer(finalizer: string, path: string, errors: FieldErrors): void {
  validateLabelKey(finalizer, path, errors);
  validateKubernetesFinalizer(finalizer, path, errors);
}

/** Only a deletion makes a namespace terminate. */
function validatePhase({ metadata, status }: Namespace, errors: FieldErrors): void {
  const deleting = metadata.deletionTimestamp !== undefined;
  const phase = status.phase ?? '';
  if (deleting && phase !== 'Terminating') errors.invalid('status.Phase', asJson(phase), "may only be 'Terminating' if `deletionTimestamp` is not empty");
  if (!deleting && phase !== 'Active') errors.invalid('status.Phase', asJson(phase), "may only be 'Active' if `deletionTimestamp` is empty");
}

export const namespaceColumns: readonly Column<Namespace>[] = [
  nameColumn(),
  { name: 'Status', type: 'string', read: ({ status }) => status.phase ?? '' },
  ageColumn(),
];
