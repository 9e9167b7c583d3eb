// A ValidatingAdmissionPolicy with everything compiled that its expressions need; made once per version of the policy.
import { compileCommon, type PolicyExpressions } from '#admission/policies/policy-expressions.ts';
import type { AdmissionCompilation } from '#cel/admission-environment.ts';
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

export interface CompiledPolicy extends PolicyExpressions {
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

export function compilePolicy({ spec }: ValidatingAdmissionPolicy): CompiledPolicy {
  const { compiler, has, conditions, variables } = compileCommon(spec);
  const validations = (spec.validations ?? []).map((source): CompiledValidation => {
    const { expression, messageExpression } = source;
    return {
      source,
      rule: compiler.compile(expression, [boolType], has, 'stored'),
      message: messageExpression ? compiler.compile(messageExpression, [stringType], { ...has, authorizer: false }, 'stored') : undefined,
    };
  });
  const annotations = (spec.auditAnnotations ?? []).map((source): CompiledAnnotation => {
    return { source, value: compiler.compile(source.valueExpression.trim(), [stringType, nullType], has, 'stored') };
  });
  return { conditions, variables, validations, annotations };
}
