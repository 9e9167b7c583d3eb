import { typeWarnings } from '#admission/policies/type-check.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { policyStatus } from '#controllers/policy-status-controller.ts';

export const buildPolicyStatus: BuildController = ({ server: { reads }, loops, client }) => {
  const { sources, catalog } = reads;
  return policyStatus({ ...loops, client, sources, check: (policy) => typeWarnings(policy, catalog) });
};
