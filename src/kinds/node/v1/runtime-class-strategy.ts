// How runtime classes are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, nameIsSubdomain } from '#base/formats.ts';
import { deprecatedNodeLabel } from '#kinds/core/v1/pod/pod-warnings.ts';
import { rulesForPod } from '#kinds/core/v1/pod/rules-for-pod.ts';
import { validateContainerResources } from '#kinds/core/v1/container/resource-requirements-validation.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import { validateTolerations } from '#kinds/core/v1/container/toleration-validation.ts';
import type { RuntimeClass } from '#kinds/node/v1/runtime-class.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import { validateLabels, validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export const runtimeClassStrategy: Strategy<RuntimeClass> = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate: validateRuntimeClass,
  validateUpdate(runtimeClass, old, errors) {
    const { metadata, handler } = runtimeClass;
    validateRuntimeClass(runtimeClass, errors);
    validateMetadataUpdate(metadata, old.metadata, 'metadata', errors);
    validateImmutable(handler, old.handler, 'handler', errors);
  },
  warnOnCreate: selectorWarnings,
  warnOnUpdate: selectorWarnings,
};

function selectorWarnings({ scheduling }: RuntimeClass): readonly string[] {
  return Object.keys(scheduling?.nodeSelector ?? {})
    .toSorted()
    .flatMap((key) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
    });
}

function validateRuntimeClass({ metadata, handler, overhead, scheduling }: RuntimeClass, errors: FieldErrors): void {
  validateMetadata(metadata, { namespaced: false, name: nameIsSubdomain }, 'metadata', errors);
  if (handler === '') errors.required('handler');
  else errors.invalidEach('handler', handler, dns1123LabelProblems(handler));
  // As for a pod with every gate off.
  const rules = rulesForPod({ gate: () => false }, false);
  if (overhead !== undefined) validateContainerResources({ limits: overhead.podFixed }, new Set(), 'overhead', errors, rules);
  if (scheduling?.nodeSelector !== undefined) validateLabels(scheduling.nodeSelector, 'scheduling.nodeSelector', errors);
  validateTolerations(scheduling?.tolerations, 'scheduling.tolerations', errors, rules);
  validateUnique(scheduling?.tolerations ?? [], 'scheduling.tolerations', errors);
}

function validateUnique(tolerations: readonly Toleration[], path: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  tolerations.forEach((toleration, index) => {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (seen.has(identity)) errors.duplicate(`${path}[${index}]`, internalForm(toleration));
    seen.add(identity);
  });
}

function internalForm({ key = '', operator = '', value = '', effect = '', tolerationSeconds = undefined }: Toleration): object {
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds ?? null };
}

export const runtimeClassColumns: readonly Column<RuntimeClass>[] = [
  nameColumn(),
  { name: 'Handler', type: 'string', read: ({ handler }) => handler },
  ageColumn(),
];
