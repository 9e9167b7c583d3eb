import { defaultLimitRangeItem, limitRangeStrategy } from '#kinds/core/v1/limit-range-strategy.ts';
import { LimitRange, LimitRangeItem, LimitRangeList } from '#kinds/core/v1/limit-range.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const limitranges = defineResource<LimitRange>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  singular: 'limitrange',
  namespaced: true,
  strategy: limitRangeStrategy,
  schema: LimitRange,
  defaults: [defaultsOf(LimitRangeItem, defaultLimitRangeItem)],
  list: LimitRangeList,
  shortNames: ['limits'],
  storage: { version: 'v1', prefix: 'limitranges', hash: 'EBKMFVe6cwo=' },
  lifecycle: { introduced: '1.0' },
});
