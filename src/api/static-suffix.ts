/** Ends the names of webhook configurations, policies and bindings that come from static manifests. */
export const staticSuffix = '.static.k8s.io';
