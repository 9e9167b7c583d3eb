// How replication controllers are written, and what the server fills in.
import type { FieldErrors } from '#api/field-error.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { validateLongRunning, validatePodTemplateSpec } from '#kinds/core/v1/pod/pod-template-validation.ts';
import { hostnameWarnings, podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import type { ReplicationController, ReplicationControllerSpec } from '#kinds/core/v1/replication-controller.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { longName, validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { shownMap, shownMapOf } from '#kinds/rules/label-selectors.ts';
import { validateAtMost, validateCounters } from '#kinds/rules/values.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

/** Labels of the template stand in for a selector and for labels. */
export function defaultReplicationController({ metadata, spec }: ReplicationController): void {
  const labels = spec.template?.metadata.labels;
  if (labels === undefined) return;
  spec.selector ??= { ...labels };
  metadata.labels ??= { ...labels };
}

export const replicationControllerStrategy: Strategy<ReplicationController> = {
  prepareForCreate(controller, { gate }) {
    controller.status = { replicas: 0 };
    startGeneration(controller.metadata);
    const { template } = controller.spec;
    if (template !== undefined) dropGatedFields(template.spec, undefined, gate);
  },
  validate({ metadata, spec }, errors, context) {
    validateObjectMeta(metadata, true, longName, errors);
    validateSpec(spec, errors, rulesForTemplate(context));
  },
  warnOnCreate: ({ metadata, spec }) => [...hostnameWarnings(metadata.name, 'Pod names and hostnames'), ...templateWarnings(spec.template)],

  prepareForUpdate(controller, old, { gate }) {
    const { metadata, spec } = controller;
    controller.status = old.status;
    if (spec.template !== undefined) dropGatedFields(spec.template.spec, old.spec.template?.spec, gate);
    countGeneration(metadata, old.metadata, spec, old.spec);
  },
  validateUpdate({ metadata, spec }, old, errors, context) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateSpec(spec, errors, rulesForTemplate(context, old.spec.template));
    validateConvertible(spec, old, errors);
  },
  // Upstream looks at the stored template here.
  warnOnUpdate: ({ metadata }, old) => (metadata.generation === old.metadata.generation ? [] : templateWarnings(old.spec.template)),

  defaultPropagation: 'orphan',
  selectableFields: { 'status.replicas': ({ status }) => String(status.replicas) },
  subresources: {
    status: statusStrategy<ReplicationController>({ prepare: defaultReplicationController, validateUpdate: validateStatusUpdate, resetFields: [['spec']] }),
  },
};

function templateWarnings(template: PodTemplateSpec | undefined): readonly string[] {
  return template === undefined ? [] : podTemplateWarnings(template, 'spec.template');
}

function validateSpec({ minReadySeconds, selector = {}, replicas, template }: ReplicationControllerSpec, errors: FieldErrors, rules: PodRules): void {
  validateNonNegative(minReadySeconds, 'spec.minReadySeconds', errors);
  if (Object.keys(selector).length === 0) errors.required('spec.selector');
  if (replicas === undefined) errors.required('spec.replicas');
  else validateNonNegative(replicas, 'spec.replicas', errors);
  if (template === undefined) return errors.required('spec.template');
  validateSelects(selector, template, errors);
  validatePodTemplateSpec(template, 'spec.template', errors, rules);
  validateLongRunning(template, 'ReplicationController', 'spec.template', errors);
}

/** Such a selector is compared as it is, valid or not. */
function validateSelects(selector: Readonly<Record<string, string>>, { metadata }: PodTemplateSpec, errors: FieldErrors): void {
  const labels = metadata.labels ?? {};
  if (Object.keys(selector).every((key) => labels[key] === selector[key])) return;
  errors.invalid('spec.template.metadata.labels', shownMapOf(metadata, 'labels'), '`selector` does not match template `labels`');
}

const nonConvertiblePrefix = 'non-convertible.kubernetes.io/';

/** Marks of an old conversion that could not be done. */
function validateConvertible({ selector }: ReplicationControllerSpec, old: ReplicationController, errors: FieldErrors): void {
  for (const key of Object.keys(old.metadata.annotations ?? {})) {
    if (!key.startsWith(nonConvertiblePrefix) || !key.includes('selector')) continue;
    if (!semanticEqual(selector, old.spec.selector)) errors.invalid('spec.selector', shownMap(selector), 'cannot update non-convertible selector');
  }
}

const counters = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'] as const;

function validateStatusUpdate({ metadata, status }: ReplicationController, old: ReplicationController, errors: FieldErrors): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateCounters(status, counters, 'status', errors);
  for (const field of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    validateAtMost(status[field], status.replicas, `status.${field}`, errors, 'cannot be greater than status.replicas');
  }
  validateAtMost(status.availableReplicas, status.readyReplicas, 'status.availableReplicas', errors, 'cannot be greater than readyReplicas');
}
