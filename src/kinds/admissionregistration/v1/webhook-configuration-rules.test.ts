import { mutatingwebhookconfigurations } from '#kinds/admissionregistration/v1/mutating-webhook-configuration-resource.ts';
import { validatingwebhookconfigurations } from '#kinds/admissionregistration/v1/validating-webhook-configuration-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const validatingHooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'rules-one' },
  webhooks: [
    {
      name: 'one.hooks.example',
      clientConfig: { url: 'https://hooks.example/path' },
      rules: [{ operations: ['CREATE'], apiGroups: ['rules.example'], apiVersions: ['v1'], resources: ['things'], scope: '*' }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
    },
  ],
};

describeRefusals('validating webhooks', validatingwebhookconfigurations, validatingHooks, [
  ['no operations', { 'webhooks.0.rules.0.operations': [] }, 'webhooks[0].rules[0].operations: Required value'],
  [
    'all operations and one',
    { 'webhooks.0.rules.0.operations': ['*', 'CREATE'] },
    'webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if \'*\' is present, must not specify other operations',
  ],
  [
    'an unknown operation',
    { 'webhooks.0.rules.0.operations': ['LOOK'] },
    'webhooks[0].rules[0].operations[0]: Unsupported value: "LOOK": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
  ],
  [
    'no groups and versions',
    { 'webhooks.0.rules.0.apiGroups': [], 'webhooks.0.rules.0.apiVersions': [] },
    'webhooks[0].rules[0].apiGroups: Required value',
    'webhooks[0].rules[0].apiVersions: Required value',
  ],
  [
    'all groups and versions and one',
    { 'webhooks.0.rules.0.apiGroups': ['*', 'a'], 'webhooks.0.rules.0.apiVersions': ['*', 'v1'] },
    'webhooks[0].rules[0].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups',
    'webhooks[0].rules[0].apiVersions: Invalid value: ["*","v1"]: if \'*\' is present, must not specify other API versions',
  ],
  ['an empty version', { 'webhooks.0.rules.0.apiVersions': [''] }, 'webhooks[0].rules[0].apiVersions[0]: Required value'],
  ['no resources', { 'webhooks.0.rules.0.resources': [] }, 'webhooks[0].rules[0].resources: Required value'],
  ['an empty resource', { 'webhooks.0.rules.0.resources': [''] }, 'webhooks[0].rules[0].resources[0]: Required value'],
  [
    'everything and one',
    { 'webhooks.0.rules.0.resources': ['*/*', 'things'] },
    'webhooks[0].rules[0].resources: Invalid value: ["*/*","things"]: if \'*/*\' is present, must not specify other resources',
  ],
  [
    'all resources and one',
    { 'webhooks.0.rules.0.resources': ['*', 'things'] },
    'webhooks[0].rules[0].resources: Invalid value: ["*","things"]: if \'*\' is present, must not specify other resources without subresources',
  ],
  [
    'a subresource twice',
    { 'webhooks.0.rules.0.resources': ['things/*', 'things/status'] },
    'webhooks[0].rules[0].resources[1]: Invalid value: "things/status": if \'things/*\' is present, must not specify things/status',
  ],
  [
    'a subresource of all and one',
    { 'webhooks.0.rules.0.resources': ['*/scale', 'things/scale'] },
    'webhooks[0].rules[0].resources[1]: Invalid value: "things/scale": if \'*/scale\' is present, must not specify things/scale',
  ],
  [
    'an unknown scope',
    { 'webhooks.0.rules.0.scope': 'World' },
    'webhooks[0].rules[0].scope: Unsupported value: "World": supported values: "*", "Cluster", "Namespaced"',
  ],
  ['no name', { 'webhooks.0.name': '' }, 'webhooks[0].name: Required value'],
  ['a short name', { 'webhooks.0.name': 'a.b' }, 'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
  [
    'an odd name',
    { 'webhooks.0.name': 'One.hooks.example' },
    "webhooks[0].name: Invalid value: \"One.hooks.example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a name twice',
    {
      webhooks: [0, 1].map(() => ({
        name: 'one.hooks.example',
        clientConfig: { url: 'https://hooks.example/path' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      })),
    },
    'webhooks[1].name: Duplicate value: "one.hooks.example"',
  ],
  [
    'unknown policies',
    { 'webhooks.0.failurePolicy': 'Wait', 'webhooks.0.matchPolicy': 'Nearly' },
    'webhooks[0].failurePolicy: Unsupported value: "Wait": supported values: "Fail", "Ignore"',
    'webhooks[0].matchPolicy: Unsupported value: "Nearly": supported values: "Equivalent", "Exact"',
  ],
  ['no word about side effects', { 'webhooks.0.sideEffects': undefined }, 'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
  ['side effects', { 'webhooks.0.sideEffects': 'Some' }, 'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
  ['no time', { 'webhooks.0.timeoutSeconds': 0 }, 'webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds'],
  ['much time', { 'webhooks.0.timeoutSeconds': 31 }, 'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
  [
    'odd selectors',
    { 'webhooks.0.namespaceSelector': { matchExpressions: [{ key: 'a', operator: 'Is' }] }, 'webhooks.0.objectSelector': { matchLabels: { a: '-' } } },
    'webhooks[0].namespaceSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    "webhooks[0].objectSelector.matchLabels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  ['nobody to call', { 'webhooks.0.clientConfig': {} }, 'webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
  [
    'two to call',
    { 'webhooks.0.clientConfig.service': { name: 'hooks', namespace: 'default' } },
    'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
  ],
  [
    'a URL that is none',
    { 'webhooks.0.clientConfig.url': '://' },
    'webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "://": missing protocol scheme; desired format: https://host[/path]',
  ],
  [
    'a URL that anybody reads',
    { 'webhooks.0.clientConfig.url': 'http://hooks.example' },
    'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
  ],
  [
    'a URL without a host',
    { 'webhooks.0.clientConfig.url': 'https:///path' },
    'webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
  ],
  [
    'a URL with a user',
    { 'webhooks.0.clientConfig.url': 'https://me@hooks.example/' },
    'webhooks[0].clientConfig.url: Invalid value: "me": user information is not permitted in the URL',
  ],
  [
    'a URL with a fragment',
    { 'webhooks.0.clientConfig.url': 'https://hooks.example/#f' },
    'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
  ],
  [
    'a URL with a query',
    { 'webhooks.0.clientConfig.url': 'https://hooks.example/?q=1' },
    'webhooks[0].clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
  ],
  ['no versions', { 'webhooks.0.admissionReviewVersions': [] }, 'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
  [
    'an odd version',
    { 'webhooks.0.admissionReviewVersions': ['v1', '1'] },
    "webhooks[0].admissionReviewVersions[1]: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['a version twice', { 'webhooks.0.admissionReviewVersions': ['v1', 'v1'] }, 'webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version'],
  [
    'only versions that nobody speaks',
    { 'webhooks.0.admissionReviewVersions': ['v2'] },
    'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
  ],
  [
    'too many conditions',
    { 'webhooks.0.matchConditions': Array.from({ length: 65 }, (_, n) => ({ name: `n${n}`, expression: 'true' })) },
    'webhooks[0].matchConditions: Too many: 65: must have at most 64 items',
  ],
  [
    'a condition without anything',
    { 'webhooks.0.matchConditions': [{ name: '', expression: '' }] },
    'webhooks[0].matchConditions[0].expression: Required value',
    'webhooks[0].matchConditions[0].name: Required value',
  ],
  [
    'a condition of an odd name',
    { 'webhooks.0.matchConditions': [{ name: '-', expression: 'true' }] },
    "webhooks[0].matchConditions[0].name: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'a condition twice',
    {
      'webhooks.0.matchConditions': [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'true' },
      ],
    },
    'webhooks[0].matchConditions[1].name: Duplicate value: "a"',
  ],
]);

const mutatingHooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'rules-one' },
  webhooks: [
    {
      name: 'one.hooks.example',
      clientConfig: { service: { name: 'hooks', namespace: 'default', path: '/path', port: 443 } },
      rules: [{ operations: ['CREATE'], apiGroups: ['rules.example'], apiVersions: ['v1'], resources: ['things'], scope: '*' }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

describeRefusals('mutating webhooks', mutatingwebhookconfigurations, mutatingHooks, [
  [
    'an unknown reinvocation',
    { 'webhooks.0.reinvocationPolicy': 'Twice' },
    'webhooks[0].reinvocationPolicy: Unsupported value: "Twice": supported values: "IfNeeded", "Never"',
  ],
  [
    'a service without a name',
    { 'webhooks.0.clientConfig.service': { name: '', namespace: '' } },
    'webhooks[0].clientConfig.service.name: Required value',
    'webhooks[0].clientConfig.service.namespace: Required value',
  ],
  [
    'a port beyond the last',
    { 'webhooks.0.clientConfig.service.port': 70_000 },
    'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
  ],
  [
    'a path without a beginning',
    { 'webhooks.0.clientConfig.service.path': 'path' },
    'webhooks[0].clientConfig.service.path: Invalid value: "path": must start with a \'/\'',
  ],
  [
    'a path of odd parts',
    { 'webhooks.0.clientConfig.service.path': '/a//B' },
    'webhooks[0].clientConfig.service.path: Invalid value: "/a//B": segment[1] may not be empty',
    "webhooks[0].clientConfig.service.path: Invalid value: \"/a//B\": segment[2]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
]);
