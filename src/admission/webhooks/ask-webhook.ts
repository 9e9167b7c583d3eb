// One question to one webhook, and every way in which it can go wrong, in the words of client-go and the original.
import { type AdmissionResponse, decodeReview, reviewText, verifiedResponse } from '#admission/webhooks/admission-review.ts';
import { dryRunUnsupported } from '#admission/webhooks/refusal.ts';

import type { Versioned } from '#admission/webhooks/versioned-request.ts';
import type { ReviewVersion, Webhook } from '#admission/webhooks/webhook.ts';
import { WebhookFailure } from '#admission/webhooks/webhook-failure.ts';
import type { Asker } from '#api/asker.ts';
import { goQuote } from '#base/go-text.ts';
import type { OutgoingAnswer, OutgoingClients } from '#base/outgoing/outgoing-clients.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import { RemoteStatus, webhookAnswer } from '#resource/webhook-answer.ts';

export interface Question {
  readonly webhook: Webhook;
  readonly versioned: Versioned;
  readonly mutating: boolean;
  readonly asker: Asker;
}

export interface WebhookClient {
  readonly clients: OutgoingClients;
  readonly newUid: () => string;
}

/** Throws a WebhookFailure when there is no usable answer, an ApiError when the request must not be asked about. */
export async function askWebhook(question: Question, { clients, newUid }: WebhookClient): Promise<AdmissionResponse> {
  const { webhook, versioned, mutating, asker } = question;
  if (versioned.facts.dryRun) refuseSideEffects(webhook);
  const { reviewVersion: version, timeoutSeconds, target } = webhook;
  if (version === undefined) {
    const why = 'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new WebhookFailure(webhook.name, why, { code: 400 });
  }
  const uid = newUid();
  const path = `${webhook.path}?timeout=${timeoutSeconds}s`;
  const limits = { timeoutMs: timeoutSeconds * 1000, caller: asker };
  const answer = await clients.post(target, path, reviewText(version, uid, versioned), limits).catch((error: unknown) => {
    throw unreachable(webhook, `${target.origin}${path}`, error);
  });
  const { value, response } = readAnswer(webhook, version, answer);
  try {
    return verifiedResponse(value, response, { version, uid, mutating });
  } catch (error) {
    throw new WebhookFailure(webhook.name, `received invalid webhook response: ${(error as Error).message}`, { code: 503, cause: error });
  }
}

function refuseSideEffects({ name, sideEffects }: Webhook): void {
  if (sideEffects === undefined) throw new WebhookFailure(name, 'Webhook SideEffects is nil', { code: 400 });
  if (sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') throw dryRunUnsupported(name);
}

function unreachable({ name }: Webhook, url: string, error: unknown): unknown {
  if (!(error instanceof OutgoingFailure)) return error;
  const { message, inBody, canceled } = error;
  const why = inBody ? `unexpected error when reading response body. Please retry. Original error: ${message}` : `Post ${goQuote(url)}: ${message}`;
  return new WebhookFailure(name, `failed to call webhook: ${why}`, { code: 503, canceled, cause: error });
}

function readAnswer(
  { name }: Webhook,
  version: ReviewVersion,
  answer: OutgoingAnswer,
): { readonly value: unknown; readonly response: AdmissionResponse | undefined } {
  try {
    const value = webhookAnswer(answer);
    return { value, response: decodeReview(value, version) };
  } catch (error) {
    const code = error instanceof RemoteStatus ? error.code : 503;
    throw new WebhookFailure(name, `failed to call webhook: ${(error as Error).message}`, { code, cause: error });
  }
}
