// The scaling behaviour of v2 as v1 keeps it in an annotation: JSON with the field names of the original's Go structs.
import { HorizontalPodAutoscalerBehavior, type HPAScalingRules } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { decodeValue } from '#schema/json/decode.ts';

export function behaviorText({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string {
  return JSON.stringify({ ScaleUp: rulesOf(scaleUp), ScaleDown: rulesOf(scaleDown) });
}

function rulesOf(rules: HPAScalingRules | undefined): object | null {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: rules.policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

/** Undefined when the text says nothing, or nothing that can be read. Go does not mind the case of names. */
export function behaviorFrom(text: string): HorizontalPodAutoscalerBehavior | undefined {
  try {
    const { object } = decodeValue(HorizontalPodAutoscalerBehavior, withApiNames(JSON.parse(text)));
    const behavior = object as unknown as HorizontalPodAutoscalerBehavior;
    return behavior.scaleUp === undefined && behavior.scaleDown === undefined ? undefined : behavior;
  } catch {
    return undefined;
  }
}

const apiNames = new Map(
  ['scaleUp', 'scaleDown', 'stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance', 'type', 'value', 'periodSeconds'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function withApiNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withApiNames);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [apiNames.get(key.toLowerCase()) ?? key, withApiNames(member)]));
}
