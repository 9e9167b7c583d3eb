// The service `kubernetes`, by which pods reach this server, and the network it and all other services get their addresses from.
import { formatIp, parseCidrSloppy } from '#base/ip-address.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { createUnlessThere } from '#controllers/bootstrap/ensure.ts';

export interface ServerFacts {
  /** CIDRs of cluster addresses. */
  readonly ranges: readonly string[];
  readonly port: number;
}

const serviceCidrs: ResourceAddress = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs', namespaced: false };
const services: ResourceAddress = { group: '', version: 'v1', resource: 'services', namespaced: true };
const name = 'kubernetes';
const namespace = 'default';

/** The network as an object; a range that was added to the flags is added to it. */
export async function ensureServiceCidr(client: RestClient, { ranges }: ServerFacts, now: Date): Promise<void> {
  await createUnlessThere(client, serviceCidrs, { kind: 'ServiceCIDR', metadata: { name }, spec: { cidrs: ranges } });
  const stored = await client.get(serviceCidrs, '', name);
  const { conditions = [] } = (stored['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] };
  if (conditions.some(({ type }) => type === 'Ready')) return;
  const lastTransitionTime = `${now.toISOString().slice(0, 19)}Z`;
  const ready = { type: 'Ready', status: 'True', lastTransitionTime, message: 'Kubernetes default Service CIDR is ready' };
  const wanted = { kind: 'ServiceCIDR', apiVersion: 'networking.k8s.io/v1', metadata: { name }, status: { conditions: [ready] } };
  await client.apply(serviceCidrs, wanted, { fieldManager: 'kubernetes-service-cidr-controller', force: true, subresource: 'status' });
}

export async function ensureKubernetesService(client: RestClient, facts: ServerFacts): Promise<void> {
  if ((await client.find(services, namespace, name)) === undefined) await createUnlessThere(client, services, kubernetesService(facts));
}

function kubernetesService({ ranges, port }: ServerFacts): KubernetesObject {
  return {
    kind: 'Service',
    metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: firstAddress(ranges[0] ?? ''),
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
    },
  };
}

/** The first one that a host may have. */
function firstAddress(range: string): string {
  const network = parseCidrSloppy(range);
  return network === undefined ? '' : formatIp({ family: network.base.family, value: network.base.value + 1n });
}
