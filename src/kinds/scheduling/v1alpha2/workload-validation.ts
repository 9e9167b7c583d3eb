// The rules of workloads and pod groups, which upstream keeps as markers beside the fields.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '#base/formats.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import { repeatedAt } from '#base/repeated.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import type { PodGroupResourceClaim } from '#kinds/scheduling/v1alpha2/pod-group-resource-claim.ts';
import type { PodGroupSchedulingConstraints } from '#kinds/scheduling/v1alpha2/pod-group-scheduling-constraints.ts';
import type { PodGroupSchedulingPolicy } from '#kinds/scheduling/v1alpha2/pod-group-scheduling-policy.ts';
import type { PodGroupSpec } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import type { PodGroupTemplate, WorkloadSpec } from '#kinds/scheduling/v1alpha2/workload.ts';
import { arrange } from '#schema/json/arrange.ts';
import type { StructSchema } from '#schema/build.ts';

type Problems = (text: string) => readonly string[];

const maxTemplates = 8;
const maxClaims = 4;
const highestPriority = 1_000_000_000;
const disruptionModes = ['Pod', 'PodGroup'];

/** `template` is the table of templates, which the module of the kind owns. */
export function validateWorkloadSpec(spec: WorkloadSpec, template: StructSchema, errors: FieldErrors): void {
  const { controllerRef, podGroupTemplates: templates = [] } = spec;
  if (controllerRef !== undefined) {
    const { apiGroup = '', kind, name } = controllerRef;
    if (apiGroup !== '') errors.invalidEach('spec.controllerRef.apiGroup', apiGroup, dns1123SubdomainProblems(apiGroup));
    validateText(kind, pathSegmentProblems, 'spec.controllerRef.kind', errors);
    validateText(name, pathSegmentProblems, 'spec.controllerRef.name', errors);
  }
  const path = 'spec.podGroupTemplates';
  if (templates.length === 0) return errors.required(path);
  if (templates.length > maxTemplates) return errors.tooMany(path, templates.length, maxTemplates);
  templates.forEach((item, index) => validateTemplate(item, `${path}[${index}]`, errors));
  validateNamedOnce(templates, path, errors, (item) => arrange(template, item));
}

export function validatePodGroupSpec(spec: PodGroupSpec, errors: FieldErrors): void {
  const { podGroupTemplateRef: reference } = spec;
  if (reference !== undefined) {
    const path = 'spec.podGroupTemplateRef';
    validateUnion(reference, ['workload'], path, errors);
    if (reference.workload !== undefined) {
      validateText(reference.workload.workloadName, dns1123SubdomainProblems, `${path}.workload.workloadName`, errors);
      validateText(reference.workload.podGroupTemplateName, dns1123LabelProblems, `${path}.workload.podGroupTemplateName`, errors);
    }
  }
  validateScheduling(spec, 'spec', errors);
}

const immutableOfGroups = [
  'podGroupTemplateRef',
  'schedulingPolicy',
  'schedulingConstraints',
  'resourceClaims',
  'disruptionMode',
  'priorityClassName',
  'priority',
] as const;

/** `closed`: fields behind gates that are off, where no new value is welcome. */
export function validatePodGroupChanges(spec: PodGroupSpec, old: PodGroupSpec, closed: readonly string[], errors: FieldErrors): void {
  for (const field of immutableOfGroups) {
    if (!closed.includes(field)) validateKept(spec[field], old[field], `spec.${field}`, errors);
    else if (!semanticEqual(spec[field], old[field])) errors.forbidden(`spec.${field}`, '');
  }
}

export function validateWorkloadChanges(spec: WorkloadSpec, old: WorkloadSpec, errors: FieldErrors): void {
  validateKept(spec.controllerRef, old.controllerRef, 'spec.controllerRef', errors);
  validateKept(spec.podGroupTemplates, old.podGroupTemplates, 'spec.podGroupTemplates', errors);
}

/** Markers show no value. */
function validateKept(value: unknown, old: unknown, path: string, errors: FieldErrors): void {
  if (!semanticEqual(value, old)) errors.invalid(path, null, 'field is immutable');
}

function validateTemplate(template: PodGroupTemplate, path: string, errors: FieldErrors): void {
  validateText(template.name, dns1123LabelProblems, `${path}.name`, errors);
  validateScheduling(template, path, errors);
}

type Scheduling = Omit<PodGroupTemplate, 'name'>;

function validateScheduling(scheduling: Scheduling, path: string, errors: FieldErrors): void {
  const { disruptionMode, priorityClassName = '', priority } = scheduling;
  validatePolicy(scheduling.schedulingPolicy, `${path}.schedulingPolicy`, errors);
  validateConstraints(scheduling.schedulingConstraints, `${path}.schedulingConstraints`, errors);
  validateClaims(scheduling.resourceClaims ?? [], `${path}.resourceClaims`, errors);
  if (disruptionMode !== undefined && !disruptionModes.includes(disruptionMode)) {
    errors.notSupported(`${path}.disruptionMode`, disruptionMode, disruptionModes);
  }
  if (priorityClassName !== '') errors.invalidEach(`${path}.priorityClassName`, priorityClassName, dns1123SubdomainProblems(priorityClassName));
  if (priority !== undefined && priority > highestPriority) {
    errors.invalid(`${path}.priority`, priority, `must be less than or equal to ${highestPriority}`);
  }
}

function validatePolicy(policy: PodGroupSchedulingPolicy, path: string, errors: FieldErrors): void {
  validateUnion(policy, ['basic', 'gang'], path, errors);
  if (policy.gang === undefined) return;
  const { minCount } = policy.gang;
  if (minCount === 0) errors.required(`${path}.gang.minCount`);
  else if (minCount < 1) errors.invalid(`${path}.gang.minCount`, minCount, 'must be greater than or equal to 1');
}

function validateConstraints(constraints: PodGroupSchedulingConstraints | undefined, path: string, errors: FieldErrors): void {
  const topology = constraints?.topology ?? [];
  if (topology.length > 1) return errors.tooMany(`${path}.topology`, topology.length, 1);
  topology.forEach(({ key }, index) => validateText(key, labelKeyProblems, `${path}.topology[${index}].key`, errors));
}

function validateClaims(claims: readonly PodGroupResourceClaim[], path: string, errors: FieldErrors): void {
  if (claims.length > maxClaims) return errors.tooMany(path, claims.length, maxClaims);
  claims.forEach((claim, index) => {
    const at = `${path}[${index}]`;
    validateText(claim.name, dns1123LabelProblems, `${at}.name`, errors);
    validateUnion(claim, ['resourceClaimName', 'resourceClaimTemplateName'], at, errors);
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const name = claim[field];
      if (name !== undefined) errors.invalidEach(`${at}.${field}`, name, dns1123SubdomainProblems(name));
    }
  });
  validateNamedOnce(claims, path, errors, (claim) => claim);
}

function validateText(text: string, problems: Problems, path: string, errors: FieldErrors): void {
  if (text === '') errors.required(path);
  else errors.invalidEach(path, text, problems(text));
}

/** Exactly one of the members is set. */
function validateUnion(union: object, members: readonly string[], path: string, errors: FieldErrors): void {
  const all = members.map((member) => `\`${member}\``).join(', ');
  const set = members.filter((member) => (union as Readonly<Record<string, unknown>>)[member] !== undefined);
  if (set.length === 0) errors.invalid(path, '', `must specify one of: ${all}`);
  if (set.length > 1) errors.invalid(path, `{${set.join(', ')}}`, `must specify exactly one of: ${all}`);
}

function validateNamedOnce<T extends { readonly name: string }>(items: readonly T[], path: string, errors: FieldErrors, shown: (item: T) => unknown): void {
  const repeated = repeatedAt(items.map(({ name }) => name));
  items.forEach((item, index) => {
    if (repeated[index]) errors.duplicate(`${path}[${index}]`, shown(item));
  });
}
