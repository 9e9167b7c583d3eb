// How admission policies are written, judged and shown.
import { expressionsIn } from '#kinds/admissionregistration/v1/expression-validation.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { type PolicyRules, validateMutatingPolicySpec, validateValidatingPolicySpec } from '#kinds/admissionregistration/v1/admission-policy-validation.ts';
import type { MutatingAdmissionPolicy } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import type { ParamKind } from '#kinds/admissionregistration/v1/param-kind.ts';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyStatus } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { jsonPathProblem } from '#kinds/rules/json-paths.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { FieldErrors } from '#api/field-error.ts';
import type { Column } from '#resource/column.ts';
import { validateMetadata } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

const nameRules = { namespaced: false, name: nameIsSubdomain };

export const validatingPolicyStrategy: Strategy<ValidatingAdmissionPolicy> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(policy) {
    policy.status = {};
    startGeneration(policy.metadata);
  },
  validate({ metadata, spec }, errors) {
    validateMetadata(metadata, nameRules, 'metadata', errors);
    validateValidatingPolicySpec(spec, metadata.name ?? '', allRules, errors);
  },
  prepareForUpdate(policy, old) {
    policy.status = old.status;
    countGeneration(policy.metadata, old.metadata, policy.spec, old.spec);
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateMetadata(metadata, nameRules, 'metadata', errors);
    validateValidatingPolicySpec(spec, metadata.name ?? '', rulesAfter(spec, old.spec), errors);
  },
  subresources: {
    status: {
      prepareForUpdate(policy, old) {
        policy.spec = old.spec;
        keepMetadataForStatus(policy.metadata, old.metadata);
      },
      validateUpdate: ({ status }, _old, errors) => validateStatus(status, errors),
      resetFields: [['metadata'], ['spec']],
    },
  },
};

export const mutatingPolicyStrategy: Strategy<MutatingAdmissionPolicy> = {
  allowUnconditionalUpdate: false,
  prepareForCreate: ({ metadata }) => startGeneration(metadata),
  validate({ metadata, spec }, errors) {
    validateMetadata(metadata, nameRules, 'metadata', errors);
    validateMutatingPolicySpec(spec, allRules, errors);
  },
  prepareForUpdate: ({ metadata, spec }, old) => countGeneration(metadata, old.metadata, spec, old.spec),
  validateUpdate({ metadata, spec }, old, errors) {
    validateMetadata(metadata, nameRules, 'metadata', errors);
    validateMutatingPolicySpec(spec, rulesAfter(spec, old.spec), errors);
  },
};

interface Matching {
  readonly paramKind?: ParamKind | undefined;
  readonly matchConditions?: readonly object[] | undefined;
}

const allRules: PolicyRules = { conditions: true, stored: new Set() };

function rulesAfter({ paramKind, matchConditions }: Matching, old: Matching): PolicyRules {
  return { conditions: !semanticEqual([paramKind, matchConditions], [old.paramKind, old.matchConditions]), stored: expressionsIn(old) };
}

function validateStatus({ typeChecking, conditions }: ValidatingAdmissionPolicyStatus, errors: FieldErrors): void {
  typeChecking?.expressionWarnings?.forEach(({ warning, fieldRef }, index) => {
    const path = `status.typeChecking.expressionWarnings[${index}]`;
    if (warning === '') errors.required(`${path}.warning`);
    validateFieldRef(fieldRef, `${path}.fieldRef`, errors);
  });
  validateConditions(conditions, 'status.conditions', errors);
}

function validateFieldRef(given: string, path: string, errors: FieldErrors): void {
  const fieldRef = given.trim();
  if (fieldRef === '') return errors.required(path);
  const problem = jsonPathProblem(fieldRef);
  if (problem !== undefined) errors.invalid(path, fieldRef, `invalid JSONPath: ${problem}`);
}

export const validatingPolicyColumns: readonly Column<ValidatingAdmissionPolicy>[] = [
  nameColumn(),
  { name: 'Validations', type: 'integer', read: ({ spec }) => spec.validations?.length ?? 0 },
  { name: 'ParamKind', type: 'string', read: ({ spec }) => paramKindCell(spec.paramKind) },
  ageColumn(),
];

export const mutatingPolicyColumns: readonly Column<MutatingAdmissionPolicy>[] = [
  nameColumn(),
  { name: 'Mutations', type: 'integer', read: ({ spec }) => spec.mutations?.length ?? 0 },
  { name: 'ParamKind', type: 'string', read: ({ spec }) => paramKindCell(spec.paramKind) },
  ageColumn(),
];

function paramKindCell(kind: ParamKind | undefined): string {
  return kind === undefined ? '<unset>' : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`;
}
