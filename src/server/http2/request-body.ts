import { badRequest, tooLarge } from '#api/api-error.ts';

/** Gives back the part of the stream's window that the bytes of the body have taken. */
export type GiveBack = (bytes: number) => void;

interface Reader {
  readonly limit: number;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (cause: Error) => void;
}

/**
 * The body of a request as it arrives. Until somebody reads it, no more comes than the window of its stream lets through;
 * from then on the window is given back as it is used up. What comes in one frame is not copied.
 */
export class RequestBody {
  readonly #giveBack: GiveBack;
  #bytes: Buffer = nothing;
  #length = 0;
  /** Arrived, but not given back to the window. */
  #owed = 0;
  #state: 'open' | 'whole' | 'broken' | 'unwanted' = 'open';
  #reader: Reader | undefined;

  constructor(giveBack: GiveBack) {
    this.#giveBack = giveBack;
  }

  /** Rejects with 413 as soon as it is longer than `limit`. Once only. */
  read(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#reader = { limit, resolve, reject };
      this.#settle();
      this.#returnWindow();
    });
  }

  get length(): number {
    return this.#length;
  }

  /** `windowBytes`: what the frame has taken of the window, which includes its padding. */
  add(piece: Buffer, windowBytes: number): void {
    if (this.#state === 'unwanted') {
      this.#length += piece.length;
      return;
    }
    this.#owed += windowBytes;
    this.#append(piece);
    this.#settle();
    this.#returnWindow();
  }

  /** Nobody will read it: what comes is only counted. */
  discard(): void {
    if (this.#state === 'open') this.#state = 'unwanted';
    this.#bytes = nothing;
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'whole';
    this.#settle();
  }

  /** No more will come. */
  break(): void {
    if (this.#state === 'open') this.#state = 'broken';
    this.#settle();
  }

  #append(piece: Buffer): void {
    const needed = this.#length + piece.length;
    // A frame that came together with others would keep all of them alive.
    if (this.#length === 0 && piece.length * 2 > piece.buffer.byteLength) this.#bytes = piece;
    else {
      if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes.subarray(0, this.#length), needed);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = needed;
  }

  #settle(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#length > reader.limit) reader.reject(tooLarge(`limit is ${reader.limit}`));
    else if (this.#state === 'whole') reader.resolve(this.#bytes.subarray(0, this.#length));
    else if (this.#state === 'broken') reader.reject(badRequest('unexpected EOF'));
  }

  /** In large steps, and not for what is refused or has all come. */
  #returnWindow(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#state !== 'open' || this.#length > reader.limit || this.#owed < windowStep) return;
    this.#giveBack(this.#owed);
    this.#owed = 0;
  }
}

const nothing = Buffer.alloc(0);
const windowStep = 64 * 1024;

function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(bytes.length * 2, bytes.length + 1024 * 1024)));
  larger.set(bytes);
  return larger;
}
