// Those who look on while a request is served. Nearly every request has one or two, so this stays a plain list.
import type { StructSchema } from '#schema/build.ts';
import type { ExchangeObserver, ResponseStream } from '#server/front/exchange.ts';

export class Observers {
  readonly #all: ExchangeObserver[] = [];

  add(observer: ExchangeObserver): void {
    this.#all.push(observer);
  }

  get readAnswers(): boolean {
    return this.#all.some(({ readsAnswer }) => readsAnswer === true);
  }

  bodyRead(bytes: Buffer): void {
    for (const observer of this.#all) observer.bodyRead?.(bytes);
  }

  answerBegun(code: number, contentType: string, body: Uint8Array | string | undefined): void {
    for (const observer of this.#all) observer.answerBegun?.(code, contentType, body);
  }

  annotated(key: string, value: string, level?: 'Request'): void {
    for (const observer of this.#all) observer.annotated?.(key, value, level);
  }

  objectRead(object: object, schema: StructSchema): void {
    for (const observer of this.#all) observer.objectRead?.(object, schema);
  }

  /** The stream itself when no observer looks at its pieces. */
  watching(stream: ResponseStream): ResponseStream {
    const interested = this.#all.filter(({ chunkWritten }) => chunkWritten !== undefined);
    if (interested.length === 0) return stream;
    return {
      write(chunk) {
        for (const observer of interested) observer.chunkWritten?.(chunk);
        return stream.write(chunk);
      },
      writeThrough(chunk) {
        for (const observer of interested) observer.chunkWritten?.(chunk);
        return stream.writeThrough(chunk);
      },
      get backlog() {
        return stream.backlog;
      },
      end: (trailers) => stream.end(trailers),
    };
  }
}
