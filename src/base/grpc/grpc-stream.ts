// What comes back on one stream of a gRPC connection: messages out of its data, and the status at its end.
import { GrpcError, grpcCode } from '#base/grpc/grpc-error.ts';
import { MessageFrames } from '#base/grpc/message-frames.ts';
import type { ClientStreamEnd, ClientStreamListener } from '#base/http2/client-stream.ts';

export interface GrpcListener {
  message(bytes: Buffer): void;
  /** Once. Undefined: the status is OK. */
  ended(error: GrpcError | undefined): void;
}

export class GrpcStream implements ClientStreamListener {
  readonly #peer: string;
  readonly #listener: GrpcListener;
  readonly #frames = new MessageFrames();
  #httpStatus = '200';
  #status: string | undefined;
  #words = '';
  #closed = false;

  /** `peer`: what errors call the other side. */
  constructor(peer: string, listener: GrpcListener) {
    this.#peer = peer;
    this.#listener = listener;
  }

  field(name: string, value: string): void {
    if (name === 'grpc-status') this.#status = value;
    else if (name === 'grpc-message') this.#words = value;
    else if (name === ':status') this.#httpStatus = value;
  }

  data(piece: Buffer): void {
    this.#frames.push(piece, this.#listener);
  }

  closed(end: ClientStreamEnd): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener.ended(this.#status === '0' ? undefined : this.#errorAt(end));
  }

  #errorAt(end: ClientStreamEnd): GrpcError {
    if (this.#status !== undefined) return new GrpcError(Number(this.#status), decodeURIComponent(this.#words));
    if (this.#httpStatus !== '200') return new GrpcError(grpcCode.unavailable, `HTTP status ${this.#httpStatus}`);
    return new GrpcError(grpcCode.unavailable, `the connection to ${this.#peer} was lost`, end === 'unseen');
  }
}
