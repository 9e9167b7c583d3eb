import { autoscalerColumns } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-columns.ts';
import { autoscalerStrategy, defaultAutoscaler } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-strategy.ts';
import { HorizontalPodAutoscaler, HorizontalPodAutoscalerList } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const horizontalpodautoscalers = defineResource<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  namespaced: true,
  strategy: autoscalerStrategy,
  columns: autoscalerColumns,
  schema: HorizontalPodAutoscaler,
  defaults: [defaultsOf(HorizontalPodAutoscaler, defaultAutoscaler)],
  list: HorizontalPodAutoscalerList,
  shortNames: ['hpa'],
  categories: ['all'],
  storage: { version: 'v2', prefix: 'horizontalpodautoscalers', hash: 'qwQve8ut294=' },
  lifecycle: { introduced: '1.23' },
  subresources: [{ name: 'status', kind: 'HorizontalPodAutoscaler', verbs: ['get', 'patch', 'update'] }],
});
