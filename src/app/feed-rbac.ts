// Keeps the RBAC policy in step with the stored roles and bindings, from the watch caches: no request, no delay.
import type { KubernetesObject } from '#api/object.ts';
import type { RbacPolicy, Subject } from '#auth/authorization/rbac.ts';
import type { PolicyRule } from '#auth/authorization/policy-rule.ts';
import type { World } from '#verbs/call.ts';

const group = 'rbac.authorization.k8s.io';

/** Resolves when all that is stored is in the policy; follows changes until `signal` aborts. */
export async function feedRbac({ catalog, caches }: Pick<World, 'catalog' | 'caches'>, policy: RbacPolicy, signal: AbortSignal): Promise<void> {
  await Promise.all(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map((resource) => follow(resource)));

  async function follow(resource: string): Promise<void> {
    const definition = catalog.find(group, 'v1', resource);
    if (definition === undefined) return;
    const cache = await caches.ready(definition);
    const put = resource.endsWith('bindings') ? putBinding : putRole;
    const drop = resource.endsWith('bindings') ? dropBinding : dropRole;
    await new Promise<void>((listed) => void pump(listed));

    async function pump(listed: () => void): Promise<void> {
      while (!signal.aborted) {
        const watcher = cache.watch({ namespace: '', after: 'initial', bookmarks: true, markInitialEnd: true, signal });
        if (watcher === 'too-old') continue;
        for await (const events of watcher) {
          for (const event of events) {
            if (event.item === undefined) listed();
            else if (event.type === 'DELETED') drop(event.item.object);
            else put(event.item.object);
          }
        }
      }
    }
  }

  function putRole({ metadata, rules }: KubernetesObject): void {
    policy.setRole(metadata.namespace ?? '', metadata.name ?? '', (rules as readonly PolicyRule[] | null) ?? []);
  }

  function dropRole({ metadata }: KubernetesObject): void {
    policy.removeRole(metadata.namespace ?? '', metadata.name ?? '');
  }

  function putBinding({ metadata, roleRef, subjects }: KubernetesObject): void {
    policy.setBinding({
      namespace: metadata.namespace ?? '',
      name: metadata.name ?? '',
      roleRef: roleRef as { kind: string; name: string },
      subjects: (subjects as readonly Subject[] | null) ?? [],
    });
  }

  function dropBinding({ metadata }: KubernetesObject): void {
    policy.removeBinding(metadata.namespace ?? '', metadata.name ?? '');
  }
}
