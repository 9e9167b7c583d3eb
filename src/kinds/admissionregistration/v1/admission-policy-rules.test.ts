import { mutatingadmissionpolicies } from '#kinds/admissionregistration/v1/mutating-admission-policy-resource.ts';
import { validatingadmissionpolicies } from '#kinds/admissionregistration/v1/validating-admission-policy-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const validatingPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'rules-one' },
  spec: {
    failurePolicy: 'Fail',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: { resourceRules: [{ operations: ['CREATE'], apiGroups: ['rules.example'], apiVersions: ['v1'], resources: ['things'] }] },
    matchConditions: [{ name: 'always', expression: 'true' }],
    variables: [{ name: 'n', expression: '1' }],
    validations: [{ expression: 'true', message: 'm' }],
    auditAnnotations: [{ key: 'k', valueExpression: "'v'" }],
  },
};

describeRefusals('validating policies', validatingadmissionpolicies, validatingPolicy, [
  [
    'odd and repeated names',
    { 'spec.matchConstraints.resourceRules.0.resourceNames': ['a/b', 'c', 'c'] },
    'spec.matchConstraints.resourceRules[0].resourceNames[0]: Invalid value: "a/b": may not contain \'/\'',
    'spec.matchConstraints.resourceRules[0].resourceNames[2]: Duplicate value: "c"',
  ],
  [
    'odd and repeated names of exceptions',
    {
      'spec.matchConstraints.excludeResourceRules': [
        { operations: ['CREATE'], apiGroups: ['a'], apiVersions: ['v1'], resources: ['things'], resourceNames: ['a/b', 'c', 'c'] },
      ],
    },
    'spec.matchConstraints.excludeResourceRules[0].resourceNames[0]: Invalid value: "a/b": may not contain \'/\'',
    'spec.matchConstraints.excludeResourceRules[0].resourceNames[2]: Duplicate value: "c"',
  ],
  ['an unknown failure policy', { 'spec.failurePolicy': 'Wait' }, 'spec.failurePolicy: Unsupported value: "Wait": supported values: "Fail", "Ignore"'],
  ['parameters of no kind', { 'spec.paramKind': {} }, 'spec.paramKind.apiVersion: Required value', 'spec.paramKind.kind: Required value'],
  [
    'parameters of an odd group',
    { 'spec.paramKind.apiVersion': 'Example/v1' },
    "spec.paramKind.apiVersion: Invalid value: \"Example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'parameters of an odd version',
    { 'spec.paramKind.apiVersion': 'example.com/1' },
    "spec.paramKind.apiVersion: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'parameters in no version',
    { 'spec.paramKind.apiVersion': 'a/b/c' },
    'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [
    'parameters of an odd kind',
    { 'spec.paramKind.kind': 'Config_Map' },
    "spec.paramKind.kind: Invalid value: \"Config_Map\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['nothing to match', { 'spec.matchConstraints': undefined }, 'spec.matchConstraints: Required value'],
  ['no rules', { 'spec.matchConstraints.resourceRules': [] }, 'spec.matchConstraints.resourceRules: Required value'],
  [
    'an unknown way to match',
    { 'spec.matchConstraints.matchPolicy': 'Nearly' },
    'spec.matchConstraints.matchPolicy: Unsupported value: "Nearly": supported values: "Equivalent", "Exact"',
  ],
  [
    'a condition without anything',
    { 'spec.matchConditions': [{ name: '', expression: '' }] },
    'spec.matchConditions[0].expression: Required value',
    'spec.matchConditions[0].name: Required value',
  ],
  [
    'a condition of an odd name',
    { 'spec.matchConditions': [{ name: '-', expression: 'true' }] },
    "spec.matchConditions[0].name: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'a condition twice',
    {
      'spec.matchConditions': [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'true' },
      ],
    },
    'spec.matchConditions[1].name: Duplicate value: "a"',
  ],
  [
    'too many conditions',
    { 'spec.matchConditions': Array.from({ length: 65 }, (_, n) => ({ name: `n${n}`, expression: 'true' })) },
    'spec.matchConditions: Too many: 65: must have at most 64 items',
  ],
  [
    'a variable without anything',
    { 'spec.variables': [{ name: '', expression: '' }] },
    'spec.variables[0].expression: Required value: expression is not specified',
    'spec.variables[0].name: Required value: name is not specified',
  ],
  ['a variable of an odd name', { 'spec.variables.0.name': 'a-b' }, 'spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier'],
  [
    'a variable of a name that CEL keeps',
    { 'spec.variables.0.name': 'while' },
    'spec.variables[0].name: Invalid value: "while": must be a valid CEL identifier',
  ],
  [
    'nothing to do',
    { 'spec.validations': [], 'spec.auditAnnotations': [] },
    'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
  ],
  ['no expression', { 'spec.validations.0.expression': ' ' }, 'spec.validations[0].expression: Required value: expression is not specified'],
  ['a blank message', { 'spec.validations.0.message': ' ' }, 'spec.validations[0].message: Invalid value: " ": must be non-empty if specified'],
  ['a message of two lines', { 'spec.validations.0.message': 'a\nb' }, 'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks'],
  [
    'a blank message expression',
    { 'spec.validations.0.messageExpression': ' ' },
    'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
  ],
  [
    'an unknown reason',
    { 'spec.validations.0.reason': 'Unauthorized' },
    'spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
  ],
  [
    'too many annotations',
    { 'spec.auditAnnotations': Array.from({ length: 21 }, (_, n) => ({ key: `k${n}`, valueExpression: "'v'" })) },
    'spec.auditAnnotations: Invalid value: [{"Key":"k0","ValueExpression":"\'v\'"},{"Key":"k1","ValueExpression":"\'v\'"},{"Key":"k2","ValueExpression":"\'v\'"},{"Key":"k3","ValueExpression":"\'v\'"},{"Key":"k4","ValueExpression":"\'v\'"},{"Key":"k5","ValueExpression":"\'v\'"},{"Key":"k6","ValueExpression":"\'v\'"},{"Key":"k7","ValueExpression":"\'v\'"},{"Key":"k8","ValueExpression":"\'v\'"},{"Key":"k9","ValueExpression":"\'v\'"},{"Key":"k10","ValueExpression":"\'v\'"},{"Key":"k11","ValueExpression":"\'v\'"},{"Key":"k12","ValueExpression":"\'v\'"},{"Key":"k13","ValueExpression":"\'v\'"},{"Key":"k14","ValueExpression":"\'v\'"},{"Key":"k15","ValueExpression":"\'v\'"},{"Key":"k16","ValueExpression":"\'v\'"},{"Key":"k17","ValueExpression":"\'v\'"},{"Key":"k18","ValueExpression":"\'v\'"},{"Key":"k19","ValueExpression":"\'v\'"},{"Key":"k20","ValueExpression":"\'v\'"}]: must not have more than 20 auditAnnotations',
  ],
  [
    'an annotation of an odd key',
    { 'spec.auditAnnotations.0.key': 'a b' },
    "spec.auditAnnotations[0].key: Invalid value: \"rules-one/a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'an annotation twice',
    {
      'spec.auditAnnotations': [
        { key: 'k', valueExpression: "'v'" },
        { key: 'k', valueExpression: "'v'" },
      ],
    },
    'spec.auditAnnotations[1].key: Duplicate value: "k"',
  ],
  [
    'an annotation without a value',
    { 'spec.auditAnnotations.0.valueExpression': ' ' },
    'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
  ],
  [
    'an annotation with a long value',
    { 'spec.auditAnnotations.0.valueExpression': `'${'v'.repeat(5120)}'` },
    'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length',
  ],
]);

describeUpdateRefusals(
  'status of validating policies',
  validatingadmissionpolicies,
  validatingPolicy,
  [
    [
      'warnings about nothing',
      { 'status.typeChecking': { expressionWarnings: [{ fieldRef: '', warning: '' }] } },
      'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
      'status.typeChecking.expressionWarnings[0].warning: Required value',
    ],
    [
      'a warning about no path',
      { 'status.typeChecking': { expressionWarnings: [{ fieldRef: '-lead', warning: 'w' }] } },
      'status.typeChecking.expressionWarnings[0].fieldRef: Invalid value: "-lead": invalid JSONPath: cannot parse number -',
    ],
  ],
  'status',
  { notAsked: 'a controller of the original writes the status at the same time' },
);

const mutatingPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'rules-one' },
  spec: {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
    matchConstraints: { resourceRules: [{ operations: ['CREATE'], apiGroups: ['rules.example'], apiVersions: ['v1'], resources: ['things'] }] },
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/a", value: 1}]' } }],
  },
};

describeRefusals('mutating policies', mutatingadmissionpolicies, mutatingPolicy, [
  ['an unknown failure policy', { 'spec.failurePolicy': 'Wait' }, 'spec.failurePolicy: Unsupported value: "Wait": supported values: "Fail", "Ignore"'],
  ['nothing to match', { 'spec.matchConstraints': undefined }, 'spec.matchConstraints: Required value'],
  [
    'a variable without anything',
    { 'spec.variables': [{ name: '', expression: '' }] },
    'spec.variables[0].expression: Required value: expression is not specified',
    'spec.variables[0].name: Required value: name is not specified',
  ],
  ['nothing to do', { 'spec.mutations': [] }, 'spec.mutations: Required value: mutations must contain at least one item'],
  ['no type of patch', { 'spec.mutations.0.patchType': '' }, 'spec.mutations[0].patchType: Required value'],
  [
    'an unknown type of patch',
    { 'spec.mutations.0.patchType': 'MergePatch' },
    'spec.mutations[0].patchType: Unsupported value: "MergePatch": supported values: "ApplyConfiguration", "JSONPatch"',
  ],
  [
    'a patch without itself',
    { 'spec.mutations.0.jsonPatch': undefined },
    'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
  ],
  [
    'an application without itself',
    { 'spec.mutations.0': { patchType: 'ApplyConfiguration' } },
    'spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
  ],
  [
    'a patch that is two',
    { 'spec.mutations.0.applyConfiguration': { expression: 'Object{}' } },
    'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
  ],
  ['a patch without an expression', { 'spec.mutations.0.jsonPatch.expression': '' }, 'spec.mutations[0].jsonPatch.expression: Required value'],
  ['no reinvocation', { 'spec.reinvocationPolicy': '' }, 'spec.reinvocationPolicy: Required value'],
  [
    'an unknown reinvocation',
    { 'spec.reinvocationPolicy': 'Twice' },
    'spec.reinvocationPolicy: Unsupported value: "Twice": supported values: "IfNeeded", "Never"',
  ],
  [
    'deletions',
    { 'spec.matchConstraints.resourceRules.0.operations': ['DELETE'] },
    'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
  ],
]);
