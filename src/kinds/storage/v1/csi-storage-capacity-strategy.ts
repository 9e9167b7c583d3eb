import { FieldErrors } from '#api/field-error.ts';
import { dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { deprecatedNodeLabel } from '#kinds/core/v1/pod/pod-warnings.ts';
import { shownSelector, validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateNonNegativeQuantity } from '#kinds/rules/quantities.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { CSIStorageCapacity } from '#kinds/storage/v1/csi-storage-capacity.ts';
import type { Strategy } from '#resource/strategy.ts';

export const csiStorageCapacityStrategy: Strategy<CSIStorageCapacity> = {
  allowUnconditionalUpdate: false,
  validate: (capacity, errors) => validateCapacity(capacity, errors, false),
  validateUpdate(capacity, old, errors) {
    validateCapacity(capacity, errors, hasBadTopology(old));
    validateObjectMetaUpdate(capacity.metadata, old.metadata, errors);
    if (!semanticEqual(capacity.nodeTopology, old.nodeTopology)) {
      errors.invalid('nodeTopology', shownSelector(capacity.nodeTopology), 'field is immutable');
    }
    validateImmutable(capacity.storageClassName, old.storageClassName, 'storageClassName', errors);
  },
  warnOnCreate: topologyWarnings,
  warnOnUpdate: topologyWarnings,
};

function hasBadTopology({ nodeTopology }: CSIStorageCapacity): boolean {
  const errors = new FieldErrors();
  validateLabelSelector(nodeTopology, '', errors);
  return !errors.empty;
}

function validateCapacity({ metadata, nodeTopology, storageClassName, capacity }: CSIStorageCapacity, errors: FieldErrors, anyValue: boolean): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateLabelSelector(nodeTopology, 'nodeTopology', errors, { anyValue });
  errors.invalidEach('storageClassName', storageClassName, dns1123SubdomainProblems(storageClassName));
  if (capacity !== undefined) validateNonNegativeQuantity(capacity, 'capacity', errors);
}

function topologyWarnings({ nodeTopology }: CSIStorageCapacity): readonly string[] {
  const { matchExpressions = [], matchLabels = {} } = nodeTopology ?? {};
  const ofExpressions = matchExpressions.flatMap(({ key }, index) => {
    const message = deprecatedNodeLabel(key);
    return message === undefined ? [] : [`nodeTopology.matchExpressions[${index}].key: ${key} is ${message}`];
  });
  const ofLabels = Object.keys(matchLabels).flatMap((key) => {
    const message = deprecatedNodeLabel(key);
    return message === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${message}`];
  });
  return [...ofExpressions, ...ofLabels];
}
