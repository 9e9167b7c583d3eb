// A server that this one asks: webhooks of every kind, extension servers.
import type { MaybePromise } from '#base/maybe-promise.ts';

export interface NetworkAddress {
  readonly host: string;
  readonly port: number;
}

/** What connections have to be like: calls with equal needs share them. */
export interface OutgoingTarget {
  /** `https://host:port`, as it stands in messages. */
  readonly origin: string;
  /** Where to dial instead, asked for every new connection: a service has no address of its own. */
  readonly dial?: (() => MaybePromise<NetworkAddress>) | undefined;
  /** PEM of the authorities to trust; absent: those of `authorities.ts`. */
  readonly ca?: string | undefined;
  /** The name that the certificate must have, when it is not the host of the origin. */
  readonly serverName?: string | undefined;
  /** PEM of what this server shows when asked who it is. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** No check of the server's certificate. */
  readonly insecure?: boolean | undefined;
  /** Credentials, sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function hostOf(origin: string): NetworkAddress {
  const { hostname, port, protocol } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) };
}
