import { DeviceTaintRule, DeviceTaintRuleList } from '#kinds/resource/v1beta2/device-taint-rule.ts';
import { DeviceTaint } from '#kinds/resource/v1beta2/device-taint.ts';
import { defaultDeviceTaint } from '#kinds/resource/v1/device-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const devicetaintrules = defineResource<DeviceTaintRule>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  singular: 'devicetaintrule',
  namespaced: false,
  schema: DeviceTaintRule,
  defaults: [defaultsOf(DeviceTaint, defaultDeviceTaint)],
  list: DeviceTaintRuleList,
  storage: { version: 'v1alpha3', prefix: 'devicetaintrules', hash: 'DJ3UJ0fj8MI=' },
  enabled: false,
  lifecycle: { introduced: '1.36', deprecated: '1.39', removed: '1.42' },
  subresources: [{ name: 'status', kind: 'DeviceTaintRule', verbs: ['get', 'patch', 'update'], tables: false }],
});
