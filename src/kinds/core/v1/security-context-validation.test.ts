import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { pods } from '#kinds/core/v1/pod.ts';
import { changed, contextWith, describeRefusals, prepared } from '../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../test/support/valid-pod.ts';

describeRefusals('security contexts', pods, validPod, [
  [
    'ids out of range',
    { 'spec.containers.0.securityContext.runAsUser': -1, 'spec.containers.0.securityContext.runAsGroup': 2147483648 },
    'spec.containers[0].securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
    'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ],
  [
    'an unknown proc mount',
    { 'spec.containers.0.securityContext.procMount': 'Bogus' },
    'spec.containers[0].securityContext.procMount: Unsupported value: "Bogus": supported values: "Default", "Unmasked"',
  ],
  [
    'an unmasked proc mount with the users of the host',
    { 'spec.containers.0.securityContext.procMount': 'Unmasked' },
    'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
  ],
  [
    'privileges without escalation',
    { 'spec.containers.0.securityContext.privileged': true },
    'spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":null,"Drop":["ALL"]},"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":1000,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":{"Type":"RuntimeDefault","LocalhostProfile":null},"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
  ],
  [
    'an administrator without escalation',
    { 'spec.containers.0.securityContext.capabilities.add': ['CAP_SYS_ADMIN'] },
    'spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":["ALL"]},"Privileged":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":1000,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":{"Type":"RuntimeDefault","LocalhostProfile":null},"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
  ],
  [
    'an unknown seccomp profile',
    { 'spec.containers.0.securityContext.seccompProfile.type': 'Bogus' },
    'spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "Bogus": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
  ],
  [
    'a seccomp profile without a type',
    { 'spec.containers.0.securityContext.seccompProfile': {} },
    'spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
  ],
  [
    'a local seccomp profile without a path',
    { 'spec.containers.0.securityContext.seccompProfile.type': 'Localhost' },
    'spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
  ],
  [
    'an absolute seccomp profile',
    { 'spec.containers.0.securityContext.seccompProfile': { type: 'Localhost', localhostProfile: '/p' } },
    'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "/p": must be a relative path',
  ],
  [
    'a path of a seccomp profile that is not local',
    { 'spec.containers.0.securityContext.seccompProfile': { type: 'RuntimeDefault', localhostProfile: 'p' } },
    'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"RuntimeDefault","LocalhostProfile":"p"}: can only be set when seccomp type is Localhost',
  ],
  [
    'an AppArmor profile without a type',
    { 'spec.containers.0.securityContext.appArmorProfile': {} },
    'spec.containers[0].securityContext.appArmorProfile.type: Required value: type is required when appArmorProfile is set',
  ],
  [
    'an unknown AppArmor profile',
    { 'spec.containers.0.securityContext.appArmorProfile': { type: 'Bogus' } },
    'spec.containers[0].securityContext.appArmorProfile.type: Unsupported value: "Bogus": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
  ],
  [
    'a local AppArmor profile without a name',
    { 'spec.containers.0.securityContext.appArmorProfile': { type: 'Localhost' } },
    'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
  ],
  [
    'a local AppArmor profile with blanks around',
    { 'spec.containers.0.securityContext.appArmorProfile': { type: 'Localhost', localhostProfile: ' p' } },
    'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: " p": must not be padded with whitespace',
  ],
  [
    'a local AppArmor profile that is too long',
    { 'spec.containers.0.securityContext.appArmorProfile': { type: 'Localhost', localhostProfile: 'a'.repeat(4096) } },
    'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes',
  ],
  [
    'a name of an AppArmor profile that is not local',
    { 'spec.containers.0.securityContext.appArmorProfile': { type: 'Unconfined', localhostProfile: 'p' } },
    'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: "p": can only be set when AppArmor type is Localhost',
  ],
  [
    'ids of the pod out of range',
    {
      'spec.securityContext.fsGroup': -1,
      'spec.securityContext.runAsUser': -1,
      'spec.securityContext.runAsGroup': -1,
      'spec.securityContext.supplementalGroups': [-1],
    },
    'spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'spec.securityContext.runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ],
  [
    'unknown policies of the pod',
    { 'spec.securityContext.fsGroupChangePolicy': 'a', 'spec.securityContext.supplementalGroupsPolicy': 'b', 'spec.securityContext.seLinuxChangePolicy': 'c' },
    'spec.securityContext.fsGroupChangePolicy: Unsupported value: "a": supported values: "Always", "OnRootMismatch"',
    'spec.securityContext.seLinuxChangePolicy: Unsupported value: "c": supported values: "Recursive"',
    'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "b": supported values: "Merge", "Strict"',
  ],
  [
    'a shared process namespace beside that of the host',
    { 'spec.hostPID': true, 'spec.shareProcessNamespace': true },
    'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
  ],
  ['a sysctl without a name', { 'spec.securityContext.sysctls.0.name': '' }, 'spec.securityContext.sysctls[0].name: Required value'],
  [
    'a sysctl that is none',
    { 'spec.securityContext.sysctls.0.name': 'A.b' },
    'spec.securityContext.sysctls[0].name: Invalid value: "A.b": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
  ],
  [
    'a sysctl twice',
    { 'spec.securityContext.sysctls.1': { name: 'kernel.shm_rmid_forced', value: '0' } },
    'spec.securityContext.sysctls[1].name: Duplicate value: "kernel.shm_rmid_forced"',
  ],
  [
    'a sysctl of the network of the host',
    { 'spec.hostNetwork': true, 'spec.securityContext.sysctls.0.name': 'net.ipv4.ip_forward' },
    `spec.securityContext.sysctls[0].name: Invalid value: "net.ipv4.ip_forward": may not be specified when 'hostNetwork' is true`,
  ],
  [
    'a sysctl of the memory of the host',
    { 'spec.hostIPC': true },
    `spec.securityContext.sysctls[0].name: Invalid value: "kernel.shm_rmid_forced": may not be specified when 'hostIPC' is true`,
  ],
  [
    'an empty credential spec and user',
    { 'spec.securityContext.windowsOptions': { gmsaCredentialSpec: '', runAsUserName: '', gmsaCredentialSpecName: 'A' } },
    'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
    `spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string',
  ],
  [
    'a user name with a control character',
    { 'spec.securityContext.windowsOptions': { runAsUserName: 'a\u0001' } },
    'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\u0001": runAsUserName cannot contain control characters',
  ],
  [
    'a user name with two backslashes',
    { 'spec.securityContext.windowsOptions': { runAsUserName: 'a\\b\\c' } },
    'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
  ],
  [
    'a domain that is none',
    { 'spec.securityContext.windowsOptions': { runAsUserName: 'a:b\\user' } },
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a:b\\\\user": runAsUserName's Domain doesn't match the NetBios nor the DNS format`,
  ],
  [
    'a domain that is too long',
    { 'spec.securityContext.windowsOptions': { runAsUserName: `${'a'.repeat(256)}\\user` } },
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "${'a'.repeat(256)}\\\\user": runAsUserName's Domain doesn't match the NetBios nor the DNS format`,
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "${'a'.repeat(256)}\\\\user": runAsUserName's Domain length must be under 256 characters`,
  ],
  [
    'a domain without a user',
    { 'spec.securityContext.windowsOptions': { runAsUserName: 'dom\\' } },
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "dom\\\\": runAsUserName's User cannot be empty`,
  ],
  [
    'a user that is too long',
    { 'spec.securityContext.windowsOptions': { runAsUserName: 'a'.repeat(105) } },
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "${'a'.repeat(105)}": runAsUserName's User length must not be longer than 104 characters`,
  ],
  [
    'a user of dots',
    { 'spec.securityContext.windowsOptions': { runAsUserName: '..' } },
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "..": runAsUserName's User cannot contain only periods or spaces`,
  ],
  [
    'a user with a slash',
    { 'spec.securityContext.windowsOptions': { runAsUserName: 'a/b' } },
    `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a/b": runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`,
  ],
  [
    'some processes of the host but not all',
    {
      'spec.hostNetwork': true,
      'spec.containers.0.ports': undefined,
      'spec.containers.0.livenessProbe': undefined,
      'spec.containers.0.securityContext': { windowsOptions: { hostProcess: true } },
    },
    'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
  ],
  [
    'processes of the host off its network',
    { 'spec.securityContext.windowsOptions': { hostProcess: true } },
    'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
  ],
  [
    'a container that differs from its pod about the host',
    {
      'spec.hostNetwork': true,
      'spec.containers.0.ports': undefined,
      'spec.containers.0.livenessProbe': undefined,
      'spec.securityContext.windowsOptions': { hostProcess: true },
      'spec.containers.0.securityContext': { windowsOptions: { hostProcess: false } },
    },
    'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
    'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
  ],
  [
    'namespaces of the host without its users',
    {
      'spec.hostUsers': false,
      'spec.hostNetwork': true,
      'spec.hostPID': true,
      'spec.hostIPC': true,
      'spec.securityContext.sysctls': undefined,
      'spec.containers.0.volumeDevices': undefined,
    },
    'spec.HostIPC: Forbidden: when `hostUsers` is false',
    'spec.HostPID: Forbidden: when `hostUsers` is false',
    'spec.hostNetwork: Forbidden: when `hostUsers` is false',
  ],
  ['block devices without the users of the host', { 'spec.hostUsers': false }, 'spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false'],
  [
    'windows options of a linux pod',
    { 'spec.os': { name: 'linux' }, 'spec.securityContext.windowsOptions': {}, 'spec.containers.0.securityContext.windowsOptions': {} },
    'spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
  ],
  [
    'fields of linux in a windows pod',
    {
      'spec.os': { name: 'windows' },
      'spec.hostPID': true,
      'spec.hostIPC': true,
      'spec.hostUsers': true,
      'spec.shareProcessNamespace': false,
      'spec.securityContext': {
        appArmorProfile: { type: 'Unconfined' },
        seLinuxOptions: {},
        seccompProfile: { type: 'Unconfined' },
        fsGroup: 1,
        fsGroupChangePolicy: 'Always',
        sysctls: [{ name: 'a', value: 'b' }],
        runAsUser: 1,
        runAsGroup: 1,
        supplementalGroups: [1],
        supplementalGroupsPolicy: 'Merge',
        seLinuxChangePolicy: 'Recursive',
      },
      'spec.containers.0.securityContext': {
        appArmorProfile: { type: 'Unconfined' },
        seLinuxOptions: {},
        seccompProfile: { type: 'Unconfined' },
        capabilities: {},
        readOnlyRootFilesystem: true,
        privileged: false,
        allowPrivilegeEscalation: true,
        procMount: 'Default',
        runAsUser: 1,
        runAsGroup: 1,
      },
    },
    'spec.containers[0].securityContext.allowPrivilegeEscalation: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.appArmorProfile: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.procMount: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.readOnlyRootFilesystem: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
    'spec.containers[0].securityContext.seccompProfile: Forbidden: cannot be set for a windows pod',
    'spec.hostIPC: Forbidden: cannot be set for a windows pod',
    'spec.hostPID: Forbidden: cannot be set for a windows pod',
    'spec.hostUsers: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.appArmorProfile: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.fsGroupChangePolicy: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.seLinuxChangePolicy: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.seccompProfile: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.supplementalGroupsPolicy: Forbidden: cannot be set for a windows pod',
    'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
    'spec.shareProcessNamespace: Forbidden: cannot be set for a windows pod',
  ],
]);

describe('a server without --allow-privileged', () => {
  const hostProcess = {
    'spec.hostNetwork': true,
    'spec.securityContext': { windowsOptions: { hostProcess: true } },
    'spec.containers': [{ name: 'main', image: 'x:1' }],
  };
  const plain = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, spec: { containers: [{ name: 'main', image: 'x:1' }] } };

  test.each([
    [{}, []],
    [{ 'spec.containers.0.securityContext.privileged': false }, []],
    [{ 'spec.containers.0.securityContext.privileged': true }, ['spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy']],
    [hostProcess, ['spec: Forbidden: hostProcess containers are disallowed by cluster policy']],
  ])('%j', (changes, expected) => {
    for (const allowPrivileged of [false, true]) {
      const context = { ...contextWith(), allowPrivileged };
      const errors = new FieldErrors();
      pods.strategy.validate?.(prepared(pods, changed(plain, changes), context), errors, context);
      expect(errors.list.map(String)).toEqual(allowPrivileged ? [] : expected);
    }
  });
});
