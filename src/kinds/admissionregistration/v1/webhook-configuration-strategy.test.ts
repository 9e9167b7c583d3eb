import { validatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/validating-admission-policy-binding-resource.ts';
import { validatingwebhookconfigurations } from '#kinds/admissionregistration/v1/validating-webhook-configuration-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'one' },
  webhooks: [
    {
      name: 'one.hooks.example',
      clientConfig: { url: 'https://hooks.example/path' },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
    },
  ],
};

describeRefusals('webhook configurations', validatingwebhookconfigurations, valid, [
  ['a short name', { 'webhooks.0.name': 'a.b' }, 'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
  ['side effects', { 'webhooks.0.sideEffects': 'Some' }, 'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
  [
    'a timeout that is too long',
    { 'webhooks.0.timeoutSeconds': 31 },
    'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
  ],
  ['no place to call', { 'webhooks.0.clientConfig': {} }, 'webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
  [
    'a URL with a query',
    { 'webhooks.0.clientConfig.url': 'https://hooks.example/?q=1' },
    'webhooks[0].clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
  ],
  [
    'a URL that is none',
    { 'webhooks.0.clientConfig.url': '://' },
    'webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "://": missing protocol scheme; desired format: https://host[/path]',
  ],
  [
    'an unknown operation',
    { 'webhooks.0.rules.0.operations': ['create'] },
    'webhooks[0].rules[0].operations[0]: Unsupported value: "create": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
  ],
  [
    'a subresource that is covered already',
    { 'webhooks.0.rules.0.resources': ['pods/*', 'pods/status'] },
    'webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if \'pods/*\' is present, must not specify pods/status',
  ],
]);

const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'one' },
  spec: { policyName: 'policy', validationActions: ['Deny'], paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } },
};

describeRefusals('bindings of admission policies', validatingadmissionpolicybindings, binding, [
  ['no policy', { 'spec.policyName': '' }, 'spec.policyName: Required value'],
  ['an action twice', { 'spec.validationActions': ['Deny', 'Deny'] }, 'spec.validationActions[1]: Duplicate value: "Deny"'],
  ['no parameters', { 'spec.paramRef.name': '' }, 'spec.paramRef: Required value: one of name or selector must be specified'],
]);
