// Role-based access control. Bindings are indexed by subject, so a decision costs what the user's own bindings cost,
// however many others there are.
import type { User } from '#api/user.ts';
import { type PolicyRule, ruleAllows } from '#auth/authorization/policy-rule.ts';
import type { AccessAttributes, Authorizer, Verdict } from '#auth/authorizer.ts';

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface RbacBinding {
  /** '' for ClusterRoleBindings. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
}

/** A binding as it concerns one user. */
export interface Grant {
  readonly binding: RbacBinding;
  readonly subject: Subject;
}

export class RbacPolicy {
  /** By `<namespace>/<name>`; cluster roles have the namespace ''. */
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, RbacBinding>();
  /** By subject, then by namespace of the binding. */
  readonly #grants = new Map<string, Map<string, Set<Grant>>>();

  setRole(namespace: string, name: string, rules: readonly PolicyRule[]): void {
    this.#roles.set(`${namespace}/${name}`, rules);
  }

  removeRole(namespace: string, name: string): void {
    this.#roles.delete(`${namespace}/${name}`);
  }

  setBinding(binding: RbacBinding): void {
    this.removeBinding(binding.namespace, binding.name);
    this.#bindings.set(`${binding.namespace}/${binding.name}`, binding);
    for (const subject of binding.subjects) this.#grantsOf(subjectKey(subject, binding.namespace), binding.namespace).add({ binding, subject });
  }

  removeBinding(namespace: string, name: string): void {
    const binding = this.#bindings.get(`${namespace}/${name}`);
    if (binding === undefined) return;
    this.#bindings.delete(`${namespace}/${name}`);
    for (const subject of binding.subjects) {
      const grants = this.#grantsOf(subjectKey(subject, namespace), namespace);
      for (const grant of grants) if (grant.binding === binding) grants.delete(grant);
    }
  }

  /** What the user holds in the namespace and in the cluster; '' only the latter. */
  *grantsFor(user: User, namespace: string): Generator<Grant> {
    const keys = userKeys(user);
    for (const key of keys) yield* this.#grants.get(key)?.get('') ?? [];
    if (namespace === '') return;
    for (const key of keys) yield* this.#grants.get(key)?.get(namespace) ?? [];
  }

  /** Undefined when the role does not exist. */
  rulesOf({ namespace, roleRef }: Pick<RbacBinding, 'namespace' | 'roleRef'>): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleRef.kind === 'ClusterRole' ? `/${roleRef.name}` : `${namespace}/${roleRef.name}`);
  }

  /** All rules that apply to the user in the namespace. */
  rulesFor(user: User, namespace: string): PolicyRule[] {
    const rules: PolicyRule[] = [];
    for (const { binding } of this.grantsFor(user, namespace)) rules.push(...(this.rulesOf(binding) ?? []));
    return rules;
  }

  /** What stands in the way of knowing all rules of the user: bindings to roles that do not exist. */
  gapsFor(user: User, namespace: string): string[] {
    const bindings = [...this.grantsFor(user, namespace)].map(({ binding }) => binding);
    return [...new Set(bindings.filter((binding) => this.rulesOf(binding) === undefined).map(roleNotFound))];
  }

  #grantsOf(key: string, namespace: string): Set<Grant> {
    let byNamespace = this.#grants.get(key);
    if (byNamespace === undefined) this.#grants.set(key, (byNamespace = new Map()));
    let grants = byNamespace.get(namespace);
    if (grants === undefined) byNamespace.set(namespace, (grants = new Set()));
    return grants;
  }
}

export function rbacAuthorizer(policy: RbacPolicy): Authorizer {
  return (user, attributes) => Promise.resolve(decide(policy, user, attributes));
}

function decide(policy: RbacPolicy, user: User, attributes: AccessAttributes): Verdict {
  const missing: string[] = [];
  for (const { binding, subject } of policy.grantsFor(user, attributes.namespace)) {
    const rules = policy.rulesOf(binding);
    if (rules === undefined) missing.push(roleNotFound(binding));
    else if (rules.some((rule) => ruleAllows(rule, attributes))) return { decision: 'allow', reason: `RBAC: allowed by ${describeGrant(binding, subject)}` };
  }
  return { decision: 'no-opinion', reason: missing.length === 0 ? '' : `RBAC: ${missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`}` };
}

function roleNotFound({ roleRef }: RbacBinding): string {
  return `${roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io "${roleRef.name}" not found`;
}

function describeGrant({ namespace, name, roleRef }: RbacBinding, subject: Subject): string {
  const binding = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
  const who = subject.kind === 'ServiceAccount' ? `ServiceAccount "${subject.name}/${subject.namespace ?? namespace}"` : `${subject.kind} "${subject.name}"`;
  return `${binding} of ${roleRef.kind} "${roleRef.name}" to ${who}`;
}

const serviceAccountPrefix = 'system:serviceaccount:';

function userKeys(user: User): string[] {
  return [`User:${user.name}`, ...user.groups.map((group) => `Group:${group}`)];
}

/** A service account is the user of that name. */
function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount' ? `User:${serviceAccountPrefix}${namespace || bindingNamespace}:${name}` : `${kind}:${name}`;
}
