import { expect, test } from 'vitest';
import { resourcequotas } from '#kinds/core/v1/resource-quota-resource.ts';
import { notKey } from '../../../../test/support/format-texts.ts';
import { contextWith, describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  metadata: { name: 'one' },
  spec: {
    hard: { pods: '3', 'requests.cpu': '500m', 'count/jobs.batch': '5' },
    scopes: ['NotTerminating'],
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
  },
};
const path = 'spec.scopeSelector.matchExpressions';
const first = 'spec.scopeSelector.matchExpressions.0';
const exists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

describeRefusals('quotas', resourcequotas, valid, [
  [
    'a resource that is no name',
    { 'spec.hard': { 'a b': '1' } },
    `spec.hard[a b]: ${notKey('a b')}`,
    'spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota',
  ],
  [
    'a name of a resource that JSON escapes',
    { 'spec.hard': { '<': '1' } },
    `spec.hard[<]: ${notKey('<').replace('<', '\\u003c')}`,
    'spec.hard[<]: Invalid value: "\\u003c": must be a standard resource for quota',
  ],
  ['a resource without quota', { 'spec.hard': { storage: '1' } }, 'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota'],
  ['a negative amount', { 'spec.hard.pods': '-1' }, 'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  ['half a pod', { 'spec.hard.pods': '500m' }, 'spec.hard[pods]: Invalid value: "500m": must be an integer'],
  ['an unknown scope', { 'spec.scopes': ['Best'] }, 'spec.scopes: Invalid value: ["Best"]: unsupported scope'],
  ['a scope for other resources', { 'spec.scopes': ['BestEffort'] }, 'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  [
    'scopes that exclude each other',
    { 'spec.scopes': ['Terminating', 'NotTerminating'] },
    'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
  ],
  ['an unknown scope in the selector', { [`${first}.scopeName`]: 'Best' }, `${path}.scopeName: Invalid value: "Best": unsupported scope`],
  ['a scope that only exists', { [`${first}.scopeName`]: 'Terminating' }, `${path}.operator: Invalid value: "In": ${exists}`],
  ['an unknown operator that JSON escapes', { [`${first}.operator`]: 'é<' }, `${path}.operator: Invalid value: "é\\u003c": not a valid selector operator`],
  ['an unknown operator', { [`${first}.operator`]: 'Near' }, `${path}.operator: Invalid value: "Near": not a valid selector operator`],
  [
    'no values',
    { [`${first}.values`]: [] },
    `${path}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
  ],
  [
    'values that nobody compares',
    { [`${first}.operator`]: 'Exists' },
    `${path}.values: Invalid value: ["high"]: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
  ],
  [
    'a selector that does not go with a resource',
    { 'spec.hard': { services: '1' }, 'spec.scopes': [], 'spec.scopeSelector.matchExpressions': [{ scopeName: 'BestEffort', operator: 'Exists', values: [] }] },
    'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"Exists","Values":[]}]}: unsupported scope applied to resource',
  ],
  [
    'selectors that contradict each other',
    {
      'spec.hard': { pods: '1' },
      'spec.scopes': undefined,
      'spec.scopeSelector.matchExpressions': [
        { scopeName: 'BestEffort', operator: 'Exists' },
        { scopeName: 'NotBestEffort', operator: 'Exists' },
      ],
    },
    'spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes',
  ],
  [
    'efforts that contradict each other',
    { 'spec.hard': { pods: '1' }, 'spec.scopes': ['BestEffort', 'NotBestEffort'], 'spec.scopeSelector': undefined },
    'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
  ],
]);

describeUpdateRefusals('updates of quotas', resourcequotas, valid, [
  ['other scopes', { 'spec.scopes': ['Terminating'] }, 'spec.scopes: Invalid value: ["Terminating"]: field is immutable'],
]);

describeUpdateRefusals(
  'statuses of quotas',
  resourcequotas,
  valid,
  [
    ['a use below nothing', { 'status.used': { pods: '-1' } }, 'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0'],
    [
      'resources that are none',
      { 'status.hard': { bogus: '1' }, 'status.used': { bogus: '1' } },
      'status.hard[bogus]: Invalid value: "bogus": must be a standard resource for quota',
      'status.hard[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
      'status.used[bogus]: Invalid value: "bogus": must be a standard resource for quota',
      'status.used[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
    ],
  ],
  'status',
);

test('rows keep limits apart from requests', () => {
  const quota = { metadata: { name: 'a' }, spec: {}, status: { hard: { 'limits.cpu': '4', pods: '3' }, used: { pods: '1' } } };
  const cells = resourcequotas.columns?.slice(1, 3).map(({ read }) => read(quota, contextWith()));
  expect(cells).toEqual(['pods: 1/3', 'limits.cpu: 0/4']);
});
