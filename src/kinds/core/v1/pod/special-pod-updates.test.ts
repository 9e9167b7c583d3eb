// Updates of pods that are special: mirrors of static pods, pods with annotations of old, of Windows, with containers that ended.
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeUpdateRefusals } from '../../../../../test/support/rule-cases.ts';

const containers = [{ name: 'main', image: 'i', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }];
const mirror = { metadata: { name: 'one', annotations: { 'kubernetes.io/config.mirror': 'x' } }, spec: { nodeName: 'n', containers } };
const armored = { metadata: { name: 'one', annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'runtime/default' } }, spec: { containers } };
const windows = { metadata: { name: 'one' }, spec: { os: { name: 'windows' }, containers } };
const debugged = {
  metadata: { name: 'one' },
  spec: { containers, ephemeralContainers: [{ name: 'debug', image: 'd', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }] },
};
const ended = (name: string, exitCode: number) => ({ name, image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated: { exitCode } } });
const running = (name: string) => ({ name, image: 'i', imageID: '', ready: false, restartCount: 1, state: { running: {} } });
const over = {
  metadata: { name: 'one' },
  spec: { restartPolicy: 'OnFailure', initContainers: [{ name: 'setup', image: 'i' }], containers },
  status: { containerStatuses: [ended('main', 0)], initContainerStatuses: [ended('setup', 0)] },
};
const setup = {
  metadata: { name: 'one' },
  spec: {
    initContainers: [
      { name: 'setup', image: 'i', resources: { requests: { cpu: '1' } }, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
    ],
    containers,
  },
};

describeUpdateRefusals('updates of mirror pods', pods, mirror, [
  [
    'another mark',
    { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'y' } },
    'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation',
  ],
  [
    'no mark any more',
    { 'metadata.annotations': {} },
    'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation',
  ],
]);

describeUpdateRefusals('updates of pods with AppArmor annotations', pods, armored, [
  [
    'another profile',
    { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' } },
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Forbidden: may not remove or update AppArmor annotations',
  ],
  [
    'no profile any more',
    { 'metadata.annotations': {} },
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Forbidden: may not remove or update AppArmor annotations',
  ],
]);

describeUpdateRefusals(
  'debugging mirror pods',
  pods,
  mirror,
  [['a container', { 'spec.ephemeralContainers': [{ name: 'debug', image: 'd' }] }, '[]: Forbidden: static pods do not support ephemeral containers']],
  'ephemeralcontainers',
  { refusesAll: true },
);

describeUpdateRefusals(
  'debugging debugged pods',
  pods,
  debugged,
  [
    [
      'another image',
      { 'spec.ephemeralContainers.0.image': 'e' },
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed',
    ],
    ['a container less', { 'spec.ephemeralContainers': [] }, 'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed'],
  ],
  'ephemeralcontainers',
);

describeUpdateRefusals(
  'resizing mirror pods',
  pods,
  mirror,
  [['more', { 'spec.containers.0.resources': { requests: { cpu: '2' }, limits: { cpu: '2' } } }, '[]: Forbidden: static pods cannot be resized']],
  'resize',
  { refusesAll: true },
);

describeUpdateRefusals(
  'resizing pods of Windows',
  pods,
  windows,
  [['more', { 'spec.containers.0.resources': { requests: { cpu: '2' }, limits: { cpu: '2' } } }, '[]: Forbidden: windows pods cannot be resized']],
  'resize',
  { refusesAll: true },
);

describeUpdateRefusals(
  'resizing pods with init containers',
  pods,
  setup,
  [
    ['nothing when an init container gets more', { 'spec.initContainers.0.resources.requests.cpu': '2' }],
    [
      'another resize policy of an init container',
      { 'spec.initContainers.0.resizePolicy.0.restartPolicy': 'RestartContainer' },
      'spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
      'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
      'spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable',
    ],
    ['nothing when only the image of an init container is another', { 'spec.initContainers.0.image': 'other' }],
  ],
  'resize',
);

describeUpdateRefusals(
  'the status of pods of Windows',
  pods,
  windows,
  [
    [
      'a user of Linux',
      { status: { containerStatuses: [{ ...running('main'), user: { linux: { uid: 1, gid: 1 } } }] } },
      'status.containerStatuses[0].user.linux: Forbidden: cannot be set for a windows pod',
    ],
  ],
  'status',
);

describeUpdateRefusals(
  'the status of pods that ended well',
  pods,
  over,
  [
    [
      'a container that runs again',
      { 'status.containerStatuses': [running('main')] },
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ],
    [
      'an init container that runs again',
      { 'status.initContainerStatuses': [running('setup')] },
      'status.initContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ],
  ],
  'status',
);
