// A MutatingAdmissionPolicy with everything compiled that its expressions need.
import { compileCommon, type PolicyExpressions } from '#admission/policies/policy-expressions.ts';
import type { AdmissionCompilation } from '#cel/admission-environment.ts';
import { jsonPatchType } from '#cel/library/json-patch.ts';
import { listType, objectType } from '#cel/type.ts';
import type { MutatingAdmissionPolicy } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';

export interface CompiledMutation {
  readonly is: 'applyConfiguration' | 'jsonPatch';
  readonly expression: string;
  readonly compilation: AdmissionCompilation;
}

export interface CompiledMutations extends PolicyExpressions {
  readonly mutations: readonly CompiledMutation[];
}

export function compileMutations({ spec }: MutatingAdmissionPolicy): CompiledMutations {
  const { compiler, has, conditions, variables } = compileCommon(spec);
  const mutations = (spec.mutations ?? []).map(({ patchType, applyConfiguration, jsonPatch }): CompiledMutation => {
    const is = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    const expression = ((is === 'jsonPatch' ? jsonPatch : applyConfiguration)?.expression ?? '').trim();
    const wanted = is === 'jsonPatch' ? listType(jsonPatchType) : objectType('Object');
    return { is, expression, compilation: compiler.compile(expression, [wanted], { ...has, patches: true }, 'stored') };
  });
  return { conditions, variables, mutations };
}
