// gRPC's frames: a byte that says whether the message is compressed, its length in four bytes, the message.
const HEAD = 5;

export function withFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEAD);
  return frame;
}

/** Messages out of the pieces in which they arrive. */
export class MessageFrames {
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = HEAD;

  /** The messages that are whole with this piece. */
  push(piece: Buffer): Buffer[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const messages: Buffer[] = [];
    if (this.#length < this.#wanted) return messages;
    let bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    for (;;) {
      this.#wanted = bytes.length < HEAD ? HEAD : HEAD + bytes.readUInt32BE(1);
      if (bytes.length < this.#wanted) break;
      messages.push(bytes.subarray(HEAD, this.#wanted));
      bytes = bytes.subarray(this.#wanted);
    }
    this.#pieces = bytes.length > 0 ? [bytes] : [];
    this.#length = bytes.length;
    return messages;
  }
}
