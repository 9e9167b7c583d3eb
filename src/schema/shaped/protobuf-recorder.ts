// What the protobuf writer would write of an object with markers: bytes, holes, and messages around holes.
import type { ProtobufSink } from '#schema/protobuf/protobuf-encode.ts';
import { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';
import type { Hole, HoleKind, Piece } from '#schema/shaped/form-layout.ts';
import type { Markers } from '#schema/shaped/markers.ts';
import { splitAtMarkers } from '#schema/shaped/split-at-markers.ts';

export class ProtobufRecorder implements ProtobufSink {
  readonly #markers: Markers;
  readonly #writer = new ProtobufWriter();
  /** From the last to the first, as the writer is called. */
  #pieces: Piece[] = [];

  constructor(markers: Markers) {
    this.#markers = markers;
  }

  /** Of pieces: `close` is only asked about what has come since. */
  get length(): number {
    return this.#pieces.length;
  }

  /** In the order of the bytes. */
  get pieces(): readonly Piece[] {
    return this.#pieces.toReversed();
  }

  key(tag: number, wireType: number): void {
    this.#writer.key(tag, wireType);
    this.#pieces.push(this.#writer.take());
  }

  close(tag: number, before: number): void {
    const content = this.#pieces.splice(before).reverse();
    if (content.every((piece) => Buffer.isBuffer(piece))) {
      this.#writer.bytes(Buffer.concat(content));
      this.#writer.close(tag, 0);
      this.#pieces.push(this.#writer.take());
      return;
    }
    const [first] = content;
    this.#pieces.push(content.length === 1 && first !== undefined && hasLength(first) ? first : { is: 'message', pieces: content });
    this.key(tag, 2);
  }

  boolean(value: boolean): void {
    if (!this.#hole(value, 'boolean')) this.#constant(() => this.#writer.boolean(value));
  }

  varint(value: number | bigint): void {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error('a number that is made of a marker');
    if (!this.#hole(value)) this.#constant(() => this.#writer.varint(value));
  }

  double(value: number): void {
    this.#constant(() => this.#writer.double(value));
  }

  bytes(value: Uint8Array): void {
    const hole = this.#markers.texts.get(Buffer.from(value).toString('base64'));
    if (hole === undefined) this.#constant(() => this.#writer.bytes(value));
    else this.#pieces.push({ is: 'base64', hole });
  }

  text(value: string): void {
    const { texts, names } = this.#markers;
    const hole = texts.get(value);
    if (hole !== undefined) this.#pieces.push({ is: 'text', hole });
    // JSON within protobuf: a name stands there as it does in the JSON around it.
    else if (names.size > 0) this.#pieces.push(...splitAtMarkers(value, names, () => 'name').toReversed());
    else this.#constant(() => this.#writer.text(value));
  }

  #hole(value: unknown, is?: HoleKind): boolean {
    const hole: Hole | undefined = this.#markers.numbers.get(value as number);
    if (hole !== undefined) this.#pieces.push({ is: is ?? hole.is, hole: hole.hole });
    return hole !== undefined;
  }

  #constant(write: () => void): void {
    write();
    this.#pieces.push(this.#writer.take());
  }
}

function hasLength(piece: Piece): boolean {
  return !Buffer.isBuffer(piece) && (piece.is === 'text' || piece.is === 'base64');
}
