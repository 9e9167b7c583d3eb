import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, microTime, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const LeaseCandidate = rootStruct(
  'io.k8s.api.coordination.v1beta1.LeaseCandidate',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<LeaseCandidateSpec>(LeaseCandidateSpec), { mandatory: true }),
  }),
  { gvks: [['coordination.k8s.io', 'v1beta1', 'LeaseCandidate']] },
);
export interface LeaseCandidate extends Infer<typeof LeaseCandidate> {}

export const LeaseCandidateList = rootStruct(
  'io.k8s.api.coordination.v1beta1.LeaseCandidateList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<LeaseCandidate>(LeaseCandidate))),
  }),
  { gvks: [['coordination.k8s.io', 'v1beta1', 'LeaseCandidateList']] },
);
export interface LeaseCandidateList extends Infer<typeof LeaseCandidateList> {}

export const LeaseCandidateSpec = struct('io.k8s.api.coordination.v1beta1.LeaseCandidateSpec', () => ({
  leaseName: required(1, string),
  pingTime: pointer(2, microTime),
  renewTime: pointer(3, microTime),
  binaryVersion: required(4, string),
  emulationVersion: optional(5, string),
  strategy: required(6, string, { written: 'nonempty', goType: 'v1.CoordinatedLeaseStrategy' }),
}));
export interface LeaseCandidateSpec extends Infer<typeof LeaseCandidateSpec> {}
