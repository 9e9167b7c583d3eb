import type { MaybePromise } from '#base/maybe-promise.ts';
import type { NetworkAddress } from '#base/outgoing/target.ts';

/** Where a service can be reached now, for servers that this one asks. Throws an ApiError in the original's words when it cannot. */
export type ServiceResolver = (namespace: string, name: string, port: number) => MaybePromise<NetworkAddress>;
