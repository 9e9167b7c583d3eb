// What a server with --allow-privileged=false refuses.
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';

const circumstances = { context: { allowPrivileged: false }, notAsked: 'needs a server with --allow-privileged=false' };
const plain = { metadata: { name: 'one' }, spec: { hostNetwork: true, containers: [{ name: 'main', image: 'i' }] } };

describeRefusals(
  'pods where privileges are not allowed',
  pods,
  plain,
  [
    [
      'a privileged container',
      { 'spec.containers.0.securityContext': { privileged: true } },
      'spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
    ],
    [
      'a process of the host',
      { 'spec.securityContext': { windowsOptions: { hostProcess: true } } },
      'spec: Forbidden: hostProcess containers are disallowed by cluster policy',
    ],
  ],
  circumstances,
);
