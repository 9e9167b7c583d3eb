// Calls of a KMS v2 plugin over its unix socket. A plugin that is not there yet is waited for, as long as a call may take.
import { pause, type Timers } from '#base/timers.ts';
import {
  type DecryptRequest,
  encodeDecrypt,
  encodeEncrypt,
  type EncryptResponse,
  readDecrypt,
  readEncrypt,
  readStatus,
  type StatusResponse,
} from '#encryption/kms/kms-messages.ts';
import type { KmsObserver } from '#encryption/encryption-metrics.ts';
import { GrpcConnection } from '#base/grpc/grpc-connection.ts';

export interface KmsClientOptions {
  /** `unix:///run/kms.sock`; `unix:///@name` is a socket without a file. */
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly observer?: Pick<KmsObserver, 'now' | 'called'> | undefined;
}

const RETRY_MS = 100;

export class KmsClient {
  readonly #options: KmsClientOptions;
  readonly #closed = new AbortController();
  #connection: GrpcConnection | undefined;
  #connecting: Promise<GrpcConnection> | undefined;

  constructor(options: KmsClientOptions) {
    this.#options = options;
  }

  async status(): Promise<StatusResponse> {
    return readStatus(await this.#call('Status', Buffer.alloc(0)));
  }

  async encrypt(plaintext: Uint8Array, uid: string): Promise<EncryptResponse> {
    return readEncrypt(await this.#call('Encrypt', encodeEncrypt(plaintext, uid)));
  }

  async decrypt(request: DecryptRequest): Promise<Buffer> {
    return readDecrypt(await this.#call('Decrypt', encodeDecrypt(request)));
  }

  close(): void {
    this.#closed.abort();
    this.#connection?.close();
  }

  async #call(name: string, message: Uint8Array): Promise<Buffer> {
    const method = `/v2.KeyManagementService/${name}`;
    const { observer } = this.#options;
    const startedMs = observer?.now() ?? 0;
    try {
      const answer = await this.#sent(method, message);
      observer?.called(method, startedMs);
      return answer;
    } catch (error) {
      observer?.called(method, startedMs, error);
      throw error;
    }
  }

  async #sent(method: string, message: Uint8Array): Promise<Buffer> {
    const until = performance.now() + this.#options.timeoutMs;
    const connection = await this.#connected(until);
    return connection.call(method, message, Math.max(1, until - performance.now()));
  }

  async #connected(until: number): Promise<GrpcConnection> {
    for (;;) {
      if (this.#connection?.isUsable) return this.#connection;
      try {
        this.#connecting ??= this.#open();
        return await this.#connecting;
      } catch (error) {
        if (this.#closed.signal.aborted || performance.now() + RETRY_MS >= until) throw error;
        await pause(this.#options.timers, RETRY_MS, this.#closed.signal);
      }
    }
  }

  async #open(): Promise<GrpcConnection> {
    const { endpoint, timeoutMs, timers } = this.#options;
    try {
      const connection = await GrpcConnection.open({
        endpoint: 'http://localhost',
        peer: `the KMS plugin at ${endpoint}`,
        socket: socketOf(endpoint),
        tls: {},
        timers,
        timeoutMs,
      });
      this.#connection = connection;
      if (this.#closed.signal.aborted) connection.close();
      return connection;
    } finally {
      this.#connecting = undefined;
    }
  }
}

function socketOf(endpoint: string): string {
  const path = decodeURIComponent(endpoint.replace(/^unix:(\/\/[^/]*)?/i, ''));
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}
