import { expect, test } from 'vitest';
import { matchedResource } from '#admission/matching/matched-resource.ts';
import { isExemptFromPolicies, isExemptFromWebhooks, type Rule, ruleMatches } from '#admission/matching/rule.ts';
import { RuleTable } from '#admission/matching/rule-table.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

const catalog = new ResourceCatalog(builtinResources);
const find = (group: string, version: string, plural: string) => catalog.find(group, version, plural) as ResourceDefinition;
const pods = find('', 'v1', 'pods');
const namespaces = find('', 'v1', 'namespaces');
const everything: Rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };

test.each<[string, Rule, ResourceDefinition, string, boolean]>([
  ['all resources, of which subresources are none', everything, pods, '', true],
  ['all resources', everything, pods, 'status', false],
  ['all subresources of one', { ...everything, resources: ['pods/*'] }, pods, 'status', true],
  ['all subresources of one', { ...everything, resources: ['pods/*'] }, pods, '', true],
  ['one subresource of all', { ...everything, resources: ['*/scale'] }, find('apps', 'v1', 'deployments'), 'scale', true],
  ['everything', { ...everything, resources: ['*/*'] }, pods, 'exec', true],
  ['another group', { ...everything, apiGroups: ['apps'] }, pods, '', false],
  ['another version', { ...everything, apiVersions: ['v2'] }, pods, '', false],
  ['another operation', { ...everything, operations: ['DELETE', 'CONNECT'] }, pods, '', false],
  ['the cluster', { ...everything, scope: 'Cluster' }, pods, '', false],
  ['the cluster, of which namespaces are', { ...everything, scope: 'Cluster' }, namespaces, '', true],
  ['namespaces', { ...everything, scope: 'Namespaced' }, namespaces, '', false],
  ['an unknown scope', { ...everything, scope: 'Else' }, pods, '', false],
])('a rule about %s', (_name, rule, definition, subresource, expected) => {
  expect(ruleMatches(rule, { definition, operation: 'CREATE', subresource })).toBe(expected);
});

const autoscalers = (version: string): Rule => ({ ...everything, apiGroups: ['autoscaling'], apiVersions: [version], resources: ['horizontalpodautoscalers'] });

test('a rule about another version is asked in that version, unless the policy is Exact', () => {
  const subject = { definition: find('autoscaling', 'v2', 'horizontalpodautoscalers'), operation: 'CREATE', subresource: '' } as const;
  expect(matchedResource({ rules: [autoscalers('v1')] }, subject, catalog)).toBe(find('autoscaling', 'v1', 'horizontalpodautoscalers'));
  expect(matchedResource({ rules: [autoscalers('v1'), autoscalers('v2')] }, subject, catalog)).toBe(subject.definition);
  expect(matchedResource({ rules: [autoscalers('v1')], matchPolicy: 'Exact' }, subject, catalog)).toBeUndefined();
});

test('events of one group are those of the other', () => {
  const rules = [{ ...everything, apiGroups: [''], resources: ['events'] }];
  const subject = { definition: find('events.k8s.io', 'v1', 'events'), operation: 'CREATE', subresource: '' } as const;
  expect(matchedResource({ rules }, subject, catalog)).toBe(find('', 'v1', 'events'));
  const reverse = { ...subject, definition: find('', 'v1', 'events') };
  expect(matchedResource({ rules: [{ ...everything, apiGroups: ['events.k8s.io'] }] }, reverse, catalog)).toBe(subject.definition);
});

test('the table keeps the order of its entries and forgets what it knew when resources come and go', () => {
  const served = new ResourceCatalog(builtinResources);
  const table = new RuleTable(
    [
      { name: 'a', rules: [autoscalers('v1')] },
      { name: 'b', rules: [everything] },
      { name: 'c', rules: [autoscalers('v9')] },
    ],
    { isExempt: isExemptFromWebhooks },
  );
  const definition = find('autoscaling', 'v2', 'horizontalpodautoscalers');
  const names = () => table.candidates({ definition, operation: 'CREATE', subresource: '' }, served).map(({ entry }) => entry.name);
  expect(names()).toEqual(['a', 'b']);
  served.remove(find('autoscaling', 'v1', 'horizontalpodautoscalers'));
  expect(names()).toEqual(['b']);
});

test.each([
  ['webhooks', 'policies', isExemptFromWebhooks, 'validatingadmissionpolicies', []],
  ['webhooks', 'configurations of webhooks', isExemptFromWebhooks, 'validatingwebhookconfigurations', []],
  ['policies', 'bindings', isExemptFromPolicies, 'mutatingadmissionpolicybindings', []],
  ['policies', 'configurations of webhooks', isExemptFromPolicies, 'mutatingwebhookconfigurations', ['a']],
] as const)('%s about everything and %s', (_rules, _about, isExempt, plural, expected) => {
  const definition = find('admissionregistration.k8s.io', 'v1', plural);
  const table = new RuleTable([{ name: 'a', rules: [everything] }], { isExempt });
  expect(table.candidates({ definition, operation: 'DELETE', subresource: '' }, catalog).map(({ entry }) => entry.name)).toEqual(expected);
});
