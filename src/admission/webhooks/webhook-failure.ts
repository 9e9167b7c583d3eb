import { goQuote } from '#base/go-text.ts';

/** The webhook gave no answer that can be used, which its failurePolicy judges. A refusal is no failure, but an ApiError. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';
  /** Of what it answered, for metrics. */
  readonly code: number;
  /** The client of the request is gone. */
  readonly canceled: boolean;

  constructor(webhook: string, why: string, { code, canceled = false, cause }: { code: number; canceled?: boolean; cause?: unknown }) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.canceled = canceled;
  }
}
