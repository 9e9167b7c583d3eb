// What the expressions of validating and mutating policies have in common: match conditions, variables, and what they may name.
import { compileMatchConditions, type MatchCondition, type MatchConditions } from '#admission/expressions/match-conditions.ts';
import type { CompiledVariable } from '#admission/policies/policy-variables.ts';
import { AdmissionCompiler, type AdmissionVariables } from '#cel/admission-environment.ts';

export interface PolicyExpressions {
  readonly conditions: MatchConditions;
  readonly variables: readonly CompiledVariable[];
}

interface PolicySpec {
  readonly paramKind?: object | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly variables?: readonly { readonly name: string; readonly expression: string }[] | undefined;
}

export interface CommonCompilation extends PolicyExpressions {
  /** For the rest of the policy's expressions, which may name its variables. */
  readonly compiler: AdmissionCompiler;
  readonly has: AdmissionVariables;
}

export function compileCommon({ paramKind, matchConditions = [], variables = [] }: PolicySpec): CommonCompilation {
  const has = { params: paramKind !== undefined, authorizer: true };
  const compiler = new AdmissionCompiler({ composed: true });
  return {
    compiler,
    has,
    conditions: compileMatchConditions(matchConditions, has.params),
    variables: variables.map(({ name, expression }) => ({ name, compilation: compiler.compileVariable(name, expression, has, 'stored') })),
  };
}
