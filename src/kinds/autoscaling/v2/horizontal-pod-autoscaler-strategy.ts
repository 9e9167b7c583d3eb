// How autoscalers are written, and what the server fills in.
import type { HorizontalPodAutoscaler, HPAScalingRules } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { validateAutoscaler, validateAutoscalerStatusUpdate, validateAutoscalerUpdate } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-validation.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

export function defaultAutoscaler({ spec }: HorizontalPodAutoscaler): void {
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) {
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];
  }
  if (spec.behavior === undefined) return;
  spec.behavior.scaleUp = withDefaults(spec.behavior.scaleUp, scaleUpRules());
  spec.behavior.scaleDown = withDefaults(spec.behavior.scaleDown, scaleDownRules());
}

/** Policies that were sent empty stay so, and are refused for it. */
function withDefaults(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  if (rules !== undefined && wasGivenEmpty(rules, 'policies')) delete defaults.policies;
  return { ...defaults, ...rules };
}

function scaleUpRules(): HPAScalingRules {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  };
}

function scaleDownRules(): HPAScalingRules {
  return { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };
}

export const autoscalerStrategy: Strategy<HorizontalPodAutoscaler> = {
  prepareForCreate(autoscaler, { gate }) {
    autoscaler.status = { desiredReplicas: 0 };
    dropTolerance(autoscaler, undefined, gate);
  },
  validate: validateAutoscaler,
  prepareForUpdate(autoscaler, old, { gate }) {
    autoscaler.status = old.status;
    dropTolerance(autoscaler, old, gate);
  },
  validateUpdate: validateAutoscalerUpdate,
  subresources: { status: statusStrategy({ validateUpdate: validateAutoscalerStatusUpdate }) },
};

function dropTolerance(autoscaler: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler | undefined, gate: (name: string) => boolean): void {
  if (gate('HPAConfigurableTolerance') || rulesOf(old).some(({ tolerance }) => tolerance !== undefined)) return;
  for (const rules of rulesOf(autoscaler)) delete rules.tolerance;
}

function rulesOf(autoscaler: HorizontalPodAutoscaler | undefined): HPAScalingRules[] {
  const { scaleUp, scaleDown } = autoscaler?.spec.behavior ?? {};
  return [scaleUp, scaleDown].filter((rules) => rules !== undefined);
}
