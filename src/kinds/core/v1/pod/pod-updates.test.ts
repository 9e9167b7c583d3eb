import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeUpdateRefusals } from '../../../../../test/support/rule-cases.ts';

const stored = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', labels: { app: 'web' } },
  spec: {
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    activeDeadlineSeconds: 100,
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    initContainers: [
      { name: 'setup', image: 'registry.example/setup:1', resources: { requests: { cpu: '100m' } } },
      { name: 'side', image: 'registry.example/side:1', restartPolicy: 'Always', resources: { requests: { cpu: '100m' } } },
    ],
    containers: [
      { name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } } },
      { name: 'aux', image: 'registry.example/aux:1' },
    ],
  },
};

const gated = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one' },
  spec: {
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    schedulingGates: [{ name: 'a' }, { name: 'b' }],
    nodeSelector: { x: 'y' },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] },
      },
    },
    containers: [{ name: 'main', image: 'registry.example/app:1' }],
  },
};

describeUpdateRefusals('updates of pods', pods, stored, [
  ['a container more', { 'spec.containers.2': { name: 'new', image: 'x:1' } }, 'spec.containers: Forbidden: pod updates may not add or remove containers'],
  [
    'an init container less',
    { 'spec.initContainers': [{ name: 'setup', image: 'registry.example/setup:1', resources: { requests: { cpu: '100m' } } }] },
    'spec.initContainers: Forbidden: pod updates may not add or remove containers',
  ],
  [
    'an image with a blank behind',
    { 'spec.containers.0.image': 'x:1 ' },
    'spec.containers[0].image: Invalid value: "x:1 ": must not have leading or trailing whitespace',
  ],
  ['no image', { 'spec.containers.0.image': '' }, 'spec.containers[0].image: Required value'],
  ['a later deadline', { 'spec.activeDeadlineSeconds': 200 }, 'spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to previous value'],
  [
    'a deadline beyond int32',
    { 'spec.activeDeadlineSeconds': 2147483648 },
    'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
    'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive',
  ],
  [
    'no deadline any more',
    { 'spec.activeDeadlineSeconds': undefined },
    'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
  ],
  [
    'a new scheduling gate',
    { 'spec.schedulingGates': [{ name: 'x' }] },
    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'x'",
  ],
  [
    'another command',
    { 'spec.containers.0.command': ['x'] },
    'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
  ],
  [
    'another node',
    { 'spec.nodeName': 'n' },
    'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
  ],
  [
    'an AppArmor annotation',
    { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' } },
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Forbidden: may not add AppArmor annotations',
  ],
  [
    'the mark of a mirror pod',
    { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'x' } },
    'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
    'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
  ],
  [
    'a bad label',
    { 'metadata.labels': { 'a b': 'c' } },
    `metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a finalizer without a domain',
    { 'metadata.finalizers': ['mine'] },
    'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'an image of an init container with a blank behind',
    { 'spec.initContainers.0.image': 'x:1 ' },
    'spec.initContainers[0].image: Invalid value: "x:1 ": must not have leading or trailing whitespace',
  ],
  ['a toleration less', { 'spec.tolerations': [] }, 'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  [
    'another toleration in its place',
    { 'spec.tolerations.0.effect': 'NoSchedule', 'spec.tolerations.0.tolerationSeconds': undefined },
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ],
]);

describeUpdateRefusals('updates of gated pods', pods, gated, [
  [
    'another gate',
    { 'spec.schedulingGates': [{ name: 'a' }, { name: 'c' }] },
    "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
  ],
  [
    'another gate twice',
    { 'spec.schedulingGates': [{ name: 'c' }, { name: 'c' }] },
    "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
    'spec.schedulingGates[1]: Duplicate value: "c"',
  ],
  [
    'a changed node selector',
    { 'spec.nodeSelector': { x: 'z' } },
    'spec.nodeSelector: Invalid value: {"x":"z"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
  ],
  [
    'a term less of node affinity',
    { 'spec.affinity': undefined },
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms list are allowed',
  ],
  [
    'another expression of node affinity',
    { 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.0.matchExpressions.0.values': ['b'] },
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: {"MatchExpressions":[{"Key":"zone","Operator":"In","Values":["b"]}],"MatchFields":null}: only additions are allowed (no mutations or deletions)',
  ],
  [
    'pod affinity',
    { 'spec.affinity.podAffinity': {} },
    'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
  ],
]);

describeUpdateRefusals(
  'the status of pods',
  pods,
  stored,
  [
    [
      'a nominated node that is none',
      { status: { nominatedNodeName: 'N' } },
      `status.nominatedNodeName: Invalid value: "N": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      'negative generations',
      { status: { observedGeneration: -1, conditions: [{ type: 'Ready', status: 'True', observedGeneration: -1 }] } },
      'status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ],
    [
      'a condition that is none',
      { status: { conditions: [{ type: 'a b', status: 'True' }] } },
      `status.conditions[0].Type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
    ['another class of service', { status: { qosClass: 'Guaranteed' } }, 'status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    [
      'addresses that are none',
      { status: { podIPs: [{ ip: 'x' }], hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.2' }, { ip: '10.0.0.3' }] } },
      'status.hostIPs: Invalid value: [{"IP":"10.0.0.2"},{"IP":"10.0.0.3"}]: may specify no more than one IP for each IP family',
      'status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`',
      'status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      'statuses of claims that the pod does not have',
      { status: { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'A' }, { name: 'a' }] } },
      'status.resourceClaimStatuses[0].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
      `status.resourceClaimStatuses[0].resourceClaimName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      'status.resourceClaimStatuses[1].name: Duplicate value: "a"',
      'status.resourceClaimStatuses[1].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
    ],
    [
      'an extended claim of nothing',
      { status: { extendedResourceClaimStatus: { requestMappings: [], resourceClaimName: '' } } },
      'status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required',
      'status.extendedResourceClaimStatus.resourceClaimName: Required value',
    ],
    [
      'an extended claim that is wrong',
      {
        status: {
          extendedResourceClaimStatus: {
            requestMappings: [
              { containerName: 'nope', resourceName: 'x', requestName: 'R' },
              { containerName: 'main', resourceName: 'x', requestName: 'r' },
              { containerName: 'main', resourceName: 'x', requestName: 'r' },
            ],
            resourceClaimName: 'C',
          },
        },
      },
      'status.extendedResourceClaimStatus.requestMappings[0].containerName: Invalid value: "nope": must match the name of an entry in spec.initContainers.name or spec.containers.name',
      'status.extendedResourceClaimStatus.requestMappings[1].resourceName: Invalid value: "x": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
      'status.extendedResourceClaimStatus.requestMappings[2].containerName: Duplicate value: "main"',
      'status.extendedResourceClaimStatus.requestMappings[2].requestName: Duplicate value: "r"',
      'status.extendedResourceClaimStatus.requestMappings[2].resourceName: Duplicate value: "x"',
      'status.extendedResourceClaimStatus.requestMappings[2].resourceName: Invalid value: "x": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
      `status.extendedResourceClaimStatus.requestName: Invalid value: "R": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      `status.extendedResourceClaimStatus.resourceClaimName: Invalid value: "C": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      'users out of range',
      {
        status: {
          containerStatuses: [
            { name: 'main', ready: false, restartCount: 0, image: '', imageID: '', user: { linux: { uid: -1, gid: -1, supplementalGroups: [-1] } } },
          ],
        },
      },
      'status.containerStatuses[0].user.linux.gid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'status.containerStatuses[0].user.linux.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    [
      'allocations that are wrong',
      {
        status: {
          containerStatuses: [
            {
              name: 'main',
              ready: false,
              restartCount: 0,
              image: '',
              imageID: '',
              allocatedResourcesStatus: [
                {
                  name: 'claim:x',
                  resources: [
                    { resourceID: 'a', health: 'Bogus', message: '' },
                    { resourceID: 'a', health: 'Healthy' },
                  ],
                },
                { name: 'disk' },
              ],
            },
          ],
          ephemeralContainerStatuses: [{ name: 'd', ready: false, restartCount: 0, image: '', imageID: '', allocatedResourcesStatus: [{ name: 'cpu' }] }],
        },
      },
      `status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "claim:x": must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty`,
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Bogus": supported values: "Healthy", "Unhealthy", "Unknown"',
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message: Required value: must be non-empty if specified',
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "a"',
      `status.containerStatuses[0].allocatedResourcesStatus[1].name: Invalid value: "disk": must match one of the container's resource requests`,
      'status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status',
    ],
    [
      'two addresses of one family',
      { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] } },
      'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
    ],
    [
      'an AppArmor annotation',
      { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' } },
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Forbidden: may not add AppArmor annotations',
    ],
    [
      'too long a message of a device',
      {
        status: {
          containerStatuses: [
            {
              name: 'main',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              allocatedResourcesStatus: [{ name: 'cpu', resources: [{ resourceID: 'a', health: 'Healthy', message: 'x'.repeat(1025) }] }],
            },
          ],
        },
      },
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message: Too long: may not be more than 1024 bytes',
    ],
  ],
  'status',
);

describeUpdateRefusals(
  'resizing',
  pods,
  stored,
  [
    [
      'a container more',
      { 'spec.containers.2': { name: 'new', image: 'x:1' } },
      'spec.containers: Forbidden: containers may not be added or removed on resize',
    ],
    ['another name', { 'spec.containers.0.name': 'other' }, 'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize'],
    [
      'containers in another order',
      {
        'spec.containers': [
          { name: 'aux', image: 'registry.example/aux:1' },
          { name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } } },
        ],
      },
      'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
      'spec.containers[1].name: Forbidden: containers may not be renamed or reordered on resize',
    ],
    [
      'a request less',
      { 'spec.containers.0.resources.requests': { cpu: '100m' }, 'spec.containers.0.resources.limits': { cpu: '1' } },
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    ],
    ['storage', { 'spec.containers.0.resources.limits.ephemeral-storage': '1Gi' }, 'spec: Forbidden: only cpu and memory resources are mutable'],
    [
      'another class of service',
      { 'spec.containers.0.resources': {}, 'spec.containers.1.resources': {}, 'spec.initContainers.0.resources': {}, 'spec.initContainers.1.resources': {} },
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
      'spec.initContainers[0].resources.requests: Forbidden: resource requests cannot be removed',
      'spec.initContainers[1].resources.requests: Forbidden: resource requests cannot be removed',
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    ],
    [
      'an init container less',
      { 'spec.initContainers': [{ name: 'setup', image: 'registry.example/setup:1', resources: { requests: { cpu: '100m' } } }] },
      'spec.initContainers: Forbidden: initContainers may not be added or removed on resize',
    ],
    [
      'an init container of another name',
      { 'spec.initContainers.0.name': 'other' },
      'spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize',
    ],
  ],
  'resize',
);

describeUpdateRefusals(
  'ephemeral containers',
  pods,
  stored,
  [
    [
      'a container without a name and an image',
      { 'spec.ephemeralContainers': [{ name: '' }] },
      'spec.ephemeralContainers[0].image: Required value',
      'spec.ephemeralContainers[0].name: Required value',
    ],
    [
      'the name of another container',
      { 'spec.ephemeralContainers': [{ name: 'main', image: 'x:1' }] },
      'spec.ephemeralContainers[0].name: Duplicate value: "main"',
    ],
    [
      'a target that is not there',
      { 'spec.ephemeralContainers': [{ name: 'd', image: 'x:1', targetContainerName: 'nope' }] },
      'spec.ephemeralContainers[0].targetContainerName: Not found: "nope"',
    ],
    [
      'what such containers may not have',
      {
        'spec.ephemeralContainers': [
          {
            name: 'd',
            image: 'x:1',
            ports: [{ containerPort: 1 }],
            resources: { limits: { cpu: '1' } },
            livenessProbe: { exec: { command: ['a'] } },
            readinessProbe: { exec: { command: ['a'] } },
            startupProbe: { exec: { command: ['a'] } },
            lifecycle: { preStop: { exec: { command: ['a'] } } },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
            restartPolicy: 'Always',
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
          },
        ],
      },
      'spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].livenessProbe: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].readinessProbe: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].resizePolicy: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].restartPolicy: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].restartPolicyRules: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].startupProbe: Forbidden: cannot be set for an Ephemeral Container',
    ],
    [
      'the same sent empty',
      { 'spec.ephemeralContainers': [{ name: 'd', image: 'x:1', ports: [], resources: { limits: {} }, resizePolicy: [] }] },
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].resizePolicy: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container',
    ],
    [
      'a part of a volume',
      { 'spec.ephemeralContainers': [{ name: 'debug', image: 'd', volumeMounts: [{ name: 'data', mountPath: '/a', subPath: 'x' }] }] },
      'spec.ephemeralContainers[0].volumeMounts[0].name: Not found: "data"',
      'spec.ephemeralContainers[0].volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container',
    ],
    [
      'a part of a volume by expression',
      { 'spec.ephemeralContainers': [{ name: 'debug', image: 'd', volumeMounts: [{ name: 'data', mountPath: '/a', subPathExpr: 'x' }] }] },
      'spec.ephemeralContainers[0].volumeMounts[0].name: Not found: "data"',
      'spec.ephemeralContainers[0].volumeMounts[0].subPathExpr: Forbidden: cannot be set for an Ephemeral Container',
    ],
  ],
  'ephemeralcontainers',
);
