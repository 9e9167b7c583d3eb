// What makes a pod valid, and which changes to a stored one are allowed.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { NodeAffinity } from '#kinds/core/v1/container/affinity.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import { validateImageText } from '#kinds/core/v1/container/container-validation.ts';
import { NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate, validateProfilesAgree } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { type PodSchedulingGate, PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { validatePodSpec } from '#kinds/core/v1/pod/pod-spec-validation.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import { validateTolerations } from '#kinds/core/v1/container/toleration-validation.ts';
import { differenceOf } from '#kinds/rules/differences.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { shownMapOf } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { hasOuterSpace } from '#kinds/rules/values.ts';

export function validatePodCreate(pod: Pod, errors: FieldErrors, rules: PodRules): void {
  validatePod(pod, errors, rules);
  const { spec } = pod;
  if (spec.ephemeralContainers?.length) errors.forbidden('spec.ephemeralContainers', 'cannot be set on create');
  if (spec.nodeName && spec.schedulingGates?.length) errors.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  validateProfilesAgree(pod.metadata, spec, 'spec', errors);
}

/** Metadata and spec, on their own. */
export function validatePod({ metadata, spec }: Pod, errors: FieldErrors, rules: PodRules): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validatePodAnnotations(metadata.annotations, spec, 'metadata.annotations', errors, rules);
  validatePodSpec(spec, metadata, 'spec', errors, rules);
  if (!spec.serviceAccountName) refuseTokens(spec, errors);
  spec.containers?.forEach(({ image }, index) => validateImageText(image, `spec.containers[${index}]`, errors));
  spec.initContainers?.forEach(({ image }, index) => validateImageText(image, `spec.initContainers[${index}]`, errors));
}

function refuseTokens({ volumes }: PodSpec, errors: FieldErrors): void {
  volumes?.forEach(({ projected }, volume) => {
    projected?.sources?.forEach(({ serviceAccountToken }, source) => {
      if (serviceAccountToken === undefined) return;
      errors.forbidden(`spec.volumes[${volume}].projected.sources[${source}].serviceAccountToken`, 'must not be specified when serviceAccountName is not set');
    });
  });
}

const changeable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validatePodUpdate(pod: Pod, old: Pod, errors: FieldErrors, rules: PodRules): void {
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validatePod(pod, errors, rules);
  validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, 'metadata.annotations', errors);
  validatePodAnnotations(pod.metadata.annotations, pod.spec, 'metadata.annotations', errors, rules);
  if (!validateSameContainers(pod.spec.containers, old.spec.containers, 'spec.containers', errors)) return;
  if (!validateSameContainers(pod.spec.initContainers, old.spec.initContainers, 'spec.initContainers', errors)) return;
  if (!validateDeadlineUpdate(pod.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds, errors)) return;
  validateTolerationsUpdate(pod.spec.tolerations, old.spec.tolerations, errors, rules);
  validateGatesUpdate(pod.spec.schedulingGates, old.spec.schedulingGates, errors);
  if (semanticEqual(pod.spec, old.spec)) return;
  const masked = withoutAllowedChanges(pod.spec, old.spec, errors);
  if (!semanticEqual(masked, old.spec))
    errors.forbidden('spec', `pod updates may not change fields other than ${changeable}\n${differenceOf(PodSpec, old.spec, masked)}`);
}

/** False when the lists cannot be compared any further. */
function validateSameContainers(containers: readonly Container[] = [], old: readonly Container[] = [], path: string, errors: FieldErrors): boolean {
  if (containers.length !== old.length) {
    errors.forbidden(path, 'pod updates may not add or remove containers');
    return false;
  }
  containers.forEach(({ image = '' }, index) => {
    if (image === '') errors.required(`${path}[${index}].image`);
    else if (hasOuterSpace(image)) errors.invalid(`${path}[${index}].image`, image, 'must not have leading or trailing whitespace');
  });
  return true;
}

function validateDeadlineUpdate(deadline: number | undefined, old: number | undefined, errors: FieldErrors): boolean {
  const path = 'spec.activeDeadlineSeconds';
  const before = errors.list.length;
  if (deadline === undefined) {
    if (old !== undefined) errors.invalid(path, null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (deadline < 0 || deadline > 2147483647) errors.invalid(path, deadline, 'must be between 0 and 2147483647, inclusive');
  else if (old !== undefined && old < deadline) errors.invalid(path, deadline, 'must be less than or equal to previous value');
  return errors.list.length === before;
}

function validateTolerationsUpdate(tolerations: readonly Toleration[] = [], old: readonly Toleration[] = [], errors: FieldErrors, rules: PodRules): void {
  if (areKept(tolerations, old)) validateTolerations(tolerations, 'spec.tolerations', errors, rules);
  else errors.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
}

/** Most stand where they stood. */
function areKept(tolerations: readonly Toleration[], old: readonly Toleration[]): boolean {
  if (old.every((one, index) => isSameApartFromSeconds(one, tolerations[index]))) return true;
  const wanted = new Set(tolerations.map(apartFromSeconds));
  return old.every((one) => wanted.has(apartFromSeconds(one)));
}

function isSameApartFromSeconds(one: Toleration, other: Toleration | undefined): boolean {
  return one.key === other?.key && one.operator === other?.operator && one.value === other?.value && one.effect === other?.effect;
}

function apartFromSeconds({ key = '', operator = '', value = '', effect = '' }: Toleration): string {
  return JSON.stringify([key, operator, value, effect]);
}

function validateGatesUpdate(gates: readonly PodSchedulingGate[] = [], old: readonly PodSchedulingGate[] = [], errors: FieldErrors): void {
  // A name that is there twice is told once, where it stands last.
  const added = new Map(gates.map(({ name }, index) => [name, index]));
  for (const { name } of old) added.delete(name);
  for (const [name, index] of added) {
    errors.forbidden(`spec.schedulingGates[${index}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`);
  }
}

/** The new spec with everything put back that may change; the rest must be as it was. */
function withoutAllowedChanges(spec: PodSpec, old: PodSpec, errors: FieldErrors): PodSpec {
  const masked: PodSpec = {
    ...spec,
    containers: withImagesOf(spec.containers, old.containers),
    initContainers: withImagesOf(spec.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
  };
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    masked.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  if (old.schedulingGates?.length) maskNodeChoice(masked, spec, old, errors);
  return masked;
}

function withImagesOf(containers: readonly Container[] | undefined, old: readonly Container[] = []): Container[] | undefined {
  return containers?.map((container, index) => ({ ...container, image: old[index]?.image }));
}

/** While a pod is gated its choice of nodes may be narrowed. */
function maskNodeChoice(masked: PodSpec, spec: PodSpec, old: PodSpec, errors: FieldErrors): void {
  if (!semanticEqual(spec.nodeSelector, old.nodeSelector)) {
    validateNodeSelectorGrows(spec, old.nodeSelector ?? {}, errors);
    masked.nodeSelector = old.nodeSelector;
  }
  const oldAffinity = old.affinity?.nodeAffinity;
  if (semanticEqual(masked.affinity?.nodeAffinity, oldAffinity)) return;
  validateNodeAffinityGrows(masked.affinity?.nodeAffinity, oldAffinity, errors);
  const { podAffinity, podAntiAffinity } = masked.affinity ?? {};
  const nothingElse = podAffinity === undefined && podAntiAffinity === undefined;
  masked.affinity = old.affinity === undefined && nothingElse ? undefined : { ...masked.affinity, nodeAffinity: oldAffinity };
}

function validateNodeSelectorGrows(spec: PodSpec, old: Readonly<Record<string, string>>, errors: FieldErrors): void {
  if (Object.keys(old).every((key) => spec.nodeSelector?.[key] === old[key])) return;
  errors.invalid('spec.nodeSelector', shownMapOf(spec, 'nodeSelector'), 'only additions to spec.nodeSelector are allowed (no mutations or deletions)');
}

function validateNodeAffinityGrows(affinity: NodeAffinity | undefined, old: NodeAffinity | undefined, errors: FieldErrors): void {
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const oldTerms = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    const shown = terms.length === 0 ? null : terms.map((term) => goForm(NodeSelectorTerm, term));
    return errors.invalid(path, shown, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
  }
  oldTerms.forEach((oldTerm, index) => {
    const term = terms[index] ?? {};
    if (!growsTerm(term, oldTerm))
      errors.invalid(`${path}[${index}]`, goForm(NodeSelectorTerm, term), 'only additions are allowed (no mutations or deletions)');
  });
}

function growsTerm(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const oldCount = (old.matchExpressions?.length ?? 0) + (old.matchFields?.length ?? 0);
  if (oldCount === 0) return !term.matchExpressions?.length && !term.matchFields?.length;
  return (['matchExpressions', 'matchFields'] as const).every((field) => {
    const before = old[field] ?? [];
    return semanticEqual((term[field] ?? []).slice(0, before.length), before);
  });
}
