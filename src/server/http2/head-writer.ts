// The head and the trailers of answers, as header blocks of one connection: what the encoder has written before shortens what comes next.
import type { AnswerHeaders } from '#server/front/exchange.ts';
import type { ByteWriter } from '#base/http2/byte-writer.ts';
import { writeHeaderBlock } from '#base/http2/frames.ts';
import { HpackEncoder } from '#base/http2/hpack/encoder.ts';
import type { Sender } from '#server/http2/sender.ts';
import type { Http2Stream } from '#server/http2/stream.ts';

export class HeadWriter {
  readonly #encoder = new HpackEncoder();
  readonly #sender: Sender;
  readonly #scratch: ByteWriter;
  readonly #date: () => string;

  /** Blocks are put together in `scratch`. */
  constructor(sender: Sender, scratch: ByteWriter, date: () => string) {
    this.#sender = sender;
    this.#scratch = scratch;
    this.#date = date;
  }

  /** The size that the client allows for the table. */
  limitTable(bytes: number): void {
    this.#encoder.limitTable(bytes);
  }

  head(stream: Http2Stream, code: number, headers: AnswerHeaders, endStream: boolean): void {
    this.#begin();
    this.#encoder.field(this.#scratch, ':status', String(code));
    this.#fields(headers);
    if (code >= 200 && headers['date'] === undefined) this.#encoder.field(this.#scratch, 'date', this.#date());
    this.#send(stream, endStream);
  }

  trailers(stream: Http2Stream, trailers: AnswerHeaders): void {
    this.#begin();
    this.#fields(trailers);
    this.#send(stream, true);
  }

  #begin(): void {
    this.#scratch.clear();
    this.#encoder.begin(this.#scratch);
  }

  #fields(fields: AnswerHeaders): void {
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') this.#encoder.field(this.#scratch, name, value);
      else for (const one of value) this.#encoder.field(this.#scratch, name, one);
    }
  }

  #send(stream: Http2Stream, endStream: boolean): void {
    writeHeaderBlock(this.#sender.control, stream.id, this.#scratch.written, endStream, this.#sender.maxFrameBytes);
    this.#sender.schedule();
  }
}
