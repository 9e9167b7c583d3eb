// What a client hears when a webhook says no.
import { ApiError, badRequest } from '#api/api-error.ts';
import type { Status, StatusDetails, StatusReason } from '#api/status.ts';
import { goQuote } from '#base/go-text.ts';
import type { ReviewStatus } from '#admission/webhooks/admission-review.ts';

/** Never with a code that looks like success; the webhook is named before its own words. */
export function webhookRefusal(webhook: string, { code = 0, message = '', reason = '', details, metadata }: ReviewStatus = {}): ApiError {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const why = message || reason;
  const text = why === '' ? `${denied} without explanation` : `${denied}: ${why}`;
  return new ApiError(code < 400 ? 400 : code, (reason || undefined) as StatusReason | undefined, text, {
    ...(details ? { details: details as StatusDetails } : {}),
    ...(metadata ? { metadata: listMeta(metadata as Status['metadata']) } : {}),
  });
}

/** The fields that the metadata of a Status has. */
function listMeta({ selfLink, resourceVersion, continue: token, remainingItemCount }: Status['metadata']): Status['metadata'] {
  return {
    ...(selfLink && { selfLink }),
    ...(resourceVersion && { resourceVersion }),
    ...(token && { continue: token }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

export function dryRunUnsupported(webhook: string): ApiError {
  return badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
