import type { StateObject } from '#cli/state/state-object.ts';

/** Objects by which a server describes itself: every server makes its own, and those of another would be wrong. */
export function describesServer({ kind, metadata }: StateObject): boolean {
  const { name, namespace, labels = {}, annotations = {} } = metadata;
  if (kind === 'APIService') return 'kube-aggregator.kubernetes.io/automanaged' in labels;
  if (kind === 'Lease') return 'apiserver.kubernetes.io/identity' in labels;
  if (kind === 'ConfigMap') return name === 'kube-root-ca.crt' || (namespace === 'kube-system' && name === 'extension-apiserver-authentication');
  // Addresses are made with their services.
  if (kind === 'IPAddress') return true;
  if (kind === 'ServiceCIDR') return name === 'kubernetes';
  if (['Service', 'Endpoints', 'EndpointSlice'].includes(kind)) return namespace === 'default' && name === 'kubernetes';
  // Flow schemas and priority levels that the server keeps as they are made with it.
  return annotations['apf.kubernetes.io/autoupdate-spec'] === 'true';
}
