import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('topology spread', pods, validPod, [
  [
    'a skew of zero',
    { 'spec.topologySpreadConstraints.0.maxSkew': 0 },
    'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
  ],
  ['an empty key', { 'spec.topologySpreadConstraints.0.topologyKey': '' }, 'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty'],
  [
    'an unknown action',
    { 'spec.topologySpreadConstraints.0.whenUnsatisfiable': 'Maybe', 'spec.topologySpreadConstraints.0.minDomains': undefined },
    'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Maybe": supported values: "DoNotSchedule", "ScheduleAnyway"',
  ],
  [
    'the same pair twice',
    { 'spec.topologySpreadConstraints.1': { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} } },
    'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
  ],
  [
    'no domain at all',
    { 'spec.topologySpreadConstraints.0.minDomains': 0 },
    'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
  ],
  [
    'domains that are only wished for',
    { 'spec.topologySpreadConstraints.0.whenUnsatisfiable': 'ScheduleAnyway' },
    'spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
  ],
  [
    'unknown policies',
    { 'spec.topologySpreadConstraints.0.nodeAffinityPolicy': 'a', 'spec.topologySpreadConstraints.0.nodeTaintsPolicy': 'b' },
    'spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "a": supported values: "Honor", "Ignore"',
    'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "b": supported values: "Honor", "Ignore"',
  ],
  [
    'label keys without a selector',
    { 'spec.topologySpreadConstraints.0.labelSelector': undefined, 'spec.topologySpreadConstraints.0.matchLabelKeys': ['a'] },
    'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
  ],
  [
    'label keys that are none',
    { 'spec.topologySpreadConstraints.0.matchLabelKeys': ['a b'] },
    `spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a key that the selector has too',
    { 'spec.topologySpreadConstraints.0.matchLabelKeys': ['app'] },
    'spec.topologySpreadConstraints[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
  ],
  [
    'a selector that is wrong',
    { 'spec.topologySpreadConstraints.0.labelSelector': { matchLabels: { a: 'b c' } } },
    `spec.topologySpreadConstraints[0].labelSelector.matchLabels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
]);
