import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('what a container mounts', pods, validPod, [
  [
    'a mount without a name',
    { 'spec.containers.0.volumeMounts.0.name': '' },
    'spec.containers[0].volumeMounts[0].name: Not found: ""',
    'spec.containers[0].volumeMounts[0].name: Required value',
  ],
  ['a mount of no volume', { 'spec.containers.0.volumeMounts.0.name': 'nope' }, 'spec.containers[0].volumeMounts[0].name: Not found: "nope"'],
  ['a mount without a path', { 'spec.containers.0.volumeMounts.0.mountPath': '' }, 'spec.containers[0].volumeMounts[0].mountPath: Required value'],
  [
    'the same mount path twice',
    { 'spec.containers.0.volumeMounts.1': { name: 'conf', mountPath: '/data' } },
    'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/data": must be unique',
  ],
  [
    'a volume both mounted and as a device',
    { 'spec.containers.0.volumeMounts.1': { name: 'block', mountPath: '/b' } },
    'spec.containers[0].volumeDevices[0].name: Invalid value: "block": must not already exist in volumeMounts',
    'spec.containers[0].volumeMounts[1].name: Invalid value: "block": must not already exist in volumeDevices',
  ],
  [
    'a mount at the path of a device',
    { 'spec.containers.0.volumeMounts.1': { name: 'conf', mountPath: '/dev/block' } },
    'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/dev/block": must not already exist as a path in volumeMounts',
    'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/dev/block": must not already exist as a path in volumeDevices',
  ],
  [
    'an absolute sub path',
    { 'spec.containers.0.volumeMounts.0.subPath': '/sub' },
    'spec.containers[0].volumeMounts.subPath: Invalid value: "/sub": must be a relative path',
  ],
  [
    'a sub path that leads out',
    { 'spec.containers.0.volumeMounts.0.subPath': 'a/../../b' },
    `spec.containers[0].volumeMounts.subPath: Invalid value: "a/../../b": must not contain '..'`,
  ],
  [
    'two kinds of sub path',
    { 'spec.containers.0.volumeMounts.0.subPathExpr': '$(A)' },
    'spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "$(A)": subPathExpr and subPath are mutually exclusive',
  ],
  [
    'an unknown propagation',
    { 'spec.containers.0.volumeMounts.0.mountPropagation': 'Both' },
    'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"',
  ],
  [
    'bidirectional propagation without privileges',
    { 'spec.containers.0.volumeMounts.0.mountPropagation': 'Bidirectional' },
    'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
  ],
  [
    'an unknown recursive mode',
    { 'spec.containers.0.volumeMounts.0.recursiveReadOnly': 'Yes' },
    'spec.containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "Yes": supported values: "Disabled", "Enabled", "IfPossible"',
  ],
  [
    'recursive read-only of a writable mount',
    { 'spec.containers.0.volumeMounts.0.recursiveReadOnly': 'Enabled' },
    'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
  ],
  [
    'recursive read-only with propagation',
    {
      'spec.containers.0.volumeMounts.0.recursiveReadOnly': 'IfPossible',
      'spec.containers.0.volumeMounts.0.readOnly': true,
      'spec.containers.0.volumeMounts.0.mountPropagation': 'HostToContainer',
    },
    'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified',
  ],
  [
    'a device without name and path',
    { 'spec.containers.0.volumeDevices.0': { name: '', devicePath: '' } },
    'spec.containers[0].volumeDevices[0].devicePath: Required value',
    'spec.containers[0].volumeDevices[0].name: Not found: ""',
    'spec.containers[0].volumeDevices[0].name: Required value',
  ],
  ['a device of no volume', { 'spec.containers.0.volumeDevices.0.name': 'nope' }, 'spec.containers[0].volumeDevices[0].name: Not found: "nope"'],
  [
    'a device of a volume without blocks',
    { 'spec.containers.0.volumeDevices.1': { name: 'conf', devicePath: '/dev/c' } },
    'spec.containers[0].volumeDevices[1].name: Invalid value: "conf": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
  ],
  [
    'the same device twice',
    { 'spec.containers.0.volumeDevices.1': { name: 'block', devicePath: '/dev/block' } },
    'spec.containers[0].volumeDevices[1].devicePath: Invalid value: "/dev/block": must be unique',
    'spec.containers[0].volumeDevices[1].name: Invalid value: "block": must be unique',
  ],
  [
    'a device path that leads up',
    { 'spec.containers.0.volumeDevices.0.devicePath': '/dev/../x' },
    `spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps ('..')`,
  ],
  [
    'a device at the path of a mount',
    { 'spec.containers.0.volumeDevices.0.devicePath': '/data' },
    'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/data": must not already exist as a path in volumeMounts',
    'spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/data": must not already exist as a path in volumeDevices',
  ],
  [
    'an expression for a path that leaves the volume',
    { 'spec.containers.0.volumeMounts.0': { name: 'data', mountPath: '/data', subPathExpr: '../$(A)' } },
    'spec.containers[0].volumeMounts.subPathExpr: Invalid value: "../$(A)": must not contain \'..\'',
  ],
]);
