// Rules of fields that are there only with a feature gate, or that a gate changes.
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { notSubdomain } from '../../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

const signal = 'spec.containers.0.lifecycle.stopSignal';
const windows = { metadata: { name: 'one' }, spec: { os: { name: 'windows' }, containers: [{ name: 'main', image: 'i' }] } };
const stored = {
  metadata: { name: 'one' },
  spec: {
    resourceClaims: [{ name: 'node', resourceClaimName: 'c' }],
    volumes: [{ name: 'model', image: { reference: 'registry.example/model:1' } }],
    containers: [{ name: 'main', image: 'i', volumeMounts: [{ name: 'model', mountPath: '/model' }], resources: { claims: [{ name: 'node' }] } }],
  },
};
const mounted = (image: object) => ({
  status: {
    containerStatuses: [
      { name: 'main', image: 'i', imageID: '', ready: false, restartCount: 0, volumeMounts: [{ name: 'model', mountPath: '/model', volumeStatus: { image } }] },
    ],
  },
});
const allocated = (...statuses: object[]) => ({ status: { nodeAllocatableResourceClaimStatuses: statuses } });

describeRefusals(
  'stop signals',
  pods,
  { ...validPod, spec: { ...validPod.spec, os: { name: 'linux' } } },
  [
    [
      'a signal without a system',
      { 'spec.os': undefined, [signal]: 'SIGTERM' },
      'spec.containers[0].lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`',
    ],
    [
      'a signal that Linux does not know',
      { [signal]: 'SIGBOGUS' },
      'spec.containers[0].lifecycle.stopSignal: Unsupported value: "SIGBOGUS": supported values: "SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX", "SIGRTMAX-1", "SIGRTMAX-10", "SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13", "SIGRTMAX-14", "SIGRTMAX-2", "SIGRTMAX-3", "SIGRTMAX-4", "SIGRTMAX-5", "SIGRTMAX-6", "SIGRTMAX-7", "SIGRTMAX-8", "SIGRTMAX-9", "SIGRTMIN", "SIGRTMIN+1", "SIGRTMIN+10", "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMIN+2", "SIGRTMIN+3", "SIGRTMIN+4", "SIGRTMIN+5", "SIGRTMIN+6", "SIGRTMIN+7", "SIGRTMIN+8", "SIGRTMIN+9", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ"',
    ],
  ],
  { gates: { ContainerStopSignals: 'true' } },
);

describeRefusals(
  'stop signals of Windows',
  pods,
  windows,
  [
    [
      'a signal that Windows does not know',
      { [signal]: 'SIGINT' },
      'spec.containers[0].lifecycle.stopSignal: Unsupported value: "SIGINT": supported values: "SIGKILL", "SIGTERM"',
    ],
  ],
  { gates: { ContainerStopSignals: 'true' } },
);

describeRefusals(
  'groups of pods',
  pods,
  validPod,
  [
    ['no name', { 'spec.schedulingGroup': {} }, 'spec.schedulingGroup.podGroupName: Invalid value: null: must specify one of: `podGroupName`'],
    ['a name that is none', { 'spec.schedulingGroup': { podGroupName: 'G' } }, `spec.schedulingGroup.podGroupName: ${notSubdomain('G')}`],
  ],
  { gates: { GenericWorkload: 'true' } },
);

describeRefusals(
  'restart rules where containers cannot restart the pod',
  pods,
  validPod,
  [
    [
      'rules of a sidecar',
      { 'spec.initContainers.1.restartPolicyRules': [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
      'spec.initContainers[1].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
    ],
    [
      'an action that restarts all',
      {
        'spec.containers.0.restartPolicy': 'Never',
        'spec.containers.0.restartPolicyRules': [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }],
      },
      'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"',
    ],
  ],
  { gates: { RestartAllContainersOnContainerExits: 'false' } },
);

describeRefusals(
  'tolerations that compare',
  pods,
  validPod,
  [
    [
      'no number',
      { 'spec.tolerations': [{ key: 'k', operator: 'Gt', value: 'x' }] },
      'spec.tolerations[0].value: Invalid value: "x": must be a valid decimal integer in canonical form',
      'spec.tolerations[0].value: Invalid value: "x": strconv.ParseInt: parsing "x": invalid syntax',
    ],
    [
      'a number with a zero in front',
      { 'spec.tolerations': [{ key: 'k', operator: 'Lt', value: '01' }] },
      'spec.tolerations[0].value: Invalid value: "01": must be a valid decimal integer in canonical form',
    ],
    [
      'an unknown operator',
      { 'spec.tolerations': [{ key: 'k', operator: 'Near', value: '1' }] },
      'spec.tolerations[0].operator: Unsupported value: "Near": supported values: "Equal", "Exists"',
    ],
  ],
  { gates: { TaintTolerationComparisonOperators: 'true' } },
);

describeUpdateRefusals(
  'images of volumes in the status',
  pods,
  stored,
  [
    [
      'no reference',
      { ...mounted({ imageRef: '' }) },
      'status.containerStatuses[0].volumeMounts[0].volumeStatus.imageVolumeStatus.imageRef: Required value: imageRef must not be empty',
    ],
    [
      'too long a reference',
      { ...mounted({ imageRef: 'x'.repeat(257) }) },
      'status.containerStatuses[0].volumeMounts[0].volumeStatus.imageVolumeStatus.imageRef: Too long: may not be more than 256 bytes',
    ],
  ],
  'status',
  { gates: { ImageVolumeWithDigest: 'true' } },
);

describeUpdateRefusals(
  'what claims take from the node',
  pods,
  stored,
  [
    [
      'no claim',
      { ...allocated({ containers: ['main'], resources: { cpu: '1' } }) },
      'status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName: Invalid value: "": no mapping found in pod reference',
      'status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName: Required value: must not be empty',
    ],
    [
      'a claim of nobody',
      { ...allocated({ resourceClaimName: 'other', containers: ['main'], resources: { cpu: '1' } }) },
      'status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName: Invalid value: "other": no mapping found in pod reference',
    ],
    [
      'no container',
      { ...allocated({ resourceClaimName: 'c', resources: { cpu: '1' } }) },
      'status.nodeAllocatableResourceClaimStatuses[0].containers: Required value: must not be empty',
    ],
    [
      'no resources',
      { ...allocated({ resourceClaimName: 'c', containers: ['main'] }) },
      'status.nodeAllocatableResourceClaimStatuses[0].resources: Required value: must not be empty',
    ],
    [
      'a resource of others',
      { ...allocated({ resourceClaimName: 'c', containers: ['main'], resources: { 'example.com/gpu': '1' } }) },
      'status.nodeAllocatableResourceClaimStatuses[0].resources[example.com/gpu]: Invalid value: "example.com/gpu": must be a node allocatable resource name',
    ],
    [
      'less than nothing',
      { ...allocated({ resourceClaimName: 'c', containers: ['main'], resources: { cpu: '-1' } }) },
      'status.nodeAllocatableResourceClaimStatuses[0].resources[cpu]: Invalid value: "-1": must be non-negative',
    ],
  ],
  'status',
  { gates: { DRANodeAllocatableResources: 'true' } },
);
