// For metrics: what became of the expressions of policies.
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import type { ConditionsObserver } from '#admission/expressions/match-conditions.ts';
import type { KubernetesObject } from '#api/object.ts';

/** What a validation or an audit annotation led to. Those that hold are not told. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  /** `allow`: it could not be evaluated, and the failure policy ignores that. */
  readonly action: 'allow' | 'deny' | 'audit' | 'warn';
  readonly message: string;
  readonly seconds: number;
}

export interface PolicyMutation {
  readonly policy: string;
  readonly binding: string;
  /** Why it came to nothing. */
  readonly problem: string | undefined;
  readonly seconds: number;
}

export interface PolicyObserver {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onCheck: (check: PolicyCheck) => void;
  readonly onMutation: (mutation: PolicyMutation) => void;
  readonly onConditions: ConditionsObserver;
}

/** What the plugins of validating and of mutating policies stand on. */
export interface PolicyPluginParts {
  readonly check: CheckAccess;
  /** Policies and bindings of manifests. */
  readonly manifests?: (() => readonly KubernetesObject[]) | undefined;
  readonly observer: PolicyObserver;
}
