import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';

/** Another write may have been faster: what was counted is true all the same, and is written once more. */
export async function writeStatus<T extends KubernetesObject>(client: RestClient, resource: ResourceAddress, owner: T, status: T['status']): Promise<void> {
  try {
    await client.updateBriefly(resource, { ...owner, status }, 'status');
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 409)) return unlessGone(Promise.reject(error));
    const { namespace = '', name = '', uid } = owner.metadata;
    const fresh = await client.find<T>(resource, namespace, name);
    if (fresh && fresh.metadata.uid === uid) await unlessGone(client.updateBriefly(resource, { ...fresh, status }, 'status'));
  }
}
