// What a call of etcd can end with. The numbers are gRPC's.
export const grpcCode = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
};

export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: number;
  /** The request has not left, or the server has not looked at it: it may be sent once more, whatever it is. */
  readonly unsent: boolean;
  constructor(code: number, message: string, unsent = false) {
    super(message);
    this.code = code;
    this.unsent = unsent;
  }
}

const passing = new Set([grpcCode.cancelled, grpcCode.unknown, grpcCode.deadlineExceeded, grpcCode.internal, grpcCode.unavailable]);

/** Another attempt, perhaps at another member, may succeed; a write may have happened all the same. */
export function isPassing(error: unknown): error is GrpcError {
  return error instanceof GrpcError && passing.has(error.code);
}

export function isCompacted(error: unknown): boolean {
  return says(error, 'required revision has been compacted');
}

export function isFuture(error: unknown): boolean {
  return says(error, 'required revision is a future revision');
}

export function isLeaseGone(error: unknown): boolean {
  return says(error, 'requested lease not found');
}

/** etcd has reached its quota and takes no more writes until somebody makes room and disarms the alarm. */
export function isNoSpace(error: unknown): boolean {
  return says(error, 'database space exceeded');
}

function says(error: unknown, words: string): boolean {
  return error instanceof GrpcError && error.message.includes(words);
}
