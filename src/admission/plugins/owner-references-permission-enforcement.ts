// Whoever changes owners could have deleted the object, and whoever blocks an owner's deletion could have put a finalizer on it.
import { isDeepStrictEqual } from 'node:util';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { AskPermission } from '#admission/permission.ts';
import { isAbout, pods, refusal } from '#admission/request-subject.ts';
import type { OwnerReference } from '#api/object.ts';

export interface OwnedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** The resources of a kind; none when it is not served. */
export type ResourcesOfKind = (apiVersion: string, kind: string) => readonly OwnedResource[];

export function ownerReferencesPermissionEnforcement(ask: AskPermission, resourcesOfKind: ResourcesOfKind): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    validate(request) {
      const { operation, object, old } = request;
      if ((operation !== 'CREATE' && operation !== 'UPDATE') || isAbout(request, pods, 'status')) return undefined;
      const [now, before] = [object?.metadata?.ownerReferences ?? [], old?.metadata?.ownerReferences ?? []];
      return isDeepStrictEqual(now, before) ? undefined : enforce(request, newlyBlocking(now, before), { ask, resourcesOfKind });
    },
  };
}

/** Those that were there and blocked before need no leave. */
function newlyBlocking(now: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(({ uid }) => uid));
  return now.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blocked.has(uid));
}

interface Means {
  readonly ask: AskPermission;
  readonly resourcesOfKind: ResourcesOfKind;
}

async function enforce(request: AdmissionRequest, blocking: readonly OwnerReference[], means: Means): Promise<void> {
  if (request.operation !== 'CREATE') await refuseUnlessDeleter(request, means.ask);
  if (blocking.length === 0) return;
  const anything = { verb: 'update', group: '*', version: '*', resource: '*', subresource: 'finalizers', name: '*' };
  if ((await means.ask(request.user, anything)).allowed) return;
  for (const reference of blocking) await refuseUnlessFinalizer(request, reference, means);
}

async function refuseUnlessDeleter(request: AdmissionRequest, ask: AskPermission): Promise<void> {
  const { definition, subresource, namespace, name, user } = request;
  const { allowed, reason } = await ask(user, {
    verb: 'delete',
    group: definition.group,
    version: definition.version,
    resource: definition.plural,
    subresource,
    namespace,
    name,
  });
  if (!allowed) throw refusal(request, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
}

async function refuseUnlessFinalizer(request: AdmissionRequest, { apiVersion, kind, name }: OwnerReference, { ask, resourcesOfKind }: Means): Promise<void> {
  const resources = resourcesOfKind(apiVersion, kind);
  if (resources.length === 0) {
    const version = apiVersion.split('/').at(-1);
    const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
    const what = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(group === '' ? version : apiVersion)}`;
    throw refusal(request, `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${what}`);
  }
  for (const { namespaced, ...resource } of resources) {
    const permission = { verb: 'update', ...resource, subresource: 'finalizers', name, namespace: namespaced ? request.namespace : '' };
    const { allowed, reason } = await ask(request.user, permission);
    const why = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    if (!allowed) throw refusal(request, `${why}: ${reason}, <nil>`);
  }
}
