import { type Infer, required, string, struct } from '#schema/build.ts';

export const Variable = struct(
  'io.k8s.api.admissionregistration.v1.Variable',
  () => ({
    name: required(1, string, { protoName: 'Name' }),
    expression: required(2, string, { protoName: 'Expression' }),
  }),
  { atomic: true },
);
export interface Variable extends Infer<typeof Variable> {}
