// A Stage as it is stored, and as it is played: its selector and its expressions made ready, or the reason why it cannot be.
import { parseGoDuration } from '#api/go-duration.ts';
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { messageOf } from '#base/message-of.ts';

export interface StoredStage extends KubernetesObject {
  readonly spec: {
    readonly resource: { readonly apiVersion: string; readonly kind: string };
    readonly selector?: LabelSelectorObject;
    readonly when?: readonly string[];
    readonly after?: string;
    readonly jitter?: string;
    readonly effect: StageEffect;
  };
  readonly status?: { readonly conditions?: readonly StageCondition[] };
}

export interface StageCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface StageEffect {
  readonly event?: { readonly type?: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };
  readonly patch?: object;
  readonly status?: object;
  readonly statusExpression?: string;
  readonly addFinalizers?: readonly string[];
  readonly removeFinalizers?: readonly string[];
  readonly delete?: boolean;
}

/** The value of an expression over an object and the time; throws where it has none. */
export type StageExpression = (object: KubernetesObject, now: Date) => unknown;

/** Throws when the expression makes no sense. */
export type CompileExpression = (expression: string) => StageExpression;

export interface Stage {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly afterMs: number;
  readonly jitterMs: number;
  readonly effect: StageEffect;
  fits(object: KubernetesObject, now: Date): boolean;
  /** What the status becomes, as a merge patch; undefined: nothing. */
  statusPatch(object: KubernetesObject, now: Date): object | undefined;
}

/** A text instead of a stage says what is wrong with it. */
export function stageOf({ metadata, spec }: StoredStage, compile: CompileExpression): Stage | string {
  try {
    const selector = labelSelectorFrom(spec.selector ?? {});
    const conditions = (spec.when ?? []).map(compile);
    const { status, statusExpression } = spec.effect;
    const computed = statusExpression === undefined ? undefined : compile(statusExpression);
    return {
      name: metadata.name ?? '',
      ...spec.resource,
      afterMs: parseGoDuration(spec.after ?? '') ?? 0,
      jitterMs: parseGoDuration(spec.jitter ?? '') ?? 0,
      effect: spec.effect,
      fits: (object, now) => selector.matches(object.metadata.labels) && conditions.every((condition) => holds(condition, object, now)),
      statusPatch: (object, now) => (computed ? { ...status, ...(computed(object, now) as object) } : status),
    };
  } catch (error) {
    return messageOf(error);
  }
}

/** An expression that has no value, for example because a field is missing, does not hold. */
function holds(condition: StageExpression, object: KubernetesObject, now: Date): boolean {
  try {
    return condition(object, now) === true;
  } catch {
    return false;
  }
}
