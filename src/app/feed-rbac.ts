// Keeps the RBAC policy in step with the stored roles and bindings.
import type { KubernetesObject } from '#api/object.ts';
import { followCache, type Follower } from '#app/follow-cache.ts';
import type { PolicyRule } from '#auth/authorization/policy-rule.ts';
import type { RbacPolicy, Subject } from '#auth/authorization/rbac.ts';
import type { World } from '#verbs/call.ts';

const group = 'rbac.authorization.k8s.io';

/** Resolves when all that is stored is in the policy; follows changes until `signal` aborts. */
export async function feedRbac(world: Pick<World, 'catalog' | 'caches'>, policy: RbacPolicy, signal: AbortSignal): Promise<void> {
  const follow = async (resource: string, follower: Follower) => {
    const definition = world.catalog.find(group, 'v1', resource);
    if (definition !== undefined) await followCache(world, definition, follower, signal);
  };
  const roles = roleFollower(policy);
  const bindings = bindingFollower(policy);
  await Promise.all([follow('roles', roles), follow('clusterroles', roles), follow('rolebindings', bindings), follow('clusterrolebindings', bindings)]);
}

function roleFollower(policy: RbacPolicy): Follower {
  return {
    put: ({ metadata, rules }) => policy.setRole(metadata.namespace ?? '', metadata.name ?? '', (rules as readonly PolicyRule[] | null) ?? []),
    drop: ({ metadata }) => policy.removeRole(metadata.namespace ?? '', metadata.name ?? ''),
  };
}

function bindingFollower(policy: RbacPolicy): Follower {
  return {
    put: (binding) => policy.setBinding(bindingOf(binding)),
    drop: ({ metadata }) => policy.removeBinding(metadata.namespace ?? '', metadata.name ?? ''),
  };
}

function bindingOf({ metadata, roleRef, subjects }: KubernetesObject) {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    roleRef: roleRef as { kind: string; name: string },
    subjects: (subjects as readonly Subject[] | null) ?? [],
  };
}
