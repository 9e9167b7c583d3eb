/** A call that came to no answer. The message is what the original's client would say after the URL. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure';
  /** The client of the request that needed the call is gone: not the called server's fault. */
  readonly canceled: boolean;
  /** The answer had begun. */
  readonly inBody: boolean;

  constructor(message: string, { canceled = false, inBody = false, cause }: { canceled?: boolean; inBody?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.canceled = canceled;
    this.inBody = inBody;
  }
}
