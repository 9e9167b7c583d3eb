// What flow schemas and priority levels share: their conditions, and status writes that leave all of metadata alone.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import type { ObjectMeta } from '#api/object.ts';
import type { SubresourceStrategy } from '#resource/strategy.ts';

interface WithConditions {
  metadata: ObjectMeta;
  spec: unknown;
  readonly status: { readonly conditions?: readonly { readonly type?: string | undefined }[] | undefined };
}

export function flowControlStatusStrategy<T extends WithConditions>(): SubresourceStrategy<T> {
  return {
    resetFields: [['metadata'], ['spec']],
    prepareForUpdate(object, old) {
      const { managedFields } = object.metadata;
      object.metadata = { ...old.metadata, managedFields };
      object.spec = old.spec;
    },
    validateUpdate: ({ status }, _old, errors) => validateFlowControlStatus(status, errors),
  };
}

export function validateFlowControlStatus({ conditions }: WithConditions['status'], errors: FieldErrors): void {
  const seen = new Set<string>();
  conditions?.forEach(({ type = '' }, index) => {
    const path = `status.conditions[${index}].type`;
    if (seen.has(type)) errors.duplicate(path, asJson(type));
    seen.add(type);
    if (type === '') errors.required(path);
  });
}
