// Deletes every object of a resource that goes away itself. No admission plugin is asked, as upstream's CRDFinalizer asks none.
import { AdmissionChain } from '#admission/admission.ts';
import { ApiError } from '#api/api-error.ts';
import { inParallel } from '#base/in-parallel.ts';
import { loopbackUser } from '#api/user.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { Call, World } from '#verbs/call.ts';
import { remove } from '#verbs/delete.ts';

const workers = 8;

/** How many are left when every object was told to go: finalizers hold them. */
export async function removeAll(world: World, hub: ResourceDefinition, signal: AbortSignal): Promise<number> {
  const cache = await world.caches.ready(hub);
  const call = callTo({ ...world, admission: new AdmissionChain([]) }, hub, signal);
  const due = cache.inNamespace('').filter(({ object }) => object.metadata.deletionTimestamp === undefined);
  await inParallel(due, workers, ({ namespace, name }) => removeOne({ ...call, namespace, name }));
  await cache.isLatest({ signal });
  return cache.inNamespace('').length;
}

async function removeOne(call: Call): Promise<void> {
  try {
    await remove(call, {}, 'not asked');
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}

function callTo(world: World, hub: ResourceDefinition, signal: AbortSignal): Call {
  return {
    world,
    definition: hub,
    hub,
    subresource: '',
    namespace: '',
    name: '',
    user: loopbackUser,
    query: new URLSearchParams(),
    pathBehind: '',
    userAgent: '',
    asker: { gone: false, signal, onGone: (listener) => onAbort(signal, listener) },
    warn: () => undefined,
    annotate: () => undefined,
  };
}

function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
