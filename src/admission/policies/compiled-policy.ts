// A ValidatingAdmissionPolicy with everything compiled that its expressions need; made once per version of the policy.
import { compileMatchConditions, type MatchConditions } from '#admission/expressions/match-conditions.ts';
import type { CompiledVariable } from '#admission/policies/policy-variables.ts';
import { type AdmissionCompilation, AdmissionCompiler } from '#cel/admission-environment.ts';
import { boolType, nullType, stringType } from '#cel/type.ts';
import type { AuditAnnotation, ValidatingAdmissionPolicy, Validation } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';

export interface CompiledValidation {
  readonly source: Validation;
  readonly rule: AdmissionCompilation;
  readonly message: AdmissionCompilation | undefined;
}

export interface CompiledAnnotation {
  readonly source: AuditAnnotation;
  readonly value: AdmissionCompilation;
}

export interface CompiledPolicy {
  readonly conditions: MatchConditions;
  readonly variables: readonly CompiledVariable[];
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

export function compilePolicy({ spec }: ValidatingAdmissionPolicy): CompiledPolicy {
  const params = spec.paramKind !== undefined;
  const has = { params, authorizer: true };
  const compiler = new AdmissionCompiler({ composed: true });
  const variables = (spec.variables ?? []).map(({ name, expression }) => ({ name, compilation: compiler.compileVariable(name, expression, has, 'stored') }));
  return {
    conditions: compileMatchConditions(spec.matchConditions ?? [], params),
    variables,
    validations: (spec.validations ?? []).map((source) => ({
      source,
      rule: compiler.compile(source.expression, [boolType], has, 'stored'),
      message: source.messageExpression ? compiler.compile(source.messageExpression, [stringType], { params, authorizer: false }, 'stored') : undefined,
    })),
    annotations: (spec.auditAnnotations ?? []).map((source) => ({
      source,
      value: compiler.compile(source.valueExpression.trim(), [stringType, nullType], has, 'stored'),
    })),
  };
}
