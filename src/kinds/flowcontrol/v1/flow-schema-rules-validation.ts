// The rules of what a flow schema matches: who asks, and for what.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsLabel, nameIsSubdomain } from '#base/formats.ts';
import type { NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule, ServiceAccountSubject, Subject } from '#kinds/flowcontrol/v1/flow-schema.ts';

export function validatePolicyRules({ subjects, resourceRules, nonResourceRules }: PolicyRulesWithSubjects, path: string, errors: FieldErrors): void {
  if (!subjects?.length) errors.required(`${path}.subjects`, 'subjects must contain at least one value');
  subjects?.forEach((subject, index) => validateSubject(subject, `${path}.subjects[${index}]`, errors));
  if (!resourceRules?.length && !nonResourceRules?.length) {
    errors.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  resourceRules?.forEach((rule, index) => validateResourceRule(rule, `${path}.resourceRules[${index}]`, errors));
  nonResourceRules?.forEach((rule, index) => validateNonResourceRule(rule, `${path}.nonResourceRules[${index}]`, errors));
}

const subjectFields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
type SubjectKind = keyof typeof subjectFields;

function validateSubject(subject: Subject, path: string, errors: FieldErrors): void {
  const own = subjectFields[subject.kind as SubjectKind];
  if (own === undefined) return errors.notSupported(`${path}.kind`, subject.kind, ['Group', 'ServiceAccount', 'User']);
  if (subject[own] === undefined) errors.required(`${path}.${own}`, `${own} is required when subject kind is '${subject.kind}'`);
  else if (own === 'serviceAccount' && subject.serviceAccount) validateServiceAccount(subject.serviceAccount, `${path}.${own}`, errors);
  else if (subject[own]?.name === '') errors.required(`${path}.${own}.name`);
  for (const [kind, field] of Object.entries(subjectFields)) {
    if (field !== own && subject[field] !== undefined) errors.forbidden(`${path}.${field}`, `${field} is forbidden when subject kind is not '${kind}'`);
  }
}

function validateServiceAccount({ name, namespace }: ServiceAccountSubject, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(`${path}.name`);
  else if (name !== '*') errors.invalidEach(`${path}.name`, name, nameIsSubdomain(name, false));
  if (namespace === '') errors.required(`${path}.namespace`, 'must specify namespace for service account');
  else errors.invalidEach(`${path}.namespace`, namespace, nameIsLabel(namespace, false));
}

const knownVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validateVerbs(verbs: readonly string[], path: string, errors: FieldErrors): void {
  if (verbs.length === 0) return errors.required(path, 'verbs must contain at least one value');
  if (verbs.includes('*')) validateWildcardAlone(verbs, 'verbs', path, errors);
  else if (!verbs.every((verb) => knownVerbs.includes(verb))) errors.notSupported(path, verbs, knownVerbs);
}

function validateWildcardAlone(values: readonly string[], what: string, path: string, errors: FieldErrors): void {
  if (values.length > 1 && values.includes('*')) errors.invalid(path, values, `if '*' is present, must not specify other ${what}`);
}

function validateResourceRule(rule: ResourcePolicyRule, path: string, errors: FieldErrors): void {
  const { verbs, apiGroups, resources, namespaces } = rule;
  validateVerbs(verbs ?? [], `${path}.verbs`, errors);
  if (!apiGroups?.length) errors.required(`${path}.apiGroups`, 'resource rules must supply at least one api group');
  else validateWildcardAlone(apiGroups, 'api groups', `${path}.apiGroups`, errors);
  if (!resources?.length) errors.required(`${path}.resources`, 'resource rules must supply at least one resource');
  else validateWildcardAlone(resources, 'resources', `${path}.resources`, errors);
  if (!namespaces?.length && !rule.clusterScope) {
    errors.required(`${path}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace');
  } else validateNamespaces(namespaces ?? [], `${path}.namespaces`, errors);
}

function validateNamespaces(namespaces: readonly string[], path: string, errors: FieldErrors): void {
  if (namespaces.includes('*')) return validateWildcardAlone(namespaces, 'namespaces', path, errors);
  namespaces.forEach((namespace, index) => {
    const problems = nameIsLabel(namespace, false).map((problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`);
    errors.invalidEach(`${path}[${index}]`, namespace, problems);
  });
}

function validateNonResourceRule({ verbs, nonResourceURLs }: NonResourcePolicyRule, path: string, errors: FieldErrors): void {
  validateVerbs(verbs ?? [], `${path}.verbs`, errors);
  const at = `${path}.nonResourceURLs`;
  if (!nonResourceURLs?.length) return errors.required(at, 'nonResourceURLs must contain at least one value');
  if (nonResourceURLs.includes('*')) return validateWildcardAlone(nonResourceURLs, 'non-resource URLs', at, errors);
  nonResourceURLs.forEach((url, index) => {
    const problem = urlProblem(url);
    if (problem !== undefined) errors.invalid(`${at}[${index}]`, url, problem);
  });
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcards = url.split('*').length - 1;
  return wildcards > 1 || (wildcards === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}
