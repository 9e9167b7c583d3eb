// The way to a cluster of etcd: one connection to one of its members, to the next one when that fails.
// A read is tried again until its time is up. A write goes out once; when nobody knows what became of it, its caller has to find out.
import { exponentialBackoff } from '#base/backoff.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import { GrpcConnection, type MessageStream, type StreamListener, type TlsFiles } from '#base/grpc/grpc-connection.ts';
import { GrpcError, grpcCode, isPassing } from '#base/grpc/grpc-error.ts';
import { readStatusResponse } from '#store/etcd/kv-messages.ts';
import { tellsProgress } from '#store/etcd/etcd-release.ts';
import { findUntrusted } from '#store/etcd/untrusted.ts';
import { StoreClosedError, StoreUnavailableError } from '#store/store.ts';

export interface EtcdClientOptions {
  /** URLs, the preferred one first. */
  readonly endpoints: readonly string[];
  /** Asked for every connection: certificates are renewed while servers run. */
  readonly tls?: () => TlsFiles;
  readonly timers?: Timers;
  /** How long a caller waits for an answer, over all attempts. */
  readonly deadlineMs?: number;
  /** How long one member may take. */
  readonly attemptMs?: number;
  /** Which releases of etcd are believed when they say how far a watch is. */
  readonly tellsProgress?: (version: string) => boolean;
}

const defaults = { tls: () => ({}), timers: systemTimers, deadlineMs: 10_000, attemptMs: 5_000, tellsProgress };
const CONNECT_MS = 3_000;
export const statusPath = '/etcdserverpb.Maintenance/Status';

export class EtcdClient {
  readonly #options: Required<EtcdClientOptions>;
  readonly #backoff = exponentialBackoff({ firstMs: 50, maxMs: 2_000, random: Math.random });
  readonly #closed = new AbortController();
  #at = 0;
  #connection: GrpcConnection | undefined;
  #connecting: Promise<GrpcConnection> | undefined;
  #tellsProgress = true;

  constructor(options: EtcdClientOptions) {
    this.#options = { ...defaults, ...options };
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  get timers(): Timers {
    return this.#options.timers;
  }

  /** False once we have met a member that does not, or does not say which release it is. Known when `ready` has resolved. */
  get tellsProgress(): boolean {
    return this.#tellsProgress;
  }

  /** There is a connection. */
  async ready(): Promise<void> {
    await this.#usable(Number.POSITIVE_INFINITY);
  }

  /** For calls that change nothing, or nothing more when they come twice. */
  async read(path: string, message: Uint8Array, deadlineMs = this.#options.deadlineMs): Promise<Buffer> {
    const until = performance.now() + deadlineMs;
    for (;;) {
      try {
        return await this.#attempt(path, message, until);
      } catch (error) {
        if (!isPassing(error) || performance.now() >= until) throw this.#explained(error);
        if (!error.unsent) await this.#backoff.wait(this.#closed.signal);
      }
    }
  }

  /** Rejects with a passing GrpcError when the write may or may not have happened, with a StoreUnavailableError when it surely has not. */
  async write(path: string, message: Uint8Array): Promise<Buffer> {
    const until = performance.now() + this.#options.deadlineMs;
    for (;;) {
      try {
        return await this.#attempt(path, message, until);
      } catch (error) {
        if (!(error instanceof GrpcError) || !error.unsent) throw error;
        if (performance.now() >= until) throw this.#explained(error);
      }
    }
  }

  /** Waits until there is a connection for it. */
  async stream(path: string, first: Uint8Array, listener: StreamListener): Promise<MessageStream> {
    return (await this.#usable(Number.POSITIVE_INFINITY)).stream(path, first, listener);
  }

  /** The member that is spoken to does not serve: the next attempt is made elsewhere. */
  moveOn(): void {
    if (this.#options.endpoints.length < 2) return;
    this.#connection?.close();
    this.#connection = undefined;
  }

  close(): void {
    this.#closed.abort();
    this.#connection?.close();
  }

  async #attempt(path: string, message: Uint8Array, until: number): Promise<Buffer> {
    const connection = this.#connection?.isUsable ? this.#connection : await this.#usable(until);
    const sentAt = performance.now();
    try {
      const answer = await connection.call(path, message, Math.max(1, Math.min(this.#options.attemptMs, until - sentAt)));
      this.#backoff.reset();
      return answer;
    } catch (error) {
      // A member without a word since then hangs or is cut off; others that wait for it learn so at once.
      if (error instanceof GrpcError && error.code === grpcCode.deadlineExceeded && connection.heardAt < sentAt) connection.close();
      else if (error instanceof GrpcError && error.code === grpcCode.unavailable && connection === this.#connection) this.moveOn();
      throw error;
    }
  }

  async #usable(until: number): Promise<GrpcConnection> {
    if (this.#connection?.isUsable) return this.#connection;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return until === Number.POSITIVE_INFINITY ? this.#connecting : this.#before(until, this.#connecting);
  }

  #before<T>(until: number, awaited: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#options.timers.after(Math.max(0, until - performance.now()), () =>
        reject(new GrpcError(grpcCode.unavailable, 'none of its members can be reached', true)),
      );
      awaited.then(resolve, reject).finally(cancel);
    });
  }

  /** Goes round the members until one answers. */
  async #connect(): Promise<GrpcConnection> {
    const { endpoints, tls, timers } = this.#options;
    for (;;) {
      for (const _ of endpoints) {
        const endpoint = endpoints[this.#at++ % endpoints.length] as string;
        try {
          const connection = await GrpcConnection.open({ endpoint, tls: tls(), timers, timeoutMs: CONNECT_MS });
          this.#tellsProgress &&= await this.#saysProgress(connection);
          if (this.#closed.signal.aborted) connection.close();
          else this.#connection = connection;
          this.#everConnected = true;
          return connection;
        } catch (error) {
          this.#lastProblem = error as Error;
        }
        this.#refuseClosed();
      }
      if (!this.#everConnected) await this.#refuseUntrusted();
      await this.#backoff.wait(this.#closed.signal);
      this.#refuseClosed();
    }
  }

  /** A member that does not answer is left for the next one; one that refuses to say is not believed. */
  async #saysProgress(connection: GrpcConnection): Promise<boolean> {
    try {
      return this.#options.tellsProgress(readStatusResponse(await connection.call(statusPath, Buffer.alloc(0), CONNECT_MS)).version);
    } catch (error) {
      if (!isPassing(error)) return false;
      connection.close();
      throw error;
    }
  }

  #lastProblem: Error | undefined;
  #everConnected = false;

  /** Where TLS stands between us and all of the members. */
  async #refuseUntrusted(): Promise<void> {
    const { endpoints, tls, timers } = this.#options;
    const found = await Promise.all(endpoints.map((endpoint) => findUntrusted(endpoint, tls(), timers)));
    const [first] = found;
    if (first && found.every((problem) => problem !== undefined)) throw first;
  }

  #refuseClosed(): void {
    if (this.#closed.signal.aborted) throw new StoreClosedError();
  }

  #explained(error: unknown): unknown {
    if (this.#closed.signal.aborted) return new StoreClosedError();
    if (!isPassing(error)) return error;
    const why = error.unsent ? this.#lastProblem?.message : undefined;
    return new StoreUnavailableError(`etcd does not answer: ${why ?? error.message}`);
  }
}
