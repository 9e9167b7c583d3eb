// For metrics: what became of each question to a webhook.
import type { Operation } from '#admission/admission.ts';
import type { ConditionsObserver } from '#admission/expressions/match-conditions.ts';

export type WebhookType = 'admit' | 'validating';

export interface WebhookOutcome {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: Operation;
  readonly seconds: number;
  readonly rejected: boolean;
  /** 200 for a yes, the code of the refusal, 0 for failures of our own. */
  readonly code: number;
  readonly error: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';
  /** The client went away: no rejection is counted for it. */
  readonly canceled: boolean;
}

export interface WebhookObserver {
  readonly onOutcome?: (outcome: WebhookOutcome) => void;
  /** A failure that the failure policy ignores. */
  readonly onFailOpen?: (name: string, type: WebhookType) => void;
  readonly onConditions?: ConditionsObserver;
}
