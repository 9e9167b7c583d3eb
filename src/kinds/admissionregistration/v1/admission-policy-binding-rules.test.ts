import { mutatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding-resource.ts';
import { validatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/validating-admission-policy-binding-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const validatingBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'rules-one' },
  spec: {
    policyName: 'none',
    validationActions: ['Deny'],
    paramRef: { name: 'p', namespace: 'default', parameterNotFoundAction: 'Deny' },
    matchResources: { resourceRules: [{ operations: ['CREATE'], apiGroups: ['rules.example'], apiVersions: ['v1'], resources: ['things'] }] },
  },
};

describeRefusals('bindings of validating policies', validatingadmissionpolicybindings, validatingBinding, [
  ['no policy', { 'spec.policyName': '' }, 'spec.policyName: Required value'],
  [
    'a policy of an odd name',
    { 'spec.policyName': 'Policy' },
    "spec.policyName: Invalid value: \"Policy\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'parameters by name and by selector',
    { 'spec.paramRef.selector': {} },
    'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
    'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
  ],
  ['parameters of an odd name', { 'spec.paramRef.name': 'a/b' }, 'spec.paramRef.name: Invalid value: "a/b": may not contain \'/\''],
  ['parameters by nothing', { 'spec.paramRef.name': undefined }, 'spec.paramRef: Required value: one of name or selector must be specified'],
  ['no word about missing parameters', { 'spec.paramRef.parameterNotFoundAction': undefined }, 'spec.paramRef.parameterNotFoundAction: Required value'],
  [
    'an unknown word about missing parameters',
    { 'spec.paramRef.parameterNotFoundAction': 'Wait' },
    'spec.paramRef.parameterNotFoundAction: Unsupported value: "Wait": supported values: "Deny", "Allow"',
  ],
  ['no actions', { 'spec.validationActions': [] }, 'spec.validationActions: Required value: at least one validation action is required'],
  [
    'an unknown action',
    { 'spec.validationActions': ['Wait'] },
    'spec.validationActions[0]: Unsupported value: "Wait": supported values: "Audit", "Deny", "Warn"',
  ],
  ['an action twice', { 'spec.validationActions': ['Deny', 'Deny'] }, 'spec.validationActions[1]: Duplicate value: "Deny"'],
  [
    'two ways to tell the same',
    { 'spec.validationActions': ['Deny', 'Warn'] },
    'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
  ],
  ['a rule without operations', { 'spec.matchResources.resourceRules.0.operations': [] }, 'spec.matchResources.resourceRules[0].operations: Required value'],
]);

const mutatingBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: 'rules-one' },
  spec: { policyName: 'none', paramRef: { name: 'p', namespace: 'default', parameterNotFoundAction: 'Deny' } },
};

describeRefusals('bindings of mutating policies', mutatingadmissionpolicybindings, mutatingBinding, [
  ['no policy', { 'spec.policyName': '' }, 'spec.policyName: Required value'],
  [
    'a policy of an odd name',
    { 'spec.policyName': 'Policy' },
    "spec.policyName: Invalid value: \"Policy\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'parameters by name and by selector',
    { 'spec.paramRef.selector': {} },
    'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
    'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
  ],
  ['parameters by nothing', { 'spec.paramRef.name': undefined }, 'spec.paramRef: Required value: one of name or selector must be specified'],
  ['no word about missing parameters', { 'spec.paramRef.parameterNotFoundAction': undefined }, 'spec.paramRef.parameterNotFoundAction: Required value'],
  [
    'deletions',
    { 'spec.matchResources': { resourceRules: [{ operations: ['DELETE'], apiGroups: ['rules.example'], apiVersions: ['v1'], resources: ['things'] }] } },
    'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
  ],
]);
