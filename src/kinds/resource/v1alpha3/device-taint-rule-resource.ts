import { deviceTaintRuleColumns, deviceTaintRuleStrategy } from '#kinds/resource/v1alpha3/device-taint-rule-strategy.ts';
import { DeviceTaint, DeviceTaintRule, DeviceTaintRuleList } from '#kinds/resource/v1alpha3/device-taint-rule.ts';
import { defaultDeviceTaint } from '#kinds/resource/v1/device-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const devicetaintrules = defineResource<DeviceTaintRule>({
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  singular: 'devicetaintrule',
  namespaced: false,
  strategy: deviceTaintRuleStrategy,
  columns: deviceTaintRuleColumns,
  schema: DeviceTaintRule,
  defaults: [defaultsOf(DeviceTaint, defaultDeviceTaint)],
  list: DeviceTaintRuleList,
  storage: { version: 'v1alpha3', prefix: 'devicetaintrules', hash: 'DJ3UJ0fj8MI=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
  subresources: [{ name: 'status', kind: 'DeviceTaintRule', verbs: ['get', 'patch', 'update'], tables: false }],
});
