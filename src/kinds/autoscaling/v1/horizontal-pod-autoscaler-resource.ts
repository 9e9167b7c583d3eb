import { autoscalerConversion, defaultAutoscaler } from '#kinds/autoscaling/v1/horizontal-pod-autoscaler-conversion.ts';
import { HorizontalPodAutoscaler, HorizontalPodAutoscalerList } from '#kinds/autoscaling/v1/horizontal-pod-autoscaler.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const horizontalpodautoscalers = defineResource<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  namespaced: true,
  schema: HorizontalPodAutoscaler,
  defaults: [defaultsOf(HorizontalPodAutoscaler, defaultAutoscaler)],
  list: HorizontalPodAutoscalerList,
  shortNames: ['hpa'],
  categories: ['all'],
  storage: { version: 'v2', prefix: 'horizontalpodautoscalers', hash: 'qwQve8ut294=' },
  lifecycle: { introduced: '1.2' },
  conversion: autoscalerConversion,
  subresources: [{ name: 'status', kind: 'HorizontalPodAutoscaler', verbs: ['get', 'patch', 'update'] }],
});
