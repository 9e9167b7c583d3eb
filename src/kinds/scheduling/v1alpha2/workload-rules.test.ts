import { podgroups } from '#kinds/scheduling/v1alpha2/pod-group-resource.ts';
import { workloads } from '#kinds/scheduling/v1alpha2/workload-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const workload = {
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'Workload',
  metadata: { name: 'one' },
  spec: {
    controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'one' },
    podGroupTemplates: [{ name: 'all', schedulingPolicy: { gang: { minCount: 2 } } }],
  },
};

describeRefusals(
  'workloads',
  workloads,
  workload,
  [
    ['no name', { 'metadata.name': undefined }, 'metadata.name: Required value: name or generateName is required'],
    [
      'an odd name',
      { 'metadata.name': 'One' },
      "metadata.name: Invalid value: \"One\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    ['no templates', { 'spec.podGroupTemplates': [] }, 'spec.podGroupTemplates: Required value'],
    [
      'too many templates',
      { 'spec.podGroupTemplates': Array.from({ length: 9 }, (_, n) => ({ name: `t${n}`, schedulingPolicy: { basic: {} } })) },
      'spec.podGroupTemplates: Too many: 9: must have at most 8 items',
    ],
    [
      'a template twice',
      {
        'spec.podGroupTemplates': [
          { name: 'all', schedulingPolicy: { basic: {} } },
          { name: 'all', schedulingPolicy: { basic: {} } },
        ],
      },
      'spec.podGroupTemplates[1]: Duplicate value: {"name":"all","schedulingPolicy":{"basic":{}},"schedulingConstraints":null}',
    ],
    [
      'a template of an odd name',
      { 'spec.podGroupTemplates.0.name': 'All' },
      "spec.podGroupTemplates[0].name: Invalid value: \"All\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      'a template without a policy',
      { 'spec.podGroupTemplates.0.schedulingPolicy': {} },
      'spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
    ],
    [
      'a template with two policies',
      { 'spec.podGroupTemplates.0.schedulingPolicy': { basic: {}, gang: { minCount: 1 } } },
      'spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`',
    ],
    [
      'a gang of nobody',
      { 'spec.podGroupTemplates.0.schedulingPolicy.gang.minCount': 0 },
      'spec.podGroupTemplates[0].schedulingPolicy.gang.minCount: Required value',
    ],
    [
      'a controller without kind and name',
      { 'spec.controllerRef': { apiGroup: 'Batch', kind: '', name: '' } },
      "spec.controllerRef.apiGroup: Invalid value: \"Batch\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.controllerRef.kind: Required value',
      'spec.controllerRef.name: Required value',
    ],
    [
      'a controller of odd names',
      { 'spec.controllerRef': { apiGroup: 'batch', kind: 'a/b', name: '..' } },
      'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
      'spec.controllerRef.name: Invalid value: "..": may not be \'..\'',
    ],
  ],
  { notAsked: 'served only with the gate GenericWorkload' },
);

describeUpdateRefusals(
  'updates of workloads',
  workloads,
  workload,
  [
    ['another controller', { 'spec.controllerRef.name': 'two' }, 'spec.controllerRef: Invalid value: null: field is immutable'],
    ['other templates', { 'spec.podGroupTemplates.0.schedulingPolicy.gang.minCount': 3 }, 'spec.podGroupTemplates: Invalid value: null: field is immutable'],
  ],
  '',
  { notAsked: 'served only with the gate GenericWorkload' },
);

const podGroup = {
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'PodGroup',
  metadata: { name: 'one' },
  spec: { schedulingPolicy: { gang: { minCount: 2 } } },
};

describeRefusals(
  'pod groups',
  podgroups,
  podGroup,
  [
    ['no name', { 'metadata.name': undefined }, 'metadata.name: Required value: name or generateName is required'],
    [
      'an odd name',
      { 'metadata.name': 'One' },
      "metadata.name: Invalid value: \"One\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    ['no policy', { 'spec.schedulingPolicy': {} }, 'spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'],
    [
      'two policies',
      { 'spec.schedulingPolicy': { basic: {}, gang: { minCount: 1 } } },
      'spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`',
    ],
    ['a gang of nobody', { 'spec.schedulingPolicy.gang.minCount': 0 }, 'spec.schedulingPolicy.gang.minCount: Required value'],
  ],
  { notAsked: 'served only with the gate GenericWorkload' },
);

describeUpdateRefusals(
  'updates of pod groups',
  podgroups,
  podGroup,
  [['another policy', { 'spec.schedulingPolicy.gang.minCount': 3 }, 'spec.schedulingPolicy: Invalid value: null: field is immutable']],
  '',
  { notAsked: 'served only with the gate GenericWorkload' },
);
