import { jobs } from '#kinds/batch/v1/job-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'one' },
  spec: {
    completionMode: 'Indexed',
    completions: 5,
    parallelism: 2,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 3,
    podFailurePolicy: {
      rules: [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        { action: 'FailIndex', onExitCodes: { containerName: 'main', operator: 'In', values: [1, 2] } },
      ],
    },
    successPolicy: { rules: [{ succeededIndexes: '0,2-4', succeededCount: 2 }] },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], restartPolicy: 'Never' } },
    manualSelector: true,
    selector: { matchLabels: { app: 'web' } },
  },
};

describeRefusals('jobs', jobs, valid, [
  [
    'a name too long for its pods',
    { 'metadata.name': 'a'.repeat(62) },
    `metadata.name: Invalid value: "${'a'.repeat(62)}": will not able to create pod with invalid DNS label: ${'a'.repeat(62)}-4`,
  ],
  [
    'negative counts',
    {
      'spec.parallelism': -1,
      'spec.completions': -1,
      'spec.activeDeadlineSeconds': -1,
      'spec.backoffLimit': -1,
      'spec.ttlSecondsAfterFinished': -1,
      'spec.backoffLimitPerIndex': -1,
      'spec.maxFailedIndexes': -1,
      'spec.successPolicy': undefined,
    },
    'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
    'spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0',
    'spec.completions: Invalid value: -1: must be greater than or equal to 0',
    'spec.maxFailedIndexes: Invalid value: -1: must be greater than or equal to 0',
    'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
    'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'failed indexes without a limit per index',
    { 'spec.backoffLimitPerIndex': undefined },
    'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
    'spec.podFailurePolicy.rules[1].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
  ],
  ['a manager without a domain', { 'spec.managedBy': 'me' }, 'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
  ['an empty manager', { 'spec.managedBy': '' }, 'spec.managedBy: Required value'],
  [
    'a manager with a bad domain and path',
    { 'spec.managedBy': 'A/b c' },
    `spec.managedBy: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    `spec.managedBy: Invalid value: "b c": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
  ],
  ['a long manager', { 'spec.managedBy': `a.b/${'a'.repeat(60)}` }, 'spec.managedBy: Too long: may not be more than 63 bytes'],
  [
    'an unknown completion mode',
    { 'spec.completionMode': 'Bogus', 'spec.successPolicy': undefined },
    'spec.completionMode: Unsupported value: "Bogus": supported values: "NonIndexed", "Indexed"',
  ],
  [
    'indexes without a number',
    { 'spec.completions': undefined, 'spec.successPolicy': undefined },
    'spec.completions: Required value: when completion mode is Indexed',
  ],
  [
    'too much parallelism',
    { 'spec.parallelism': 100001 },
    'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
  ],
  [
    'more failed indexes than completions',
    { 'spec.maxFailedIndexes': 6 },
    'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
  ],
  [
    'too many failed indexes',
    { 'spec.maxFailedIndexes': 100001 },
    'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000',
    'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to completions',
  ],
  [
    'limits for many completions',
    { 'spec.completions': 100001, 'spec.parallelism': 10001, 'spec.maxFailedIndexes': 10001, 'metadata.name': 'a' },
    'spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
  ],
  [
    'many completions without a limit of failures',
    { 'spec.completions': 100001, 'spec.maxFailedIndexes': undefined },
    'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
  ],
  [
    'index rules of a job without indexes',
    { 'spec.completionMode': 'NonIndexed' },
    'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
    'spec.maxFailedIndexes: Invalid value: 3: requires indexed completion mode',
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":"0,2-4","SucceededCount":2}]}: requires indexed completion mode',
  ],
  [
    '21 rules',
    { 'spec.podFailurePolicy.rules': Array.from({ length: 21 }, () => ({ action: 'Ignore', onPodConditions: [{ type: 'a' }] })) },
    'spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items',
  ],
  [
    'a rule without an action',
    { 'spec.podFailurePolicy': { rules: [{ action: '', onPodConditions: [{ type: 'a' }] }] } },
    'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
  ],
  [
    'a rule with an unknown action',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Bogus', onPodConditions: [{ type: 'a' }] }] } },
    'spec.podFailurePolicy.rules[0].action: Unsupported value: "Bogus": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
  ],
  [
    'a rule about nothing',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Ignore' }] } },
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
  ],
  [
    'a rule about two things',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'a' }], onExitCodes: { operator: 'In', values: [1] } }] } },
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
  ],
  [
    'failing an index without a limit per index',
    { 'spec.backoffLimitPerIndex': undefined, 'spec.maxFailedIndexes': undefined },
    'spec.podFailurePolicy.rules[1].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
  ],
  [
    'exit codes without an operator',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: '', values: [1] } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
  ],
  [
    'exit codes with an unknown operator',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'Near', values: [1] } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.operator: Unsupported value: "Near": supported values: "In", "NotIn"',
  ],
  [
    'exit codes of no container',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { containerName: 'nope', operator: 'In', values: [1] } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "nope": must be one of the container or initContainer names in the pod template',
  ],
  [
    'no exit code',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In' } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: null: at least one value is required',
  ],
  [
    '256 exit codes',
    {
      'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'NotIn', values: Array.from({ length: 256 }, (_, index) => index) } }] },
    },
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Too many: 256: must have at most 255 items',
  ],
  [
    'exit codes out of order',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1] } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered',
  ],
  [
    'an exit code twice',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 1] } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Duplicate value: 1',
  ],
  [
    'the exit code zero',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] } },
    'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
  ],
  [
    '21 conditions',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Ignore', onPodConditions: Array.from({ length: 21 }, () => ({ type: 'a' })) }] } },
    'spec.podFailurePolicy.rules[0].onPodConditions: Too many: 21: must have at most 20 items',
  ],
  [
    'a condition that is none',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'a b', status: 'Maybe' }] }] } },
    'spec.podFailurePolicy.rules[0].onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    `spec.podFailurePolicy.rules[0].onPodConditions[0].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'an unknown replacement policy',
    { 'spec.podFailurePolicy': undefined, 'spec.podReplacementPolicy': 'Bogus' },
    'spec.podReplacementPolicy: Unsupported value: "Bogus": supported values: "Failed", "TerminatingOrFailed"',
  ],
  [
    'a replacement policy that a failure policy forbids',
    { 'spec.podReplacementPolicy': 'TerminatingOrFailed' },
    'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
  ],
  [
    'a success policy without rules',
    { 'spec.successPolicy': { rules: [] } },
    'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
  ],
  [
    '21 success rules',
    { 'spec.successPolicy.rules': Array.from({ length: 21 }, () => ({ succeededCount: 1 })) },
    'spec.successPolicy.rules: Too many: 21: must have at most 20 items',
  ],
  [
    'a success rule about nothing',
    { 'spec.successPolicy.rules.0': {} },
    'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
  ],
  [
    'indexes out of order',
    { 'spec.successPolicy.rules.0': { succeededIndexes: '2,1' } },
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
  ],
  [
    'an interval the wrong way round',
    { 'spec.successPolicy.rules.0': { succeededIndexes: '3-1' } },
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "3-1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1',
  ],
  [
    'an index beyond completions',
    { 'spec.successPolicy.rules.0': { succeededIndexes: '0-5' } },
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"',
  ],
  [
    'an index that is no number',
    { 'spec.successPolicy.rules.0': { succeededIndexes: 'a' } },
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"',
  ],
  [
    'an interval of three parts',
    { 'spec.successPolicy.rules.0': { succeededIndexes: '1-2-3' } },
    `spec.successPolicy.rules[0].succeededIndexes: Invalid value: "1-2-3": error parsing succeededIndexes: the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
  ],
  [
    'a negative count of successes',
    { 'spec.successPolicy.rules.0': { succeededCount: -1 } },
    'spec.successPolicy.rules[0].succeededCount: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'more successes than completions',
    { 'spec.successPolicy.rules.0': { succeededCount: 6 } },
    'spec.successPolicy.rules[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)',
  ],
  [
    'more successes than indexes',
    { 'spec.successPolicy.rules.0': { succeededIndexes: '1', succeededCount: 2 } },
    'spec.successPolicy.rules[0].succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)',
  ],
  [
    'pods that always restart',
    { 'spec.template.spec.restartPolicy': 'Always' },
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'an unknown restart policy',
    { 'spec.template.spec.restartPolicy': 'Bogus' },
    'spec.template.spec.restartPolicy: Unsupported value: "Bogus": supported values: "Always", "OnFailure", "Never"',
    'spec.template.spec.restartPolicy: Unsupported value: "Bogus": supported values: "OnFailure", "Never"',
  ],
  [
    'restarts beside a failure policy',
    { 'spec.template.spec.restartPolicy': 'OnFailure' },
    'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
  ],
  [
    'no selector',
    { 'spec.selector': undefined },
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  [
    'a selector that is wrong',
    { 'spec.selector.matchExpressions': [{ key: 'a', operator: 'In' }] },
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
  [
    'a selector that the template does not match',
    { 'spec.selector.matchLabels': { app: 'x' } },
    'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  [
    'a generated label that is set',
    { 'spec.manualSelector': false, 'spec.selector': undefined, 'spec.template.metadata.labels': { 'job-name': 'other' } },
    `spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11","batch.kubernetes.io/job-name":"one","controller-uid":"0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11","job-name":"other"}: must be 'one'`,
  ],
  [
    'a selector that was not generated',
    { 'spec.manualSelector': false },
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","batch.kubernetes.io/controller-uid":"0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11"}}: `selector` not auto-generated',
  ],
]);

describeUpdateRefusals('updates of jobs', jobs, valid, [
  [
    'another completion mode',
    {
      'spec.completionMode': 'NonIndexed',
      'spec.backoffLimitPerIndex': undefined,
      'spec.maxFailedIndexes': undefined,
      'spec.successPolicy': undefined,
      'spec.podFailurePolicy': undefined,
    },
    'spec.backoffLimitPerIndex: Invalid value: null: field is immutable',
    'spec.completionMode: Invalid value: "NonIndexed": field is immutable',
    'spec.podFailurePolicy: Invalid value: null: field is immutable',
    'spec.successPolicy: Invalid value: null: field is immutable',
  ],
  ['completions without parallelism', { 'spec.completions': 7 }, 'spec.completions: Invalid value: 7: can only be modified in tandem with spec.parallelism'],
  [
    'another selector',
    { 'spec.selector.matchLabels': { app: 'web', tier: 'x' }, 'spec.template.metadata.labels.tier': 'x' },
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable',
    'spec.template: Invalid value: {"labels":{"app":"web","tier":"x"},"Spec":{"Volumes":null,"InitContainers":null,"Containers":[{"Name":"main","Image":"registry.example/app:1","Command":null,"Args":null,"WorkingDir":"","Ports":null,"EnvFrom":null,"Env":null,"Resources":{"Limits":null,"Requests":null,"Claims":null},"ResizePolicy":null,"RestartPolicy":null,"RestartPolicyRules":null,"VolumeMounts":null,"VolumeDevices":null,"LivenessProbe":null,"ReadinessProbe":null,"StartupProbe":null,"Lifecycle":null,"TerminationMessagePath":"/dev/termination-log","TerminationMessagePolicy":"File","ImagePullPolicy":"IfNotPresent","SecurityContext":null,"Stdin":false,"StdinOnce":false,"TTY":false}],"EphemeralContainers":null,"RestartPolicy":"Never","TerminationGracePeriodSeconds":30,"ActiveDeadlineSeconds":null,"DNSPolicy":"ClusterFirst","NodeSelector":null,"ServiceAccountName":"","AutomountServiceAccountToken":null,"NodeName":"","SecurityContext":{"HostNetwork":false,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"SupplementalGroups":null,"SupplementalGroupsPolicy":null,"FSGroup":null,"FSGroupChangePolicy":null,"Sysctls":null,"SeccompProfile":null,"AppArmorProfile":null,"SELinuxChangePolicy":null},"ImagePullSecrets":null,"Hostname":"","Subdomain":"","SetHostnameAsFQDN":null,"Affinity":null,"SchedulerName":"default-scheduler","Tolerations":null,"HostAliases":null,"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,"DNSConfig":null,"ReadinessGates":null,"RuntimeClassName":null,"Overhead":null,"EnableServiceLinks":null,"TopologySpreadConstraints":null,"OS":null,"SchedulingGates":null,"ResourceClaims":null,"Resources":null,"HostnameOverride":null,"SchedulingGroup":null}}: field is immutable',
  ],
  [
    'another limit per index and manager',
    { 'spec.backoffLimitPerIndex': 2, 'spec.managedBy': 'example.com/x' },
    'spec.backoffLimitPerIndex: Invalid value: 2: field is immutable',
    'spec.managedBy: Invalid value: "example.com/x": field is immutable',
  ],
]);

describeUpdateRefusals(
  'the status of jobs',
  jobs,
  valid,
  [
    [
      'negative counters',
      { status: { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1, uncountedTerminatedPods: { succeeded: ['', 'a', 'a'], failed: ['a'] } } },
      'status.active: Invalid value: -1: must be greater than or equal to 0',
      'status.failed: Invalid value: -1: cannot decrease the failed counter',
      'status.failed: Invalid value: -1: must be greater than or equal to 0',
      'status.ready: Invalid value: -1: must be greater than or equal to 0',
      'status.succeeded: Invalid value: -1: cannot decrease the succeeded counter',
      'status.succeeded: Invalid value: -1: must be greater than or equal to 0',
      'status.terminating: Invalid value: -1: must be greater than or equal to 0',
      'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      'status.uncountedTerminatedPods.succeeded[0]: Invalid value: "": must not be empty',
      'status.uncountedTerminatedPods.succeeded[2]: Duplicate value: "a"',
    ],
    [
      'both success and failure',
      {
        status: {
          startTime: '2030-01-01T00:00:00Z',
          completionTime: '2029-01-01T00:00:00Z',
          active: 1,
          terminating: 1,
          uncountedTerminatedPods: { failed: ['x'] },
          conditions: [
            { type: 'Complete', status: 'True' },
            { type: 'Failed', status: 'True' },
          ],
        },
      },
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
      'status.completionTime: Invalid value: "2029-01-01T00:00:00Z": must be equal to or after `startTime`',
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
      'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["x"]}: must be empty for finished job',
    ],
    [
      'a completion without a start and an end',
      {
        status: {
          conditions: [
            { type: 'Complete', status: 'True' },
            { type: 'FailureTarget', status: 'True' },
            { type: 'SuccessCriteriaMet', status: 'True' },
          ],
        },
      },
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      'status.startTime: Required value: startTime is required for finished job',
    ],
    [
      'an end of what is not complete',
      { status: { completionTime: '2030-01-01T00:00:00Z' } },
      'status.completionTime: Invalid value: "2030-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
    ],
    [
      'indexes that are wrong',
      { status: { completedIndexes: '9', failedIndexes: 'b' } },
      'status.completedIndexes: Invalid value: "9": error parsing completedIndexes: too large index: "9"',
      'status.failedIndexes: Invalid value: "b": error parsing failedIndexes: cannot convert string to integer for index: "b"',
    ],
    [
      'indexes that overlap',
      { status: { completedIndexes: '1-3', failedIndexes: '3' } },
      'status.failedIndexes: Invalid value: "3": failedIndexes and completedIndexes overlap at index: 3',
    ],
    [
      'fewer active pods than none, whether any are ready or not',
      { status: { active: -1 } },
      'status.active: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['more ready pods than active ones', { status: { active: 1, ready: 2 } }, 'status.ready: Invalid value: 2: cannot set more ready pods than active'],
  ],
  'status',
);
