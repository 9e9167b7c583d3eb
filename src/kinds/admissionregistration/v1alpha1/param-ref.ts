import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { type Infer, optional, pointer, ref, string, struct } from '#schema/build.ts';

export const ParamRef = struct(
  'io.k8s.api.admissionregistration.v1alpha1.ParamRef',
  () => ({
    name: optional(1, string),
    namespace: optional(2, string),
    selector: pointer(3, ref<LabelSelector>(LabelSelector)),
    parameterNotFoundAction: pointer(4, string, { enum: ['Allow', 'Deny'], goType: 'v1alpha1.ParameterNotFoundActionType' }),
  }),
  { atomic: true },
);
export interface ParamRef extends Infer<typeof ParamRef> {}
