import { type Infer, int32, pointer, ref, required, struct } from '#schema/build.ts';

export const PodGroupSchedulingPolicy = struct(
  'io.k8s.api.scheduling.v1alpha2.PodGroupSchedulingPolicy',
  () => ({
    basic: pointer(1, ref<BasicSchedulingPolicy>(BasicSchedulingPolicy)),
    gang: pointer(2, ref<GangSchedulingPolicy>(GangSchedulingPolicy)),
  }),
  { unions: [{ 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } }] },
);
export interface PodGroupSchedulingPolicy extends Infer<typeof PodGroupSchedulingPolicy> {}

export const BasicSchedulingPolicy = struct('io.k8s.api.scheduling.v1alpha2.BasicSchedulingPolicy', () => ({}));
export interface BasicSchedulingPolicy extends Infer<typeof BasicSchedulingPolicy> {}

export const GangSchedulingPolicy = struct('io.k8s.api.scheduling.v1alpha2.GangSchedulingPolicy', () => ({
  minCount: required(1, int32),
}));
export interface GangSchedulingPolicy extends Infer<typeof GangSchedulingPolicy> {}
