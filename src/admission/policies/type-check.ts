// Type checking of ValidatingAdmissionPolicies, for `status.typeChecking`: expressions are compiled once more for each kind that the policy names,
// with the object and the parameters of the type that their schemas give them. What is found is a warning; nothing is refused for it.
import { AdmissionCompiler, type KnownType } from '#cel/admission-environment.ts';
import { parseApiVersion } from '#api/names.ts';
import type { Rule } from '#admission/matching/rule.ts';
import type { ParamKind } from '#admission/policies/policy-params.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { ObjectTypes } from '#schema/cel/object-types.ts';

/** Of a policy that names more kinds than this the rest is not checked, as upstream. */
const mostKinds = 10;

export function typeWarnings({ spec }: ValidatingAdmissionPolicy, catalog: ResourceCatalog): readonly ExpressionWarning[] {
  const { matchConstraints, paramKind, variables = [], validations = [] } = spec;
  const params = paramKind && paramType(catalog, paramKind);
  const checks = kindsIn(matchConstraints?.resourceRules ?? [], catalog).map((definition) => {
    const compiler = new AdmissionCompiler({ composed: true, object: knownType(definition), params });
    const has = { params: paramKind !== undefined, authorizer: true };
    for (const { name, expression } of variables) compiler.compileVariable(name, expression, has, 'stored');
    return (expression: string) => {
      const problems = compiler.problemsOf(expression, has);
      return problems === undefined ? [] : [`${definition.group}/${definition.version}, Kind=${definition.kind}: ${problems}\n`];
    };
  });
  const warningAt = (fieldRef: string, expression: string): readonly ExpressionWarning[] => {
    const found = checks.flatMap((check) => check(expression));
    return found.length === 0 ? [] : [{ fieldRef, warning: found.join('\n') }];
  };
  return validations.flatMap(({ expression, messageExpression = '' }, index) => [
    ...warningAt(`spec.validations[${index}].expression`, expression),
    ...(messageExpression === '' ? [] : warningAt(`spec.validations[${index}].messageExpression`, messageExpression)),
  ]);
}

/** By group, version and kind. */
function kindsIn(rules: readonly Rule[], catalog: ResourceCatalog): readonly ResourceDefinition[] {
  const found = new Set<ResourceDefinition>();
  for (const rule of rules) {
    const named = namesIn(rule).flatMap(({ group, version, resource }) => namedBy(catalog, group, version, resource));
    for (const definition of named.slice(0, mostKinds)) found.add(definition);
    if (named.length >= mostKinds) break;
  }
  return inOrder(found);
}

/** A rule with wildcards in group or version names nothing; of its resources those with wildcards and parts of resources are passed over. */
function namesIn({ apiGroups = [], apiVersions = [], resources = [] }: Rule): readonly { group: string; version: string; resource: string }[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return [];
  const plain = resources.filter((name) => !/[*/]/.test(name)).toSorted();
  return apiGroups.toSorted().flatMap((group) => apiVersions.toSorted().flatMap((version) => plain.map((resource) => ({ group, version, resource }))));
}

/** As client-go's RESTMapper reads it: the empty group is any group. */
function namedBy(catalog: ResourceCatalog, group: string, version: string, resource: string): readonly ResourceDefinition[] {
  const groups = group === '' ? catalog.groups().map(({ name }) => name) : [group];
  return groups.flatMap((name) => catalog.find(name, version, resource) ?? []);
}

function inOrder(found: ReadonlySet<ResourceDefinition>): readonly ResourceDefinition[] {
  const key = ({ group, version, kind }: ResourceDefinition) => [group, version, kind].join('\u0000');
  return [...found].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function paramType(catalog: ResourceCatalog, { apiVersion = '', kind = '' }: ParamKind): KnownType | undefined {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const definition = catalog.byKind(group, version, kind);
  return definition && knownType(definition);
}

function knownType({ schema, kind }: ResourceDefinition): KnownType {
  const types = new ObjectTypes(schema, kind);
  return { type: types.type, types };
}
