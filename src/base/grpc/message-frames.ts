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
  #pieces: Buffer[] | undefined;
  #length = 0;
  #wanted = HEAD;

  /** Hands over the messages that are whole with this piece. */
  push(piece: Buffer, listener: { message(bytes: Buffer): void }): void {
    let bytes = piece;
    if (this.#pieces !== undefined) {
      this.#pieces.push(piece);
      this.#length += piece.length;
      if (this.#length < this.#wanted) return;
      bytes = Buffer.concat(this.#pieces);
      this.#pieces = undefined;
    }
    for (let at = 0; ; at += this.#wanted) {
      const left = bytes.length - at;
      this.#wanted = left < HEAD ? HEAD : HEAD + bytes.readUInt32BE(at + 1);
      if (left < this.#wanted) return this.#keep(bytes.subarray(at));
      listener.message(bytes.subarray(at + HEAD, at + this.#wanted));
    }
  }

  #keep(rest: Buffer): void {
    if (rest.length > 0) this.#pieces = [rest];
    this.#length = rest.length;
  }
}
