// How built-in resources lie in a store: our own stores keep the JSON that is served; in an etcd the original may work on the same objects.
import type { ServerOptions } from '#app/flags/options.ts';
import type { StoreKind } from '#app/open-store.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export async function resourcesIn(kind: StoreKind, { flags }: ServerOptions): Promise<readonly ResourceDefinition[]> {
  if (kind !== 'etcd') return builtinResources;
  const [{ inOriginalForm }, { definitionFromV1beta1 }] = await Promise.all([
    import('#resource/original-form.ts'),
    import('#kinds/apiextensions/v1/stored-v1beta1.ts'),
  ]);
  const mediaType = flags.text('storage-media-type') === 'application/json' ? 'application/json' : 'application/vnd.kubernetes.protobuf';
  return inOriginalForm(builtinResources, mediaType, { 'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': definitionFromV1beta1 });
}
