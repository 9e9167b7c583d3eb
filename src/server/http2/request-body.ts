import { Readable } from 'node:stream';
import { badRequest, tooLarge } from '#api/api-error.ts';
import { clientGone } from '#server/front/client-gone.ts';
import { GatheredBytes } from '#server/front/gathered-bytes.ts';

/** Gives back the part of the stream's window that the bytes of the body have taken. */
export type GiveBack = (bytes: number) => void;

interface WholeReader {
  readonly limit: number;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (cause: Error) => void;
}

/** What the stream has not asked for yet, as one piece however it came; `windowBytes` is what its frames have taken of the window. */
interface PieceReader {
  readonly stream: Readable;
  readonly waiting: GatheredBytes;
  windowBytes: number;
  hungry: boolean;
}

/**
 * The body of a request as it arrives. Until the handler reads it, no more comes than the window of its stream lets through;
 * from then on the window is given back as it is used up. What comes in one frame is not copied.
 */
export class RequestBody {
  readonly #giveBack: GiveBack;
  readonly #bytes = new GatheredBytes();
  #length = 0;
  /** Arrived, but not given back to the window. */
  #owed = 0;
  #state: 'open' | 'whole' | 'broken' | 'unwanted' = 'open';
  #reader: WholeReader | undefined;
  #pieces: PieceReader | undefined;

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

  /** Instead of `read`: a piece leaves the window when the reader of the stream has asked for it. The stream itself holds one at a time. */
  stream(): Readable {
    const stream = new Readable({
      highWaterMark: 1,
      read: () => this.#feed(),
      destroy: (cause, done) => {
        if (this.#state === 'open') this.discard();
        done(cause);
      },
    });
    this.#pieces = { stream, waiting: new GatheredBytes(), windowBytes: this.#owed, hungry: false };
    this.#pieces.waiting.add(this.#bytes.whole, true);
    this.#owed = 0;
    this.#bytes.clear();
    this.#settle();
    return stream;
  }

  /** Of all that has come. */
  get length(): number {
    return this.#length;
  }

  /** `windowBytes`: what the frame has taken of the window, which includes its padding. */
  add(piece: Buffer, windowBytes: number): void {
    if (this.#state === 'unwanted') {
      this.#length += piece.length;
      return;
    }
    if (this.#pieces === undefined) this.#append(piece, windowBytes);
    else this.#hand(this.#pieces, piece, windowBytes);
  }

  /** The handler will not read it: what comes is only counted, and reads that wait are told. */
  discard(): void {
    if (this.#state === 'unwanted') return;
    const isMissed = this.#state === 'open';
    if (isMissed) this.#state = 'unwanted';
    this.#bytes.clear();
    if (!isMissed) return;
    this.#settle();
    this.#pieces?.waiting.clear();
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

  #append(piece: Buffer, windowBytes: number): void {
    this.#owed += windowBytes;
    this.#bytes.add(piece, isMostOfItsMemory(piece));
    this.#length += piece.length;
    this.#settle();
    this.#returnWindow();
  }

  #hand(pieces: PieceReader, piece: Buffer, windowBytes: number): void {
    this.#length += piece.length;
    pieces.waiting.add(piece, isMostOfItsMemory(piece));
    pieces.windowBytes += windowBytes;
    if (pieces.hungry) this.#feed();
  }

  #feed(): void {
    const pieces = this.#pieces;
    if (pieces === undefined) return;
    pieces.hungry = true;
    this.#owed += pieces.windowBytes;
    pieces.windowBytes = 0;
    if (pieces.waiting.length > 0) {
      const { whole } = pieces.waiting;
      pieces.waiting.clear();
      pieces.hungry = pieces.stream.push(whole);
    }
    if (this.#state === 'open' && this.#owed >= windowStep) this.#giveBackOwed();
    this.#settle();
  }

  #settle(): void {
    if (this.#pieces !== undefined) this.#endPieces(this.#pieces);
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#state === 'unwanted') reader.reject(clientGone);
    else if (this.#length > reader.limit) reader.reject(tooLarge(`limit is ${reader.limit}`));
    else if (this.#state === 'whole') reader.resolve(this.#bytes.whole);
    else if (this.#state === 'broken') reader.reject(badRequest('unexpected EOF'));
  }

  #endPieces({ stream, waiting }: PieceReader): void {
    if (this.#state === 'unwanted') stream.destroy(clientGone);
    else if (this.#state === 'broken') stream.destroy(badRequest('unexpected EOF'));
    else if (this.#state === 'whole' && waiting.length === 0 && !stream.readableEnded) stream.push(null);
  }

  /** In large steps, and not for what is refused or has all come. */
  #returnWindow(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#state !== 'open' || this.#length > reader.limit || this.#owed < windowStep) return;
    this.#giveBackOwed();
  }

  #giveBackOwed(): void {
    const owed = this.#owed;
    this.#owed = 0;
    this.#giveBack(owed);
  }
}

const windowStep = 64 * 1024;

/** A frame that came together with others would keep all of them alive. */
function isMostOfItsMemory(piece: Buffer): boolean {
  return piece.length * 2 > piece.buffer.byteLength;
}
