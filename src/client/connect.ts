// From a configuration to a client that works.
import { systemTimers, type Timers } from '#base/timers.ts';
import type { ClientConfig } from '#client/client-config.ts';
import { HttpsTransport } from '#client/https-transport.ts';
import { withImpersonation, withRetryAfter } from '#client/interceptors.ts';
import { RestClient } from '#client/rest-client.ts';
import type { Transport } from '#client/transport.ts';

export interface ConnectedClient extends AsyncDisposable {
  readonly client: RestClient;
  readonly transport: Transport;
  readonly namespace: string;
}

export interface ConnectOptions {
  readonly userAgent: string;
  readonly timers?: Timers;
}

export function connect({ transport, namespace, impersonate }: ClientConfig, { userAgent, timers = systemTimers }: ConnectOptions): ConnectedClient {
  const https = new HttpsTransport(transport);
  const patient = withRetryAfter(https.send, timers);
  const send = impersonate === undefined ? patient : withImpersonation(patient, impersonate);
  return { client: new RestClient(send, userAgent), transport: send, namespace, [Symbol.asyncDispose]: () => https[Symbol.asyncDispose]() };
}
