import { flowschemas } from '#kinds/flowcontrol/v1/flow-schema-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const flowSchema = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'rules-one' },
  spec: {
    matchingPrecedence: 100,
    distinguisherMethod: { type: 'ByUser' },
    priorityLevelConfiguration: { name: 'global-default' },
    rules: [
      {
        subjects: [
          { kind: 'User', user: { name: 'alice' } },
          { kind: 'Group', group: { name: 'team' } },
          { kind: 'ServiceAccount', serviceAccount: { name: 'default', namespace: 'default' } },
        ],
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['default'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      },
    ],
  },
};

describeRefusals('flow schemas with every kind of subject', flowschemas, flowSchema, [
  [
    'another exempt schema',
    { 'metadata.name': 'exempt' },
    'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"global-default"},"MatchingPrecedence":100,"DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"alice"},"Group":null,"ServiceAccount":null},{"Kind":"Group","User":null,"Group":{"Name":"team"},"ServiceAccount":null},{"Kind":"ServiceAccount","User":null,"Group":null,"ServiceAccount":{"Namespace":"default","Name":"default"}}],"ResourceRules":[{"Verbs":["get"],"APIGroups":[""],"Resources":["pods"],"ClusterScope":false,"Namespaces":["default"]}],"NonResourceRules":[{"Verbs":["get"],"NonResourceURLs":["/healthz"]}]}]}: spec of \'exempt\' must equal the fixed value',
  ],
  [
    'another catch-all schema',
    { 'metadata.name': 'catch-all' },
    'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"global-default"},"MatchingPrecedence":100,"DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"alice"},"Group":null,"ServiceAccount":null},{"Kind":"Group","User":null,"Group":{"Name":"team"},"ServiceAccount":null},{"Kind":"ServiceAccount","User":null,"Group":null,"ServiceAccount":{"Namespace":"default","Name":"default"}}],"ResourceRules":[{"Verbs":["get"],"APIGroups":[""],"Resources":["pods"],"ClusterScope":false,"Namespaces":["default"]}],"NonResourceRules":[{"Verbs":["get"],"NonResourceURLs":["/healthz"]}]}]}: spec of \'catch-all\' must equal the fixed value',
  ],
  [
    'an unknown distinguisher',
    { 'spec.distinguisherMethod.type': 'ByColor' },
    'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByColor"}: supported values: "ByNamespace", "ByUser"',
  ],
  ['no level', { 'spec.priorityLevelConfiguration.name': '' }, 'spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
  [
    'an odd level',
    { 'spec.priorityLevelConfiguration.name': 'Level' },
    "spec.priorityLevelConfiguration.name: Invalid value: \"Level\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a rule about nothing',
    { 'spec.rules.0.resourceRules': [], 'spec.rules.0.nonResourceRules': [] },
    'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
  ],
  [
    'an unknown kind of subject',
    { 'spec.rules.0.subjects.0.kind': 'Robot' },
    'spec.rules[0].subjects[0].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"',
  ],
  [
    'subjects without themselves',
    { 'spec.rules.0.subjects.0.user': undefined, 'spec.rules.0.subjects.1.group': undefined, 'spec.rules.0.subjects.2.serviceAccount': undefined },
    "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
    "spec.rules[0].subjects[1].group: Required value: group is required when subject kind is 'Group'",
    "spec.rules[0].subjects[2].serviceAccount: Required value: serviceAccount is required when subject kind is 'ServiceAccount'",
  ],
  [
    'subjects without names',
    {
      'spec.rules.0.subjects.0.user.name': '',
      'spec.rules.0.subjects.1.group.name': '',
      'spec.rules.0.subjects.2.serviceAccount': { name: '', namespace: '' },
    },
    'spec.rules[0].subjects[0].user.name: Required value',
    'spec.rules[0].subjects[1].group.name: Required value',
    'spec.rules[0].subjects[2].serviceAccount.name: Required value',
    'spec.rules[0].subjects[2].serviceAccount.namespace: Required value: must specify namespace for service account',
  ],
  [
    'subjects that are two',
    {
      'spec.rules.0.subjects.0.group': { name: 'team' },
      'spec.rules.0.subjects.1.serviceAccount': { name: 'default', namespace: 'default' },
      'spec.rules.0.subjects.2.user': { name: 'alice' },
    },
    "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
    "spec.rules[0].subjects[1].serviceAccount: Forbidden: serviceAccount is forbidden when subject kind is not 'ServiceAccount'",
    "spec.rules[0].subjects[2].user: Forbidden: user is forbidden when subject kind is not 'User'",
  ],
  [
    'a service account of odd names',
    { 'spec.rules.0.subjects.2.serviceAccount': { name: 'Default', namespace: 'Default' } },
    "spec.rules[0].subjects[2].serviceAccount.name: Invalid value: \"Default\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    "spec.rules[0].subjects[2].serviceAccount.namespace: Invalid value: \"Default\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'a rule without verbs',
    { 'spec.rules.0.resourceRules.0.verbs': [] },
    'spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'all verbs and one',
    { 'spec.rules.0.resourceRules.0.verbs': ['*', 'get'] },
    'spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other verbs',
  ],
  [
    'an unknown verb',
    { 'spec.rules.0.resourceRules.0.verbs': ['look'] },
    'spec.rules[0].resourceRules[0].verbs: Unsupported value: ["look"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
  ],
  [
    'no groups and resources',
    { 'spec.rules.0.resourceRules.0.apiGroups': [], 'spec.rules.0.resourceRules.0.resources': [] },
    'spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group',
    'spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
  ],
  [
    'all groups and resources and one',
    { 'spec.rules.0.resourceRules.0.apiGroups': ['*', 'apps'], 'spec.rules.0.resourceRules.0.resources': ['*', 'pods'] },
    'spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*","apps"]: if \'*\' is present, must not specify other api groups',
    'spec.rules[0].resourceRules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources',
  ],
  [
    'no scope',
    { 'spec.rules.0.resourceRules.0.namespaces': [] },
    'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
  ],
  [
    'all namespaces and one',
    { 'spec.rules.0.resourceRules.0.namespaces': ['*', 'default'] },
    'spec.rules[0].resourceRules[0].namespaces: Invalid value: ["*","default"]: if \'*\' is present, must not specify other namespaces',
  ],
  [
    'an odd namespace',
    { 'spec.rules.0.resourceRules.0.namespaces': ['Default'] },
    "spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: \"Default\": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'paths without verbs',
    { 'spec.rules.0.nonResourceRules.0.verbs': [] },
    'spec.rules[0].nonResourceRules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'paths with all verbs and one',
    { 'spec.rules.0.nonResourceRules.0.verbs': ['*', 'get'] },
    'spec.rules[0].nonResourceRules[0].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other verbs',
  ],
  [
    'paths with an unknown verb',
    { 'spec.rules.0.nonResourceRules.0.verbs': ['look'] },
    'spec.rules[0].nonResourceRules[0].verbs: Unsupported value: ["look"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
  ],
  [
    'no paths',
    { 'spec.rules.0.nonResourceRules.0.nonResourceURLs': [] },
    'spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value',
  ],
  [
    'all paths and one',
    { 'spec.rules.0.nonResourceRules.0.nonResourceURLs': ['*', '/a'] },
    'spec.rules[0].nonResourceRules[0].nonResourceURLs: Invalid value: ["*","/a"]: if \'*\' is present, must not specify other non-resource URLs',
  ],
  [
    'odd paths',
    { 'spec.rules.0.nonResourceRules.0.nonResourceURLs': ['a', '/a b', '/a//b', '/a*', '/a/*/b'] },
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "a": must start with slash',
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a b": must not contain white-space',
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a//b": must not contain double slash',
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a*": wildcard can only do suffix matching',
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/a/*/b": wildcard can only do suffix matching',
  ],
  [
    'an empty path',
    { 'spec.rules.0.nonResourceRules.0.nonResourceURLs': [''] },
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "": must not be empty',
  ],
]);

describeUpdateRefusals(
  'status of flow schemas',
  flowschemas,
  flowSchema,
  [
    ['conditions without a type', { 'status.conditions': [{ type: '', status: 'True' }] }, 'status.conditions[0].type: Required value'],
    [
      'a condition twice',
      {
        'status.conditions': [
          { type: 'A', status: 'True' },
          { type: 'A', status: 'True' },
        ],
      },
      'status.conditions[1].type: Duplicate value: "A"',
    ],
  ],
  'status',
  { notAsked: 'a controller of the original writes the status at the same time' },
);
