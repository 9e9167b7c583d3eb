// How taint rules for devices are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { validateDeviceLabel, validateDriverName, validatePoolName } from '#kinds/resource/v1/device-names-validation.ts';
import { validateTaint } from '#kinds/resource/v1/device-validation.ts';
import type { DeviceTaintRule, DeviceTaintRuleSpec } from '#kinds/resource/v1alpha3/device-taint-rule.ts';
import { ageOf } from '#kinds/rules/age.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const maxConditions = 8;

export const deviceTaintRuleStrategy: Strategy<DeviceTaintRule> = {
  returnsDeleted: true,
  prepareForCreate(rule) {
    rule.status = {};
    startGeneration(rule.metadata);
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    validateSpec(spec, undefined, errors);
  },
  prepareForUpdate(rule, old, { now }) {
    rule.status = old.status;
    const { metadata, spec } = rule;
    const { taint } = spec;
    if (taint.effect !== old.spec.taint.effect && taint.timeAdded === old.spec.taint.timeAdded) taint.timeAdded = timestamp(now);
    countGeneration(metadata, old.metadata, spec, old.spec);
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateSpec(spec, old.spec, errors);
  },
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(rule, old) {
        rule.spec = old.spec;
        keepMetadataForStatus(rule.metadata, old.metadata);
      },
      validateUpdate({ metadata, status }, old, errors) {
        validateObjectMetaUpdate(metadata, old.metadata, errors);
        const count = status.conditions?.length ?? 0;
        validateConditions(status.conditions, 'status.conditions', errors);
        if (count > maxConditions) errors.tooMany('status.conditions', count, maxConditions);
      },
    },
  },
};

function validateSpec({ deviceSelector, taint }: DeviceTaintRuleSpec, old: DeviceTaintRuleSpec | undefined, errors: FieldErrors): void {
  const { driver, pool, device } = deviceSelector ?? {};
  if (driver !== undefined) validateDriverName(driver, 'spec.deviceSelector.driver', errors);
  if (pool !== undefined) validatePoolName(pool, 'spec.deviceSelector.pool', errors);
  if (device !== undefined) validateDeviceLabel(device, 'spec.deviceSelector.device', errors);
  validateTaint(taint, 'spec.taint', errors, old?.taint);
}

export const deviceTaintRuleColumns: readonly Column<DeviceTaintRule>[] = [
  nameColumn(),
  { name: 'Key', type: 'string', read: ({ spec }) => spec.taint.key },
  { name: 'Value', type: 'string', read: ({ spec }) => spec.taint.value ?? '' },
  { name: 'Effect', type: 'string', read: ({ spec }) => spec.taint.effect },
  { name: 'TimeAdded', type: 'string', read: ({ spec }, context) => (spec.taint.timeAdded === undefined ? '' : ageOf(spec.taint.timeAdded, context)) },
  ageColumn(),
];
