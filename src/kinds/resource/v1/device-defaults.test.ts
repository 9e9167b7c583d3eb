import { expect, test } from 'vitest';
import { devicetaintrules } from '#kinds/resource/v1alpha3/device-taint-rule-resource.ts';
import { resourceslices } from '#kinds/resource/v1/resource-slice-resource.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { decodeValue } from '#schema/json/decode.ts';

const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test('a taint gets its time when it is decoded, so that its maker owns it', () => {
  const { object: rule } = decodeValue(devicetaintrules.schema, { spec: { taint: { key: 'a', effect: 'NoExecute' } } });
  applyDefaults(devicetaintrules, rule);
  expect(rule).toMatchObject({ spec: { taint: { timeAdded: expect.stringMatching(seconds) } } });
});

test('a taint with a time keeps it', () => {
  const taint = { key: 'a', effect: 'NoExecute', timeAdded: '2020-01-01T00:00:00Z' };
  const { object: slice } = decodeValue(resourceslices.schema, { spec: { devices: [{ name: 'one', taints: [taint] }] } });
  applyDefaults(resourceslices, slice);
  expect(slice).toMatchObject({ spec: { devices: [{ taints: [taint] }] } });
});
