// A node asks for tokens of its own pods only, for audiences that these pods have a use for.
import type { NodeRequest } from '#admission/node-restriction/node-request.ts';
import { storedPod } from '#admission/node-restriction/node-request.ts';
import type { AskPermission } from '#admission/permission.ts';
import { refusal, type StoredPod } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { TokenRequest } from '#kinds/authentication/v1/token-request.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';
import type { CSIDriver } from '#kinds/storage/v1/csi-driver.ts';

const claims = { group: '', resource: 'persistentvolumeclaims' };
const volumes = { group: '', resource: 'persistentvolumes' };
const drivers = { group: 'storage.k8s.io', resource: 'csidrivers' };

export async function tokenRule({ request, node }: NodeRequest, ask: AskPermission): Promise<void> {
  if (request.operation !== 'CREATE' || request.subresource !== 'token') return;
  const { boundObjectRef, audiences = [] } = (request.object as unknown as TokenRequest).spec;
  if (boundObjectRef?.apiVersion !== 'v1' || boundObjectRef.kind !== 'Pod' || !boundObjectRef.name)
    throw refusal(request, 'node requested token not bound to a pod');
  const { name, uid } = boundObjectRef;
  if (!uid) throw refusal(request, 'node requested token with a pod binding without a uid');
  const pod = await storedPod(request, name);
  if (pod.metadata.uid !== uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refusal(request, why);
  }
  if (pod.spec.nodeName !== node) throw refusal(request, 'node requested token bound to a pod scheduled on a different node');
  if (request.gate('ServiceAccountNodeAudienceRestriction')) await audienceRule({ request, node }, pod, audiences, ask);
}

async function audienceRule({ request }: NodeRequest, pod: StoredPod, audiences: readonly string[], ask: AskPermission): Promise<void> {
  if (audiences.length > 1) throw refusal(request, 'node may only request 0 or 1 audiences');
  const audience = audiences[0] ?? '';
  for (const volume of pod.spec.volumes ?? []) if (await usesAudience({ request, node: '' }, pod, volume, audience)) return;
  const { namespace, name, user } = request;
  const permission = { verb: 'request-serviceaccounts-token-audience', group: '', version: 'v1', resource: audience, namespace, name };
  if ((await ask(user, permission)).allowed) return;
  const why = `audience ${JSON.stringify(audience)} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;
  throw refusal(request, why);
}

async function usesAudience(of: NodeRequest, pod: StoredPod, volume: Volume, audience: string): Promise<boolean> {
  if (volume.projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken && (serviceAccountToken.audience ?? '') === audience)) return true;
  const driver = await driverOf(of, pod, volume);
  if (driver === undefined) return false;
  const found = await of.request.lister.get<CSIDriver & KubernetesObject>(drivers, '', driver);
  return (found?.spec.tokenRequests ?? []).some((token) => (token.audience ?? '') === audience);
}

async function driverOf({ request }: NodeRequest, pod: StoredPod, volume: Volume): Promise<string | undefined> {
  if (volume.csi) return volume.csi.driver;
  const claimName = volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : volume.persistentVolumeClaim?.claimName;
  if (claimName === undefined) return undefined;
  const claim = await request.lister.get<PersistentVolumeClaim & KubernetesObject>(claims, request.namespace, claimName);
  const bound = claim?.spec.volumeName ? await request.lister.get<PersistentVolume & KubernetesObject>(volumes, '', claim.spec.volumeName) : undefined;
  return bound?.spec.csi?.driver;
}
