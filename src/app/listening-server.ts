import type { Base, BuiltServer } from '#app/build-server.ts';
import type { Listener } from '#server/front/listen.ts';

/** A server that takes requests: everything its loops can want. */
export interface ListeningServer extends Base, BuiltServer {
  readonly listeners: readonly Listener[];
  readonly url: string;
  readonly port: number;
}
