// Ingresses that name no class get the cluster's default.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { newestMarked } from '#api/newest-marked.ts';
import { only } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Ingress } from '#kinds/networking/v1/ingress.ts';

const ingresses = { group: 'networking.k8s.io', resource: 'ingresses' };
const classes = { group: 'networking.k8s.io', resource: 'ingressclasses' };
const marks = ['ingressclass.kubernetes.io/is-default-class'];
const oldClassName = 'kubernetes.io/ingress.class';

export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  matches: only(['CREATE'], ingresses),
  mutate(request) {
    const { spec, metadata } = request.object as unknown as Ingress & KubernetesObject;
    if (spec.ingressClassName !== undefined || metadata.annotations?.[oldClassName] !== undefined) return undefined;
    return fillIn(request, spec);
  },
};

async function fillIn({ lister }: AdmissionRequest, spec: Ingress['spec']): Promise<void> {
  const chosen = newestMarked(await lister.list(classes), marks);
  if (chosen?.metadata.name) spec.ingressClassName = chosen.metadata.name;
}
