// What the expressions of validating and mutating policies have in common: match conditions, variables, and what they may name.
import { type AdmissionFacts, conditionsActivation } from '#admission/expressions/admission-activation.ts';
import { compileMatchConditions, match, type MatchCondition, type MatchConditions, type MatchVerdict } from '#admission/expressions/match-conditions.ts';
import type { CompiledVariable } from '#admission/policies/policy-variables.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { AdmissionCompiler, type AdmissionVariables } from '#cel/admission-environment.ts';

export interface PolicyExpressions {
  /** Undefined when there are none. */
  readonly conditions: MatchConditions | undefined;
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
    conditions: matchConditions.length === 0 ? undefined : compileMatchConditions(matchConditions, has.params),
    variables: variables.map(({ name, expression }) => ({ name, compilation: compiler.compileVariable(name, expression, has, 'stored') })),
  };
}

/** `begin` is called where there are conditions; what it returns hears their verdict. */
export function verdictOn(
  { conditions }: PolicyExpressions,
  facts: AdmissionFacts,
  begin: (() => (verdict: MatchVerdict) => void) | undefined,
): MaybePromise<MatchVerdict> {
  if (conditions === undefined) return match;
  const done = begin?.();
  return andThen(conditions(conditionsActivation(facts)), (verdict) => {
    done?.(verdict);
    return verdict;
  });
}
