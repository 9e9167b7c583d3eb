// The Writer of policy code: ordinary requests of the server itself, over the in-process transport.
import type { Writer } from '#api/lister.ts';
import type { GroupResource } from '#api/names.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

export function clientWriter(client: RestClient, catalog: ResourceCatalog): Writer {
  const addressOf = (resource: GroupResource) => addressIn(catalog, resource);
  return {
    create: (resource, namespace, object) => client.create(addressOf(resource), namespace, object),
    update: (resource, namespace, object, subresource = '') =>
      client.update(addressOf(resource), { ...object, metadata: { ...object.metadata, namespace } }, subresource),
    async delete(resource, namespace, name, preconditions) {
      await client.delete(addressOf(resource), namespace, name, preconditions ? { preconditions } : {});
    },
  };
}

export function addressIn(catalog: ResourceCatalog, { group, resource }: GroupResource): ResourceAddress {
  const definition = catalog.versionsOf(group, resource)[0];
  if (definition === undefined) throw new Error(`no resource ${resource} in group "${group}"`);
  return { group, version: definition.version, resource, namespaced: definition.namespaced };
}
