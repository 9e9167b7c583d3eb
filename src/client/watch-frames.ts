// The events of a watch out of the bytes of its answer: one JSON document per line.
import { ApiError } from '#api/api-error.ts';
import type { Status } from '#api/status.ts';

export interface WatchFrame<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** No object is nearly as large: a line that does not end is not worth waiting for. */
const maxFrameLength = 64 * 1024 * 1024;

/** A line that the connection cut in two is dropped: its event comes again when the watch is resumed. */
export async function* watchFrames<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WatchFrame<T>> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxFrameLength) throw new Error('a watch event is too large');
    for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchFrame<T>;
  }
}

export function errorInFrame({ object }: WatchFrame<unknown>): ApiError {
  return errorFromStatus(object as Partial<Status>, 500, 'watch failed');
}

export function errorFromStatus({ code, reason, message, details, metadata }: Partial<Status>, otherCode: number, otherMessage: string): ApiError {
  const options = { ...(details && { details }), ...(metadata?.continue && { metadata: { continue: metadata.continue } }) };
  return new ApiError(code ?? otherCode, reason, message ?? otherMessage, options);
}
