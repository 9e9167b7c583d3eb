// Which requests a rule of a webhook or a policy is about, as apiserver's pkg/admission/plugin/webhook/predicates/rules has it.
import type { Operation } from '#admission/admission.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export interface Rule {
  readonly operations?: readonly string[] | undefined;
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  /** `pods`, `pods/status`, `*`, any `/scale`, `pods/*`. */
  readonly resources?: readonly string[] | undefined;
  readonly scope?: string | undefined;
  /** Rules of policies only: none, or one of them. */
  readonly resourceNames?: readonly string[] | undefined;
}

/** A request in the version of `definition`. */
export interface RuleSubject {
  readonly definition: ResourceDefinition;
  readonly operation: Operation;
  readonly subresource: string;
  /** Left out to know whether the rule may match under any name. */
  readonly name?: string | undefined;
}

export function ruleMatches(rule: Rule, { definition, operation, subresource, name }: RuleSubject): boolean {
  const { operations, apiGroups, apiVersions, resources, scope, resourceNames } = rule;
  return (
    isInScope(scope, definition) &&
    isNamed(operations, operation) &&
    isNamed(apiGroups, definition.group) &&
    isNamed(apiVersions, definition.version) &&
    (resources ?? []).some((pattern) => isResource(pattern, definition.plural, subresource)) &&
    (!resourceNames?.length || name === undefined || resourceNames.includes(name))
  );
}

/** Namespaces themselves are of the cluster. */
function isInScope(scope: string | undefined, { namespaced }: ResourceDefinition): boolean {
  if (scope === undefined || scope === '*') return true;
  return scope === 'Namespaced' ? namespaced : scope === 'Cluster' && !namespaced;
}

function isNamed(names: readonly string[] | undefined, asked: string): boolean {
  return names !== undefined && (names.includes(asked) || names.includes('*'));
}

function isResource(pattern: string, plural: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [resource, part] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (part === '*' || part === subresource);
}

const group = 'admissionregistration.k8s.io';
const policyKinds = ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
const ruleKinds = [...policyKinds, 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Webhooks are not asked about what could repair them: one that refuses everything would stay for ever. */
export function isExemptFromWebhooks({ definition }: Pick<RuleSubject, 'definition'>): boolean {
  return definition.group === group && ruleKinds.includes(definition.kind);
}

/** Nor do policies judge policies; configurations of webhooks they do, as upstream. */
export function isExemptFromPolicies({ definition }: Pick<RuleSubject, 'definition'>): boolean {
  return definition.group === group && policyKinds.includes(definition.kind);
}
