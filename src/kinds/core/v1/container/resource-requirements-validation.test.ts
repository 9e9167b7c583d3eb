import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { notLabel } from '../../../../../test/support/format-texts.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('resources', pods, validPod, [
  [
    'an unknown resource',
    { 'spec.containers.0.resources.limits.bogus': '1' },
    'spec.containers[0].resources.limits[bogus]: Invalid value: "bogus": must be a standard resource for containers',
    'spec.containers[0].resources.limits[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
    'spec.containers[0].resources.requests[bogus]: Invalid value: "bogus": must be a standard resource for containers',
    'spec.containers[0].resources.requests[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
  ],
  [
    'a resource that is no qualified name',
    { 'spec.containers.0.resources.limits': { 'a b': '1' } },
    'spec.containers[0].resources.limits[a b]: Invalid value: "a b": must be a standard resource for containers',
    `spec.containers[0].resources.limits[a b]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    'spec.containers[0].resources.requests[a b]: Invalid value: "a b": must be a standard resource for containers',
    `spec.containers[0].resources.requests[a b]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a resource that containers do not have',
    { 'spec.containers.0.resources.limits.pods': '1' },
    'spec.containers[0].resources.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
    'spec.containers[0].resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers',
  ],
  [
    'a resource with the prefix of quotas',
    { 'spec.containers.0.resources.limits': { 'requests.example.com/x': '1' } },
    `spec.containers[0].resources.limits[requests.example.com/x]: Invalid value: "requests.example.com/x": doesn't follow extended resource name standard`,
    `spec.containers[0].resources.requests[requests.example.com/x]: Invalid value: "requests.example.com/x": doesn't follow extended resource name standard`,
  ],
  [
    'a negative amount',
    { 'spec.containers.0.resources.limits.cpu': '-1', 'spec.containers.0.resources.requests': undefined },
    'spec.containers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    'spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'half of a device',
    { 'spec.containers.0.resources.limits': { 'example.com/gpu': '500m' } },
    'spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
    'spec.containers[0].resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer',
  ],
  [
    'a request above the limit',
    { 'spec.containers.0.resources.requests.cpu': '2' },
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'a device request without a limit',
    { 'spec.containers.0.resources.requests': { 'example.com/gpu': '1' } },
    'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'a device request that differs from the limit',
    { 'spec.containers.0.resources.requests': { 'example.com/gpu': '1' }, 'spec.containers.0.resources.limits': { 'example.com/gpu': '2' } },
    'spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2',
  ],
  [
    'huge pages alone',
    { 'spec.containers.0.resources': { limits: { 'hugepages-2Mi': '4Mi' } } },
    'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
  ],
  [
    'a part of a huge page',
    { 'spec.containers.0.resources.limits': { 'hugepages-2Mi': '3Mi', memory: '1Gi' } },
    'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
  ],
  ['a claim without a name', { 'spec.containers.0.resources.claims': [{ name: '' }] }, 'spec.containers[0].resources.claims[0]: Required value'],
  [
    'a claim that the pod does not have',
    { 'spec.containers.0.resources.claims': [{ name: 'c' }] },
    'spec.containers[0].resources.claims[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims which is empty',
  ],
  [
    'a claim that is not among those of the pod',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'x' }], 'spec.containers.0.resources.claims': [{ name: 'c' }] },
    'spec.containers[0].resources.claims[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims: a',
  ],
  [
    'a claim twice',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'x' }], 'spec.containers.0.resources.claims': [{ name: 'a' }, { name: 'a' }] },
    'spec.containers[0].resources.claims[1]: Duplicate value: "a"',
  ],
  [
    'a claim and a request of it',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'x' }], 'spec.containers.0.resources.claims': [{ name: 'a', request: 'r' }, { name: 'a' }] },
    'spec.containers[0].resources.claims[1]: Duplicate value: "a"',
  ],
  [
    'a request of a claim with a bad name',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'x' }], 'spec.containers.0.resources.claims': [{ name: 'a', request: 'R' }] },
    `spec.containers[0].resources.claims[0].request: Invalid value: "R": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  [
    'claims of the pod as a whole',
    { 'spec.resources': { claims: [{ name: 'a' }] } },
    'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
    'spec.resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
  ],
  [
    'a device for the pod as a whole',
    { 'spec.resources': { limits: { 'example.com/gpu': '1' } } },
    'spec.resources.limits[example.com/gpu]: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
  ],
  [
    'a pod that requests less than its containers',
    { 'spec.resources': { requests: { cpu: '50m' } } },
    'spec.resources.requests[cpu]: Invalid value: "50m": must be greater than or equal to aggregate container requests of 100m',
  ],
  [
    'a pod limited below a container',
    { 'spec.resources': { limits: { cpu: '500m' } } },
    'spec.resources.containers[0][cpu].limits: Invalid value: "1": must be less than or equal to pod limits of 500m',
  ],
  [
    'fewer huge pages than the containers have',
    {
      'spec.containers.0.resources.limits': { 'hugepages-2Mi': '4Mi', memory: '1Gi' },
      'spec.containers.0.resources.requests': undefined,
      'spec.resources': { limits: { 'hugepages-2Mi': '2Mi', memory: '2Gi' } },
    },
    'spec.resources.containers[0][hugepages-2Mi].limits: Invalid value: "4Mi": must be less than or equal to pod limits of 2Mi',
    'spec.resources.limits[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi',
    'spec.resources.requests[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container requests of 4Mi',
  ],
  [
    'resources of a windows pod as a whole',
    {
      'spec.os': { name: 'windows' },
      'spec.resources': { limits: { cpu: '2' } },
      'spec.containers.0.securityContext': undefined,
      'spec.securityContext': undefined,
    },
    'spec.resources: Forbidden: may not be set for a windows pod',
  ],
  [
    'a claim without a name',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'c' }], 'spec.containers.0.resources.claims': [{ name: '' }] },
    'spec.containers[0].resources.claims[0]: Required value',
  ],
  [
    'a request of a claim that is no name',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'c' }], 'spec.containers.0.resources.claims': [{ name: 'a', request: 'R' }] },
    `spec.containers[0].resources.claims[0].request: ${notLabel('R')}`,
  ],
]);
