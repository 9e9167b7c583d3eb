import { type Infer, required, string, struct } from '#schema/build.ts';

export const MatchCondition = struct('io.k8s.api.admissionregistration.v1.MatchCondition', () => ({
  name: required(1, string),
  expression: required(2, string),
}));
export interface MatchCondition extends Infer<typeof MatchCondition> {}
