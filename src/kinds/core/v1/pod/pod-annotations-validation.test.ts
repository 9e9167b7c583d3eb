import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('annotations of pods', pods, validPod, [
  [
    'a mirror pod without a node',
    { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'x' } },
    'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
  ],
  [
    'resource claims of a mirror pod',
    { 'metadata.annotations': { 'kubernetes.io/config.mirror': 'x' }, 'spec.nodeName': 'n', 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'b' }] },
    '[]: Forbidden: static pods do not support resource claims',
  ],
  [
    'a deletion cost that is no number',
    { 'metadata.annotations': { 'controller.kubernetes.io/pod-deletion-cost': '1.5' } },
    'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "1.5": must be a 32bit integer',
  ],
  [
    'a deletion cost with a plus sign',
    { 'metadata.annotations': { 'controller.kubernetes.io/pod-deletion-cost': '+1' } },
    'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
  ],
  [
    'an unknown seccomp annotation',
    { 'metadata.annotations': { 'seccomp.security.alpha.kubernetes.io/pod': 'bogus' } },
    'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "bogus": must be a valid seccomp profile',
  ],
  [
    'an absolute seccomp annotation',
    { 'metadata.annotations': { 'container.seccomp.security.alpha.kubernetes.io/main': 'localhost//p' } },
    'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/main: Invalid value: "/p": must be a relative path',
    'spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
  ],
  [
    'an AppArmor annotation of no container',
    { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/nope': 'unconfined' } },
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/nope]: Invalid value: "nope": container not found',
  ],
  [
    'an unknown AppArmor annotation',
    { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/main': 'bogus' } },
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Invalid value: "bogus": invalid AppArmor profile name: "bogus"',
  ],
  [
    'a seccomp annotation that contradicts the field',
    { 'metadata.annotations': { 'container.seccomp.security.alpha.kubernetes.io/main': 'unconfined' } },
    'spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
  ],
  [
    'a seccomp annotation of another profile',
    {
      'metadata.annotations': { 'seccomp.security.alpha.kubernetes.io/pod': 'localhost/a' },
      'spec.securityContext.seccompProfile': { type: 'Localhost', localhostProfile: 'b' },
    },
    'spec.securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match',
  ],
  [
    'an AppArmor annotation that contradicts the field',
    {
      'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' },
      'spec.containers.0.securityContext.appArmorProfile': { type: 'RuntimeDefault' },
    },
    'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
  ],
  [
    'an AppArmor annotation of another profile',
    {
      'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/main': 'localhost/a' },
      'spec.containers.0.securityContext.appArmorProfile': { type: 'Localhost', localhostProfile: 'b' },
    },
    'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
  ],
  [
    'tolerations in an annotation that are wrong',
    { 'metadata.annotations': { 'scheduler.alpha.kubernetes.io/tolerations': '[{"key":"a b","operator":"Exists"}]' } },
    `metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
]);
