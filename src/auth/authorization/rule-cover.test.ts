import { expect, test } from 'vitest';
import type { PolicyRule } from '#auth/authorization/policy-rule.ts';
import { describePermissions, missingPermissions } from '#auth/authorization/rule-cover.ts';

const missing = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]) => describePermissions(missingPermissions(held, wanted));
const rule = (verbs: string, apiGroups: string, resources: string, ...resourceNames: string[]): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: apiGroups.split(' ').map((group) => (group === 'core' ? '' : group)),
  resources: resources.split(' '),
  ...(resourceNames.length > 0 && { resourceNames }),
});

test.each<[string, PolicyRule[], PolicyRule[]]>([
  ['the same rule', [rule('get', 'core', 'pods')], [rule('get', 'core', 'pods')]],
  [
    'two rules together',
    [rule('get', 'core', 'pods'), rule('list', 'core', 'pods secrets')],
    [rule('get list', 'core', 'pods'), rule('list', 'core', 'secrets')],
  ],
  ['all verbs', [rule('*', 'core', 'pods')], [rule('get *', 'core', 'pods')]],
  ['all groups and resources', [rule('get', '*', '*')], [rule('get', 'apps batch', 'x x/scale */scale *')]],
  ['a subresource of everything', [rule('get', 'apps', '*/scale')], [rule('get', 'apps', 'deployments/scale')]],
  ['one object of all', [rule('get', 'core', 'secrets')], [rule('get', 'core', 'secrets', 'a', 'b')]],
  ['a path below', [{ verbs: ['get'], nonResourceURLs: ['/healthz*'] }], [{ verbs: ['get'], nonResourceURLs: ['/healthz/x', '/healthz'] }]],
  ['nothing', [], []],
])('%s is covered', (_, held, wanted) => {
  expect(missing(held, wanted)).toBe('');
});

test.each<[string, PolicyRule[], PolicyRule[], string]>([
  ['another verb', [rule('get', 'core', 'pods')], [rule('get delete', 'core', 'pods')], '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}'],
  ['all verbs by some', [rule('get list', 'core', 'pods')], [rule('*', 'core', 'pods')], '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  [
    'a subresource by its resource',
    [rule('get', 'core', 'pods')],
    [rule('get', 'core', 'pods/log')],
    '{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}',
  ],
  ['a resource by its subresources', [rule('get', 'core', '*/log')], [rule('get', 'core', 'pods')], '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
  ['all objects by one', [rule('get', 'core', 'secrets', 'a')], [rule('get', 'core', 'secrets')], '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'],
  [
    'an object by another',
    [rule('get', 'core', 'secrets', 'a')],
    [rule('get list', 'core', 'secrets', 'b')],
    '{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get" "list"]}',
  ],
  [
    'a path above',
    [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }],
    [{ verbs: ['get', 'post'], nonResourceURLs: ['/healthz'] }],
    '{NonResourceURLs:["/healthz"], Verbs:["get"]}\n{NonResourceURLs:["/healthz"], Verbs:["post"]}',
  ],
  ['paths by resources', [rule('get', '*', '*')], [{ verbs: ['get'], nonResourceURLs: ['/x'] }], '{NonResourceURLs:["/x"], Verbs:["get"]}'],
])('%s is not covered', (_, held, wanted, text) => {
  expect(missing(held, wanted)).toBe(text);
});

const numbered = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');

test('a rule that is a product of billions is refused with its first permissions', () => {
  const wanted = [rule(numbered(4000, 'v'), numbered(4000, 'g'), numbered(4000, 'r'))];
  expect(missingPermissions([rule('get', 'core', 'pods')], wanted)).toHaveLength(1000);
  expect(missingPermissions([rule('*', '*', '*')], wanted)).toEqual([]);
});

test('rules that take too long to compare count as not held', () => {
  const held = Array.from({ length: 5000 }, (_, index) => rule('get', 'core', 'pods', `held${index}`));
  const wanted = Array.from({ length: 5000 }, (_, index) => rule('get', 'core', 'pods', `held${4999 - index}`));
  expect(missingPermissions(held, wanted)).not.toEqual([]);
  expect(missingPermissions(held, wanted.slice(0, 50))).toEqual([]);
});
