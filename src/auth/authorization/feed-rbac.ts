// Keeps the RBAC policy in step with the stored roles and bindings.
import type { KubernetesObject } from '#api/object.ts';
import { type Follower, mirror, mirrorItems, type Sources } from '#api/source.ts';
import type { PolicyRule } from '#auth/authorization/policy-rule.ts';
import type { RbacPolicy, Subject } from '#auth/authorization/rbac.ts';
import { lazily } from '#base/lazily.ts';

const group = 'rbac.authorization.k8s.io';

/** Resolves when all that is stored is in the policy; follows changes until `signal` aborts. */
export async function feedRbac(sources: Sources, policy: RbacPolicy, signal: AbortSignal): Promise<void> {
  const follow = (resource: string, follower: Follower) => sources.of({ group, resource }).follow(follower, signal);
  await Promise.all([
    follow('roles', roleFollower(policy)),
    follow('clusterroles', roleFollower(policy)),
    follow('rolebindings', bindingFollower(policy)),
    follow('clusterrolebindings', bindingFollower(policy)),
  ]);
}

function roleFollower(policy: RbacPolicy): Follower {
  // Most roles are of nobody who asks: their rules are parsed when somebody is bound to them.
  return mirrorItems({
    put: (item) =>
      policy.setRole(
        item.namespace,
        item.name,
        lazily(() => rulesOf(item.object)),
      ),
    drop: (namespace, name) => policy.removeRole(namespace, name),
  });
}

function rulesOf({ rules }: KubernetesObject): readonly PolicyRule[] {
  return (rules as readonly PolicyRule[] | null | undefined) ?? [];
}

function bindingFollower(policy: RbacPolicy): Follower {
  return mirror({
    put: (binding) => policy.setBinding(bindingOf(binding)),
    drop: (namespace, name) => policy.removeBinding(namespace, name),
  });
}

function bindingOf({ metadata, roleRef, subjects }: KubernetesObject) {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    roleRef: roleRef as { kind: string; name: string },
    subjects: (subjects as readonly Subject[] | null) ?? [],
  };
}
