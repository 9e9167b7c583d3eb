// What a call can end with. The numbers are gRPC's.
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

const names =
  'OK Canceled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied ResourceExhausted FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable DataLoss Unauthenticated'.split(
    ' ',
  );

/** As Go prints it. */
export function grpcCodeName(code: number): string {
  return names[code] ?? `Code(${code})`;
}

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

/** Another attempt, perhaps at another server, may succeed; a write may have happened all the same. */
export function isPassing(error: unknown): error is GrpcError {
  return error instanceof GrpcError && passing.has(error.code);
}
