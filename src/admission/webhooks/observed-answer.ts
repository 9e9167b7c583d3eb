// Asks a webhook and tells what its answer means for the request; failures are judged by the failure policy, everything is counted.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { AdmissionResponse } from '#admission/webhooks/admission-review.ts';
import { webhookRefusal } from '#admission/webhooks/refusal.ts';
import { askWebhook, type WebhookClient } from '#admission/webhooks/ask-webhook.ts';
import type { Judging } from '#admission/webhooks/should-ask.ts';
import type { Versioned } from '#admission/webhooks/versioned-request.ts';
import type { Webhook } from '#admission/webhooks/webhook.ts';
import { WebhookFailure } from '#admission/webhooks/webhook-failure.ts';
import type { WebhookOutcome } from '#admission/webhooks/webhook-observer.ts';
import { ApiError, internalError } from '#api/api-error.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import type { Log } from '#base/log.ts';

export interface Asking extends WebhookClient, Judging {
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export interface Asked {
  readonly webhook: Webhook;
  readonly versioned: Versioned;
  readonly request: AdmissionRequest;
  /** The key of the audit annotation for a failure that is ignored. */
  readonly failedOpenKey: string;
}

/** `use` is what follows a yes. Undefined when a failure was ignored; throws the refusal that the client reads. */
export async function askObserved<T>(asked: Asked, asking: Asking, use: (response: AdmissionResponse) => T | Promise<T>): Promise<T | undefined> {
  const { webhook, versioned, request } = asked;
  const begun = asking.now();
  const tell = (end: Pick<WebhookOutcome, 'rejected' | 'code' | 'error'> & { readonly canceled?: boolean }) =>
    asking.observer.onOutcome?.({
      name: webhook.name,
      type: asking.type,
      operation: request.operation,
      seconds: (asking.now() - begun) / 1000,
      canceled: false,
      ...end,
    });
  try {
    const response = await askWebhook({ webhook, versioned, mutating: asking.type === 'admit', asker: request.asker }, asking);
    passOn(request, webhook, response);
    if (!response.allowed) throw new Denied(webhookRefusal(webhook.name, response.status));
    const result = await use(response);
    tell({ rejected: false, code: 200, error: 'no_error' });
    return result;
  } catch (error) {
    if (error instanceof Denied) {
      tell({ rejected: true, code: error.refusal.code, error: 'no_error' });
      throw error.refusal;
    }
    if (!(error instanceof WebhookFailure)) {
      tell({ rejected: true, code: 0, error: 'apiserver_internal_error' });
      throw error;
    }
    tell({ rejected: !webhook.ignoresFailures, code: error.code, error: 'calling_webhook_error', canceled: error.canceled });
    return failed(error, asked, asking);
  }
}

/** The webhook said no: told apart from refusals of our own only here. */
class Denied extends Error {
  override readonly name = 'Denied';
  readonly refusal: ApiError;

  constructor(refusal: ApiError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

function failed(error: WebhookFailure, { webhook, request, failedOpenKey }: Asked, { log, observer, type }: Asking): undefined {
  const told = { webhook: webhook.name, configuration: webhook.configuration, why: error.message };
  if (!webhook.ignoresFailures) {
    log.warn('failed calling webhook, failing closed', told);
    throw internalError(error.message, error);
  }
  log.warn('failed calling webhook, failing open', told);
  if (!error.canceled) {
    observer.onFailOpen?.(webhook.name, type);
    request.annotate(failedOpenKey, webhook.name);
  }
  if (request.asker.gone) throw requestTimeout();
  return undefined;
}

export function requestTimeout(): ApiError {
  return new ApiError(504, 'Timeout', 'Timeout: request did not complete within requested timeout', { details: {} });
}

/** Warnings and audit annotations count whether the answer is yes or no. Keys that are no qualified names are left out, as upstream does. */
function passOn(request: AdmissionRequest, { name }: Webhook, { warnings = [], auditAnnotations = {} }: AdmissionResponse): void {
  for (const [key, value] of Object.entries(auditAnnotations)) {
    if (labelKeyProblems(`${name}/${key}`).length === 0) request.annotate(`${name}/${key}`, value);
  }
  for (const warning of warnings) request.warn(warning);
}
