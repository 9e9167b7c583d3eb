// Does a FlowSchema mean this request? Compiled once per schema: every request asks several of them.
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { FlowRule, FlowSchemaSpec, FlowSubject, NonResourceRule, ResourceRule } from '#server/flow-control/flow-objects.ts';

export type FlowMatch = (user: User, info: RequestInfo) => boolean;

export function matchFlowSchema({ rules }: FlowSchemaSpec): FlowMatch {
  const compiled = (rules ?? []).map(matchRule);
  return (user, info) => compiled.some((match) => match(user, info));
}

function matchRule({ subjects, resourceRules, nonResourceRules }: FlowRule): FlowMatch {
  const who = (subjects ?? []).map(matchSubject);
  const resources = (resourceRules ?? []).map(matchResource);
  const paths = (nonResourceRules ?? []).map(matchPath);
  return (user, info) => who.some((match) => match(user)) && (info.isResource ? resources : paths).some((match) => match(info));
}

function matchSubject({ kind, user: named, group, serviceAccount }: FlowSubject): (user: User) => boolean {
  switch (kind) {
    case 'User':
      return (user) => named?.name === '*' || user.name === named?.name;
    case 'Group':
      return (user) => group?.name === '*' || user.groups.includes(group?.name ?? '');
    case 'ServiceAccount':
      return matchServiceAccount(serviceAccount?.namespace ?? '', serviceAccount?.name ?? '');
    default:
      return () => false;
  }
}

function matchServiceAccount(namespace: string, name: string): (user: User) => boolean {
  const prefix = `system:serviceaccount:${namespace}:`;
  return name === '*' ? (user) => user.name.startsWith(prefix) : (user) => user.name === prefix + name;
}

function matchResource(rule: ResourceRule): (info: RequestInfo) => boolean {
  const verbs = memberOf(rule.verbs);
  const groups = memberOf(rule.apiGroups);
  const resources = memberOf(rule.resources);
  const namespaces = memberOf(rule.namespaces);
  return ({ verb, group, resource, subresource, namespace }) =>
    verbs(verb) &&
    groups(group) &&
    resources(subresource === '' ? resource : `${resource}/${subresource}`) &&
    (namespace === '' ? rule.clusterScope === true : namespaces(namespace));
}

function matchPath({ verbs, nonResourceURLs }: NonResourceRule): (info: RequestInfo) => boolean {
  const verbMatches = memberOf(verbs);
  const urls = nonResourceURLs ?? [];
  const exact = new Set(urls);
  const prefixes = urls.filter((url) => url.endsWith('/*')).map((url) => url.slice(0, -1));
  const all = exact.has('*');
  return ({ verb, path }) => verbMatches(verb) && (all || exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

function memberOf(values: readonly string[] | null | undefined): (value: string) => boolean {
  const set = new Set(values ?? []);
  return set.has('*') ? () => true : (value) => set.has(value);
}
