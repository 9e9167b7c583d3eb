import { customresourcedefinitions } from '#kinds/apiextensions/v1/custom-resource-definition-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { schemaPath as root, versionPath as version, specPath as spec, sampleDefinition as definition } from '../../../../test/support/sample-definition.ts';

describeRefusals('definitions', customresourcedefinitions, definition, [
  [
    'no group',
    { 'metadata.name': 'things.', 'spec.group': '' },
    "metadata.name: Invalid value: \"things.\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    'spec.group: Required value',
  ],
  [
    'an odd group',
    { 'metadata.name': 'things.Rules.example', 'spec.group': 'Rules.example' },
    "metadata.name: Invalid value: \"things.Rules.example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    "spec.group: Invalid value: \"Rules.example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a group without a dot',
    { 'metadata.name': 'things.rules', 'spec.group': 'rules' },
    'spec.group: Invalid value: "rules": should be a domain with at least one dot',
  ],
  ['no scope', { 'spec.scope': '' }, 'spec.scope: Required value'],
  ['an unknown scope', { 'spec.scope': 'World' }, 'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'],
  [
    'no names',
    { 'metadata.name': '.rules.example', 'spec.names': { plural: '', kind: '' } },
    "metadata.name: Invalid value: \".rules.example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    'spec.names.kind: Required value',
    'spec.names.listKind: Required value',
    'spec.names.plural: Required value',
    'spec.names.singular: Required value',
  ],
  [
    'odd names',
    { 'spec.names.singular': 'Thing', 'spec.names.kind': 'Th_ing', 'spec.names.listKind': 'Th_ings' },
    "spec.names.kind: Invalid value: \"Th_ing\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.listKind: Invalid value: \"Th_ings\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.singular: Invalid value: \"Thing\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'an odd plural',
    { 'metadata.name': '1.rules.example', 'spec.names.plural': '1' },
    "spec.names.plural: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['a list of the same kind', { 'spec.names.listKind': 'Thing' }, 'spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same'],
  [
    'odd short names and categories',
    { 'spec.names.shortNames': ['Th'], 'spec.names.categories': ['All'] },
    "spec.names.categories[0]: Invalid value: \"All\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.shortNames[0]: Invalid value: \"Th\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'an odd version',
    { [`${version}.name`]: '1' },
    "spec.version: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.versions[0].name: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'a version twice',
    { 'spec.versions': [true, false].map((storage) => ({ name: 'v1', served: true, storage, schema: { openAPIV3Schema: { type: 'object' } } })) },
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
  ],
  [
    'a version twice, both to store',
    { 'spec.versions': [1, 2].map(() => ({ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } })) },
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: ["v1"]: must have the storage version v1',
  ],
  [
    'no version to store',
    { [`${version}.storage`]: false },
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: null: must have at least one stored version',
  ],
  [
    'two versions to store',
    { 'spec.versions': ['v1', 'v2'].map((name) => ({ name, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } })) },
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
  ],
  [
    'no versions',
    { 'spec.versions': [] },
    'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: null: must have at least one stored version',
  ],
  [
    'a warning about a version that is not deprecated',
    { [`${version}.deprecationWarning`]: 'soon' },
    'spec.versions[0].deprecationWarning: Invalid value: "soon": can only be set for deprecated versions',
  ],
  [
    'an empty warning',
    { [`${version}.deprecated`]: true, [`${version}.deprecationWarning`]: '' },
    'spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string',
  ],
  [
    'a long warning',
    { [`${version}.deprecated`]: true, [`${version}.deprecationWarning`]: 'x'.repeat(257) },
    'spec.versions[0].deprecationWarning: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be <= 256 characters long',
  ],
  [
    'an unprintable warning',
    { [`${version}.deprecated`]: true, [`${version}.deprecationWarning`]: 'a\nb' },
    'spec.versions[0].deprecationWarning: Invalid value: "a\\nb": must only contain printable UTF-8 characters; non-printable character found at index 1',
  ],
  ['no schema', { [`${version}.schema`]: undefined }, 'spec.versions[0].schema.openAPIV3Schema: Required value'],
  [
    'unknown fields',
    { 'spec.preserveUnknownFields': true },
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ],
  [
    'unknown fields and defaults',
    { 'spec.preserveUnknownFields': true, [`${spec}.properties.a.default`]: 'x' },
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
  ],
  [
    'an unknown conversion',
    { 'spec.conversion': { strategy: 'Magic' } },
    'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"',
  ],
  ['no conversion', { 'spec.conversion': { strategy: '' } }, 'spec.conversion.strategy: Required value'],
  [
    'a conversion of unknown fields',
    {
      'spec.preserveUnknownFields': true,
      'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a.example' }, conversionReviewVersions: ['v1'] } },
    },
    'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ],
  [
    'a conversion by nobody',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } },
    'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
  ],
  [
    'a conversion by nobody in particular',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } } },
    'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
  ],
  [
    'a conversion that anybody reads',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: { url: 'http://a.example' }, conversionReviewVersions: ['v1'] } } },
    'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
  ],
  [
    'no conversion by somebody',
    { 'spec.conversion': { strategy: 'None', webhook: { clientConfig: { url: 'https://a.example' } } } },
    'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
  ],
  [
    'a conversion in no version',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a.example' }, conversionReviewVersions: [] } } },
    'spec.conversion.conversionReviewVersions: Required value',
  ],
  [
    'a conversion in odd versions',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a.example' }, conversionReviewVersions: ['v1', '1', 'v1'] } } },
    "spec.conversion.conversionReviewVersions[1]: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    'spec.conversion.conversionReviewVersions[2]: Invalid value: "v1": duplicate version',
  ],
  [
    'a conversion in a version that nobody speaks',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a.example' }, conversionReviewVersions: ['v2'] } } },
    'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
  ],
  [
    'no conversion in a version',
    { 'spec.conversion': { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } },
    'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
  ],
  [
    'a scale without paths',
    { [`${version}.subresources`]: { scale: { specReplicasPath: '', statusReplicasPath: '' } } },
    'spec.subresources.scale.specReplicasPath: Required value',
    'spec.subresources.scale.statusReplicasPath: Required value',
  ],
  [
    'a scale with odd paths',
    { [`${version}.subresources`]: { scale: { specReplicasPath: 'spec.n', statusReplicasPath: 'status.n', labelSelectorPath: 'status.l' } } },
    'spec.subresources.scale.labelSelectorPath: Invalid value: "status.l": must be a simple json path starting with .',
    'spec.subresources.scale.specReplicasPath: Invalid value: "spec.n": must be a simple json path starting with .',
    'spec.subresources.scale.statusReplicasPath: Invalid value: "status.n": must be a simple json path starting with .',
  ],
  [
    'a scale with paths elsewhere',
    { [`${version}.subresources`]: { scale: { specReplicasPath: '.status.n', statusReplicasPath: '.spec.n', labelSelectorPath: '.metadata.l' } } },
    'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.l": should be a json path under either .spec or .status',
    'spec.subresources.scale.specReplicasPath: Invalid value: ".status.n": should be a json path under .spec',
    'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.n": should be a json path under .status',
  ],
  [
    'a column without anything',
    { [`${version}.additionalPrinterColumns`]: [{ name: '', type: '', jsonPath: '' }] },
    'spec.additionalPrinterColumns[0].JSONPath: Required value',
    'spec.additionalPrinterColumns[0].name: Required value',
    'spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
  ],
  [
    'an odd column',
    { [`${version}.additionalPrinterColumns`]: [{ name: 'A', type: 'text', format: 'loud', jsonPath: 'spec.a' }] },
    'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
    'spec.additionalPrinterColumns[0].format: Invalid value: "loud": must be one of byte,date,date-time,double,float,int32,int64,password',
    'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
  ],
  [
    'too many selectable fields',
    {
      [`${spec}.properties`]: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}`, { type: 'string' }])),
      [`${version}.selectableFields`]: Array.from({ length: 9 }, (_, n) => ({ jsonPath: `.spec.f${n}` })),
    },
    'spec.selectableFields: Too many: 9: must have at most 8 items',
  ],
  [
    'a selectable field without a schema',
    { [`${version}.schema`]: undefined, [`${version}.selectableFields`]: [{ jsonPath: '.spec.a' }] },
    'spec.selectableFields: Invalid value: "": may only be set when validations.schema is included',
    'spec.versions[0].schema.openAPIV3Schema: Required value',
  ],
  ['a selectable field without a path', { [`${version}.selectableFields`]: [{ jsonPath: '' }] }, 'spec.selectableFields[0].jsonPath: Required value'],
  [
    'a selectable field that is not there',
    { [`${version}.selectableFields`]: [{ jsonPath: '.spec.b' }] },
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field',
  ],
  [
    'a selectable field of an array',
    { [`${version}.selectableFields`]: [{ jsonPath: '.spec.l[0]' }] },
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.l[0]": is an invalid path: array notation is not allowed',
  ],
  [
    'a selectable field of metadata',
    {
      [`${root}.properties.metadata`]: { type: 'object', properties: { name: { type: 'string' } } },
      [`${version}.selectableFields`]: [{ jsonPath: '.metadata.name' }],
    },
    'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
  ],
  [
    'a selectable object',
    { [`${version}.selectableFields`]: [{ jsonPath: '.spec' }] },
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
  ],
  [
    'a selectable field twice',
    { [`${version}.selectableFields`]: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }] },
    'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.a"',
  ],
  [
    'a group of Kubernetes without approval',
    { 'metadata.name': 'things.rules.k8s.io', 'spec.group': 'rules.k8s.io' },
    'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  [
    'a group of Kubernetes with an odd approval',
    { 'metadata.name': 'things.rules.k8s.io', 'spec.group': 'rules.k8s.io', 'metadata.annotations': { 'api-approved.kubernetes.io': 'yes' } },
    'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "yes": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
]);

const established = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'others.rules.example' },
  spec: {
    group: 'rules.example',
    scope: 'Namespaced',
    names: { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
  status: {
    acceptedNames: { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList' },
    conditions: [{ type: 'Established', status: 'True' }],
    storedVersions: ['v1'],
  },
};

describeUpdateRefusals(
  'updates of established definitions',
  customresourcedefinitions,
  established,
  [
    ['another group', { 'spec.group': 'other.example' }, 'spec.group: Invalid value: "other.example": field is immutable'],
    ['another scope', { 'spec.scope': 'Cluster' }, 'spec.scope: Invalid value: "Cluster": field is immutable'],
    ['another plural', { 'spec.names.plural': 'several' }, 'spec.names.plural: Invalid value: "several": field is immutable'],
    ['another kind', { 'spec.names.kind': 'Thing' }, 'spec.names.kind: Invalid value: "Thing": field is immutable'],
    [
      'a conversion by an odd authority',
      {
        'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a.example', caBundle: 'YQ==' }, conversionReviewVersions: ['v1'] } },
      },
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "YQ==": unable to load root certificates: unable to parse bytes as PEM block',
    ],
    [
      'a stored version that is no more',
      { 'spec.versions': [{ name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] },
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ],
  ],
  '',
  { notAsked: 'the controllers of the original write the definition at the same time' },
);

describeUpdateRefusals(
  'status of established definitions',
  customresourcedefinitions,
  established,
  [
    [
      'odd accepted names',
      { 'status.acceptedNames.plural': '1' },
      "status.acceptedNames.plural: Invalid value: \"1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  'status',
  { notAsked: 'the controllers of the original write the definition at the same time' },
);
