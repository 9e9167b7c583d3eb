import { expect, test } from 'vitest';
import { limitranges } from '#kinds/core/v1/limit-range-resource.ts';
import { notKey } from '../../../../test/support/format-texts.ts';
import { contextWith, describeRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const container = {
  type: 'Container',
  max: { cpu: '2' },
  min: { cpu: '100m' },
  default: { cpu: '500m' },
  defaultRequest: { cpu: '200m' },
  maxLimitRequestRatio: { cpu: '10' },
};
const valid = {
  metadata: { name: 'one' },
  spec: {
    limits: [container, { type: 'Pod', max: { memory: '1Gi' } }, { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }, { type: 'example.com/thing' }],
  },
};
const at = 'spec.limits[0]';
const amount = (list: string) => `spec.limits.0.${list}.cpu`;

describeRefusals('limit ranges', limitranges, valid, [
  ['an unknown type', { 'spec.limits.3.type': 'Thing' }, 'spec.limits[3].type: Invalid value: "Thing": must be a standard limit type or fully qualified'],
  ['a type that is no name', { 'spec.limits.3.type': 'a b' }, `spec.limits[3].type: ${notKey('a b')}`],
  ['a type twice', { 'spec.limits.3.type': 'Pod' }, 'spec.limits[3].type: Duplicate value: "Pod"'],
  [
    'a resource that containers have not',
    { 'spec.limits.0.maxLimitRequestRatio': { pods: '1' } },
    `${at}.maxLimitRequestRatio[pods]: Invalid value: "pods": must be a standard resource for containers`,
  ],
  ['defaults of pods', { 'spec.limits.1.default': { cpu: '1' } }, "spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'"],
  ['requests of pods', { 'spec.limits.1.defaultRequest': { cpu: '1' } }, "spec.limits[1].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'"],
  [
    'claims without a size',
    { 'spec.limits.2.min': {} },
    'spec.limits[2].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
  ],
  [
    'a minimum above everything',
    { [amount('min')]: '3', 'spec.limits.0.maxLimitRequestRatio': undefined },
    `${at}.default[cpu]: Invalid value: "3": min value 3 is greater than default value 500m`,
    `${at}.defaultRequest[cpu]: Invalid value: "200m": min value 3 is greater than default request value 200m`,
    `${at}.min[cpu]: Invalid value: "3": min value 3 is greater than max value 2`,
  ],
  [
    'a request above everything',
    { [amount('defaultRequest')]: '3' },
    `${at}.defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than default limit value 500m`,
    `${at}.defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than max value 2`,
  ],
  ['a default above the maximum', { [amount('default')]: '3' }, `${at}.default[cpu]: Invalid value: "2": default value 3 is greater than max value 2`],
  ['a ratio below one', { [amount('maxLimitRequestRatio')]: '500m' }, `${at}.maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1`],
  [
    'a ratio that cannot be reached',
    { [amount('maxLimitRequestRatio')]: '21' },
    `${at}.maxLimitRequestRatio[cpu]: Invalid value: "21": ratio 21 is greater than max/min = 20.000000`,
  ],
  [
    'a device that is promised to more than one',
    { 'spec.limits.0.default.example~1com/gpu': '2', 'spec.limits.0.defaultRequest.example~1com/gpu': '1' },
    `${at}.defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu`,
  ],
  [
    'amounts of what containers do not have',
    { 'spec.limits.0': { type: 'Container', max: { pods: '1' }, min: { pods: '1' }, default: { pods: '1' }, defaultRequest: { pods: '1' } } },
    'spec.limits[0].defaultRequest[pods]: Invalid value: "pods": must be a standard resource for containers',
    'spec.limits[0].default[pods]: Invalid value: "pods": must be a standard resource for containers',
    'spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers',
    'spec.limits[0].min[pods]: Invalid value: "pods": must be a standard resource for containers',
  ],
]);

test('containers get their limits from the maximum, and their requests from the limits or the minimum', () => {
  const limits = [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Gi', cpu: '1' } }];
  const { spec } = prepared(limitranges, { metadata: { name: 'a' }, spec: { limits } }, contextWith()) as never as typeof valid;
  expect(spec.limits[0]).toMatchObject({ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1Gi' } });
});

test('a limit range without name gets one', () => {
  expect(prepared(limitranges, { metadata: {}, spec: {} }, contextWith()).metadata.name).toMatch(/^[0-9a-f-]{36}$/);
});
