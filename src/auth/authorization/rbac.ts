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
  readonly #roles = new Map<string, () => readonly PolicyRule[]>();
  readonly #bindings = new Map<string, RbacBinding>();
  readonly #ofUsers = new SubjectIndex();
  readonly #ofGroups = new SubjectIndex();

  setRole(namespace: string, name: string, rules: () => readonly PolicyRule[]): void {
    this.#roles.set(`${namespace}/${name}`, rules);
  }

  removeRole(namespace: string, name: string): void {
    this.#roles.delete(`${namespace}/${name}`);
  }

  setBinding(binding: RbacBinding): void {
    this.removeBinding(binding.namespace, binding.name);
    this.#bindings.set(`${binding.namespace}/${binding.name}`, binding);
    for (const subject of binding.subjects) this.#indexOf(subject).add(nameOf(subject, binding.namespace), { binding, subject });
  }

  removeBinding(namespace: string, name: string): void {
    const binding = this.#bindings.get(`${namespace}/${name}`);
    if (binding === undefined) return;
    this.#bindings.delete(`${namespace}/${name}`);
    for (const subject of binding.subjects) this.#indexOf(subject).remove(nameOf(subject, namespace), binding);
  }

  /** What the user holds in the cluster and in the namespace ('': only in the cluster), until `visit` has seen enough and says true. */
  visitGrants(user: User, namespace: string, visit: (grant: Grant) => boolean): void {
    if (this.#visitIn('', user, visit) || namespace === '') return;
    this.#visitIn(namespace, user, visit);
  }

  #visitIn(namespace: string, { name, groups }: User, visit: (grant: Grant) => boolean): boolean {
    for (const grant of this.#ofUsers.in(name, namespace)) if (visit(grant)) return true;
    for (const group of groups) for (const grant of this.#ofGroups.in(group, namespace)) if (visit(grant)) return true;
    return false;
  }

  grantsFor(user: User, namespace: string): readonly Grant[] {
    const grants: Grant[] = [];
    this.visitGrants(user, namespace, (grant) => grants.push(grant) === 0);
    return grants;
  }

  /** Undefined when the role does not exist. */
  rulesOf({ namespace, roleRef }: Pick<RbacBinding, 'namespace' | 'roleRef'>): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleRef.kind === 'ClusterRole' ? `/${roleRef.name}` : `${namespace}/${roleRef.name}`)?.();
  }

  /** All rules that apply to the user in the namespace. */
  rulesFor(user: User, namespace: string): PolicyRule[] {
    const rules: PolicyRule[] = [];
    for (const { binding } of this.grantsFor(user, namespace)) rules.push(...(this.rulesOf(binding) ?? []));
    return rules;
  }

  /** What stands in the way of knowing all rules of the user: bindings to roles that do not exist. */
  gapsFor(user: User, namespace: string): string[] {
    return [...new Set(this.danglingFor(user, namespace).map(roleNotFound))];
  }

  /** The bindings of the user to roles that do not exist. */
  danglingFor(user: User, namespace: string): RbacBinding[] {
    const bindings = new Set(this.grantsFor(user, namespace).map(({ binding }) => binding));
    return [...bindings].filter((binding) => this.rulesOf(binding) === undefined);
  }

  /** A service account is the user of that name; a subject of another kind is nobody. */
  #indexOf({ kind }: Subject): SubjectIndex {
    return kind === 'Group' ? this.#ofGroups : this.#ofUsers;
  }
}

const none: readonly Grant[] = [];

/** Grants by the name of a subject, then by the namespace of the binding. */
class SubjectIndex {
  readonly #grants = new Map<string, Map<string, Grant[]>>();

  in(name: string, namespace: string): readonly Grant[] {
    return this.#grants.get(name)?.get(namespace) ?? none;
  }

  add(name: string, grant: Grant): void {
    const byNamespace = this.#grants.get(name) ?? new Map<string, Grant[]>();
    const grants = byNamespace.get(grant.binding.namespace) ?? [];
    grants.push(grant);
    this.#grants.set(name, byNamespace.set(grant.binding.namespace, grants));
  }

  remove(name: string, binding: RbacBinding): void {
    const left = this.in(name, binding.namespace).filter((grant) => grant.binding !== binding);
    if (left.length > 0) this.#grants.get(name)?.set(binding.namespace, left);
    else this.#grants.get(name)?.delete(binding.namespace);
    if (this.#grants.get(name)?.size === 0) this.#grants.delete(name);
  }
}

export function rbacAuthorizer(policy: RbacPolicy): Authorizer {
  return (user, attributes) => decide(policy, user, attributes);
}

function decide(policy: RbacPolicy, user: User, attributes: AccessAttributes): Verdict {
  const missing = new Set<string>();
  let found: Grant | undefined;
  policy.visitGrants(user, attributes.namespace, (grant) => {
    const rules = policy.rulesOf(grant.binding);
    if (rules === undefined) missing.add(roleNotFound(grant.binding));
    else if (rules.some((rule) => ruleAllows(rule, attributes))) found = grant;
    return found !== undefined;
  });
  if (found !== undefined) return { decision: 'allow', reason: `RBAC: allowed by ${describeGrant(found.binding, found.subject)}` };
  const problems = [...missing];
  return { decision: 'no-opinion', reason: problems.length === 0 ? '' : `RBAC: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}` };
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

/** As users are called; a kind that RBAC does not know names nobody. */
function nameOf({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind === 'ServiceAccount') return `${serviceAccountPrefix}${namespace || bindingNamespace}:${name}`;
  return kind === 'User' || kind === 'Group' ? name : `\u0000${kind}:${name}`;
}
