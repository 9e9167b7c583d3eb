import { bytes, type Infer, int32, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const WebhookClientConfig = struct('io.k8s.api.admissionregistration.v1.WebhookClientConfig', () => ({
  url: pointer(3, string),
  service: pointer(1, ref<ServiceReference>(ServiceReference)),
  caBundle: optional(2, bytes),
}));
export interface WebhookClientConfig extends Infer<typeof WebhookClientConfig> {}

export const ServiceReference = struct('io.k8s.api.admissionregistration.v1.ServiceReference', () => ({
  namespace: required(1, string),
  name: required(2, string),
  path: pointer(3, string),
  port: pointer(4, int32),
}));
export interface ServiceReference extends Infer<typeof ServiceReference> {}
