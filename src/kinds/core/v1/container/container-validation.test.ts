import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('containers', pods, validPod, [
  ['a container without a name', { 'spec.containers.0.name': '' }, 'spec.containers[0].name: Required value'],
  [
    'a container name in capitals',
    { 'spec.containers.0.name': 'Main' },
    `spec.containers[0].name: Invalid value: "Main": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  ['two containers of the same name', { 'spec.containers.1': { name: 'main', image: 'x:1' } }, 'spec.containers[1].name: Duplicate value: "main"'],
  ['an init container named like a container', { 'spec.initContainers.0.name': 'main' }, 'spec.initContainers[0].name: Duplicate value: "main"'],
  ['a container without an image', { 'spec.containers.0.image': '' }, 'spec.containers[0].image: Required value'],
  [
    'an image with a blank in front',
    { 'spec.containers.0.image': ' x:1' },
    'spec.containers[0].image: Invalid value: " x:1": must not have leading or trailing whitespace',
  ],
  [
    'an unknown pull policy',
    { 'spec.containers.0.imagePullPolicy': 'Often' },
    'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'an unknown termination message policy',
    { 'spec.containers.0.terminationMessagePolicy': 'Log' },
    'spec.containers[0].terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"',
  ],
  [
    'a port name in capitals',
    { 'spec.containers.0.ports.0.name': 'HTTP', 'spec.containers.0.livenessProbe.httpGet.port': 80 },
    'spec.containers[0].ports[0].name: Invalid value: "HTTP": must contain at least one letter (a-z)',
    'spec.containers[0].ports[0].name: Invalid value: "HTTP": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
  ],
  [
    'a port name of 16 characters without a letter',
    { 'spec.containers.0.ports.0.name': '1234567890123456', 'spec.containers.0.livenessProbe.httpGet.port': 80 },
    'spec.containers[0].ports[0].name: Invalid value: "1234567890123456": must be no more than 15 characters',
    'spec.containers[0].ports[0].name: Invalid value: "1234567890123456": must contain at least one letter (a-z)',
  ],
  [
    'a port name with two hyphens in a row',
    { 'spec.containers.0.ports.0.name': 'a--b', 'spec.containers.0.livenessProbe.httpGet.port': 80 },
    'spec.containers[0].ports[0].name: Invalid value: "a--b": must not contain consecutive hyphens',
  ],
  [
    'a port name that ends in a hyphen',
    { 'spec.containers.0.ports.0.name': 'a-', 'spec.containers.0.livenessProbe.httpGet.port': 80 },
    'spec.containers[0].ports[0].name: Invalid value: "a-": must not begin or end with a hyphen',
  ],
  ['two ports of the same name', { 'spec.containers.0.ports.1.name': 'http' }, 'spec.containers[0].ports[1].name: Duplicate value: "http"'],
  ['a port of zero', { 'spec.containers.0.ports.0.containerPort': 0 }, 'spec.containers[0].ports[0].containerPort: Required value'],
  [
    'a port beyond 65535',
    { 'spec.containers.0.ports.0.containerPort': 65536 },
    'spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
  ],
  [
    'a host port beyond 65535',
    { 'spec.containers.0.ports.0.hostPort': 70000 },
    'spec.containers[0].ports[0].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'an unknown protocol',
    { 'spec.containers.0.ports.0.protocol': 'ICMP' },
    'spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'the same host port twice',
    { 'spec.containers.0.ports.0.hostPort': 80, 'spec.containers.0.ports.1': { containerPort: 81, hostPort: 80 } },
    'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
  ],
  [
    'the same host port twice in one init container',
    {
      'spec.initContainers.1.ports': [
        { containerPort: 1, hostPort: 9 },
        { containerPort: 2, hostPort: 9 },
      ],
    },
    'spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//9"',
  ],
  [
    'a resize policy for an unknown resource',
    { 'spec.containers.0.resizePolicy': [{ resourceName: 'disk', restartPolicy: 'NotRequired' }] },
    'spec.containers[0].resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
  ],
  [
    'an unknown resize policy',
    { 'spec.containers.0.resizePolicy': [{ resourceName: 'cpu', restartPolicy: 'Maybe' }] },
    'spec.containers[0].resizePolicy: Unsupported value: "Maybe": supported values: "NotRequired", "RestartContainer"',
  ],
  [
    'two resize policies for cpu',
    {
      'spec.containers.0.resizePolicy': [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      ],
    },
    'spec.containers[0].resizePolicy[1]: Duplicate value: "cpu"',
  ],
  [
    'a resize policy that restarts a pod that never restarts',
    { 'spec.restartPolicy': 'Never', 'spec.containers.0.resizePolicy': [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
    "spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
  ],
  [
    'a resize policy that restarts an init container',
    { 'spec.initContainers.0.resizePolicy': [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
    `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
  ],
  [
    'an unknown restart policy of a container',
    { 'spec.containers.0.restartPolicy': 'Sometimes' },
    'spec.containers[0].restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
  ],
  [
    'restart rules without a policy',
    { 'spec.containers.0.restartPolicyRules': [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
    'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
  ],
  [
    'restart rules of an init container without a policy',
    { 'spec.initContainers.0.restartPolicyRules': [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
    'spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
  ],
  [
    '21 restart rules',
    {
      'spec.containers.0.restartPolicy': 'Never',
      'spec.containers.0.restartPolicyRules': Array.from({ length: 21 }, () => ({ action: 'Restart', exitCodes: { operator: 'In', values: [1] } })),
    },
    'spec.containers[0].restartPolicyRules: Too many: 21: must have at most 20 items',
  ],
  [
    'a restart rule with an unknown action',
    { 'spec.containers.0.restartPolicy': 'Never', 'spec.containers.0.restartPolicyRules': [{ action: 'Bogus', exitCodes: { operator: 'In', values: [1] } }] },
    'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "Bogus": supported values: "Restart", "RestartAllContainers"',
  ],
  [
    'a restart rule without exit codes',
    { 'spec.containers.0.restartPolicy': 'Never', 'spec.containers.0.restartPolicyRules': [{ action: 'Restart' }] },
    'spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified',
  ],
  [
    'a restart rule with an unknown operator',
    {
      'spec.containers.0.restartPolicy': 'Never',
      'spec.containers.0.restartPolicyRules': [{ action: 'Restart', exitCodes: { operator: 'Near', values: [1] } }],
    },
    'spec.containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported value: "Near": supported values: "In", "NotIn"',
  ],
  [
    'a restart rule for 256 exit codes',
    {
      'spec.containers.0.restartPolicy': 'Never',
      'spec.containers.0.restartPolicyRules': [{ action: 'Restart', exitCodes: { operator: 'In', values: Array.from({ length: 256 }, (_, index) => index) } }],
    },
    'spec.containers[0].restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items',
  ],
  [
    'hooks and probes of an init container that ends',
    {
      'spec.initContainers.0': {
        name: 'setup',
        image: 'x:1',
        lifecycle: { preStop: { exec: { command: ['a'] } } },
        livenessProbe: { exec: { command: ['a'] } },
        readinessProbe: { exec: { command: ['a'] } },
        startupProbe: { exec: { command: ['a'] } },
      },
    },
    'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    'spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ],
  [
    'a resize policy without a resource',
    { 'spec.containers.0.resizePolicy': [{ resourceName: '', restartPolicy: 'NotRequired' }] },
    'spec.containers[0].resizePolicy: Required value',
  ],
  [
    'a resize policy that says nothing',
    { 'spec.containers.0.resizePolicy': [{ resourceName: 'cpu', restartPolicy: '' }] },
    'spec.containers[0].resizePolicy: Required value',
  ],
]);
