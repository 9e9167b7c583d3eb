// A header block as it comes: HEADERS, and CONTINUATIONs until one says that it was the last.
import { ConnectionError, errorCodes, flags, frameHeadBytes } from '#base/http2/protocol.ts';

export interface HeaderBlock {
  readonly streamId: number;
  readonly endStream: boolean;
  /** The stream says that it depends on itself, which is no way to begin one. */
  readonly dependsOnItself: boolean;
  readonly bytes: Buffer;
}

export class HeaderBlockReader {
  readonly #limit: number;
  #begun: Omit<HeaderBlock, 'bytes'> | undefined;
  #pieces: Buffer[] = [];
  #size = 0;

  /** `limit`: bytes of a block; each frame counts with its head, so that empty ones come to an end too. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The stream whose block is not whole: nothing else may come before it is. */
  get pending(): number | undefined {
    return this.#begun?.streamId;
  }

  /** The block, if this was all of it. */
  headers(frameFlags: number, streamId: number, payload: Buffer): HeaderBlock | undefined {
    const { priority, rest } = withoutPriority(frameFlags, withoutPadding(frameFlags, payload));
    this.#begun = { streamId, endStream: (frameFlags & flags.endStream) !== 0, dependsOnItself: priority === streamId };
    return this.#add(frameFlags, rest);
  }

  continuation(frameFlags: number, streamId: number, payload: Buffer): HeaderBlock | undefined {
    if (streamId !== this.pending) throw new ConnectionError(errorCodes.protocol, 'CONTINUATION of nothing');
    return this.#add(frameFlags, payload);
  }

  #add(frameFlags: number, piece: Buffer): HeaderBlock | undefined {
    this.#size += piece.length + frameHeadBytes;
    if (this.#size > this.#limit) throw new ConnectionError(errorCodes.enhanceYourCalm, 'a header block is too large');
    this.#pieces.push(piece);
    if ((frameFlags & flags.endHeaders) === 0) return undefined;
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    // Field by field: every request and every answer has one, and V8 is slow where a literal adds a field to a spread.
    const { streamId, endStream, dependsOnItself } = this.#begun as Omit<HeaderBlock, 'bytes'>;
    this.#begun = undefined;
    this.#pieces = [];
    this.#size = 0;
    return { streamId, endStream, dependsOnItself, bytes };
  }
}

/** Of HEADERS and DATA. */
export function withoutPadding(frameFlags: number, payload: Buffer): Buffer {
  if ((frameFlags & flags.padded) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined) throw new ConnectionError(errorCodes.frameSize, 'a padded frame without its length');
  if (padding >= payload.length) throw new ConnectionError(errorCodes.protocol, 'more padding than frame');
  return payload.subarray(1, payload.length - padding);
}

function withoutPriority(frameFlags: number, payload: Buffer): { readonly priority: number | undefined; readonly rest: Buffer } {
  if ((frameFlags & flags.priority) === 0) return { priority: undefined, rest: payload };
  if (payload.length < 5) throw new ConnectionError(errorCodes.frameSize, 'HEADERS without the priority that they announce');
  return { priority: dependencyIn(payload), rest: payload.subarray(5) };
}

/** The stream on which a priority depends. */
export function dependencyIn(priority: Buffer): number {
  return priority.readUInt32BE(0) & 0x7fff_ffff;
}
