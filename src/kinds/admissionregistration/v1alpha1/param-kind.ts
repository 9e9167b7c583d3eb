import { type Infer, optional, string, struct } from '#schema/build.ts';

export const ParamKind = struct(
  'io.k8s.api.admissionregistration.v1alpha1.ParamKind',
  () => ({
    apiVersion: optional(1, string),
    kind: optional(2, string),
  }),
  { atomic: true },
);
export interface ParamKind extends Infer<typeof ParamKind> {}
