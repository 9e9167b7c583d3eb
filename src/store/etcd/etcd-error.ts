// What etcd says of a call that it refuses.
import { GrpcError } from '#base/grpc/grpc-error.ts';

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
