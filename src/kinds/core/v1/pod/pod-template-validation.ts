// The rules of pod templates, and of what selectors and templates owe each other.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { validatePodAnnotations, validateProfilesAgree } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import { validatePodSpec } from '#kinds/core/v1/pod/pod-spec-validation.ts';
import type { PodTemplate } from '#kinds/core/v1/pod/pod-template.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateAnnotations, validateLabels } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export function validatePodTemplateSpec({ metadata, spec }: PodTemplateSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  // Upstream leaves `metadata` out of these paths.
  validateLabels(metadata.labels, `${path}.labels`, errors);
  validateAnnotations(metadata.annotations, `${path}.annotations`, errors);
  validatePodAnnotations(metadata.annotations, spec, `${path}.annotations`, errors, rules);
  validatePodSpec(spec, undefined, `${path}.spec`, errors, rules);
  validateProfilesAgree(metadata, spec, `${path}.spec`, errors);
  if (spec.ephemeralContainers?.length) errors.forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
}

/** Pods that a controller keeps running: they restart always and have no deadline. */
export function validateLongRunning({ spec }: PodTemplateSpec, kind: string, path: string, errors: FieldErrors): void {
  if (spec.restartPolicy !== 'Always') errors.notSupported(`${path}.spec.restartPolicy`, spec.restartPolicy ?? '', ['Always']);
  if (spec.activeDeadlineSeconds !== undefined) {
    errors.forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

export function validatePodTemplate({ metadata, template }: PodTemplate, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validatePodTemplateSpec(template, 'template', errors, rulesForTemplate(context));
}

export function validatePodTemplateUpdate({ metadata, template }: PodTemplate, old: PodTemplate, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validatePodTemplateSpec(template, 'template', errors, rulesForTemplate(context, old.template));
}
