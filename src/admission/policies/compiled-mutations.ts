// A MutatingAdmissionPolicy with everything compiled that its expressions need.
import { compileMatchConditions, type MatchConditions } from '#admission/expressions/match-conditions.ts';
import type { CompiledVariable } from '#admission/policies/policy-variables.ts';
import { type AdmissionCompilation, AdmissionCompiler } from '#cel/admission-environment.ts';
import { jsonPatchType } from '#cel/library/json-patch.ts';
import { listType, objectType } from '#cel/type.ts';
import type { MutatingAdmissionPolicy } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';

export interface CompiledMutation {
  readonly is: 'applyConfiguration' | 'jsonPatch';
  readonly expression: string;
  readonly compilation: AdmissionCompilation;
}

export interface CompiledMutations {
  readonly conditions: MatchConditions;
  readonly variables: readonly CompiledVariable[];
  readonly mutations: readonly CompiledMutation[];
}

export function compileMutations({ spec }: MutatingAdmissionPolicy): CompiledMutations {
  const params = spec.paramKind !== undefined;
  const compiler = new AdmissionCompiler({ composed: true });
  const variables = (spec.variables ?? []).map(({ name, expression }) => ({
    name,
    compilation: compiler.compileVariable(name, expression, { params, authorizer: true }, 'stored'),
  }));
  const has = { params, authorizer: true, patches: true };
  return {
    conditions: compileMatchConditions(spec.matchConditions ?? [], params),
    variables,
    mutations: (spec.mutations ?? []).map(({ patchType, applyConfiguration, jsonPatch }) => {
      const is = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
      const expression = ((is === 'jsonPatch' ? jsonPatch : applyConfiguration)?.expression ?? '').trim();
      const wanted = is === 'jsonPatch' ? listType(jsonPatchType) : objectType('Object');
      return { is, expression, compilation: compiler.compile(expression, [wanted], has, 'stored') };
    }),
  };
}
