import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const IngressClass = rootStruct(
  'io.k8s.api.networking.v1.IngressClass',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<IngressClassSpec>(IngressClassSpec)),
  }),
  { gvks: [['networking.k8s.io', 'v1', 'IngressClass']] },
);
export interface IngressClass extends Infer<typeof IngressClass> {}

export const IngressClassList = rootStruct(
  'io.k8s.api.networking.v1.IngressClassList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<IngressClass>(IngressClass))),
  }),
  { gvks: [['networking.k8s.io', 'v1', 'IngressClassList']] },
);
export interface IngressClassList extends Infer<typeof IngressClassList> {}

export const IngressClassSpec = struct('io.k8s.api.networking.v1.IngressClassSpec', () => ({
  controller: optional(1, string),
  parameters: pointer(2, ref<IngressClassParametersReference>(IngressClassParametersReference)),
}));
export interface IngressClassSpec extends Infer<typeof IngressClassSpec> {}

export const IngressClassParametersReference = struct('io.k8s.api.networking.v1.IngressClassParametersReference', () => ({
  apiGroup: pointer(1, string, { protoName: 'aPIGroup' }),
  kind: required(2, string),
  name: required(3, string),
  scope: pointer(4, string, { written: 'always' }),
  namespace: pointer(5, string),
}));
export interface IngressClassParametersReference extends Infer<typeof IngressClassParametersReference> {}
