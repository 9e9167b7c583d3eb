// The server as a client of itself, over calls in process. What is built before the pipeline may have such a client already; a request that
// comes before the pipeline is there is refused.
import { randomUUID } from 'node:crypto';
import { loopbackUser, type User } from '#api/user.ts';
import { systemTimers } from '#base/timers.ts';
import { BackgroundRequests } from '#client/background-requests.ts';
import { RestClient } from '#client/rest-client.ts';
import type { Transport } from '#client/transport.ts';
import type { Handler } from '#server/front/exchange.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';

/** Events of a server that is always busy come so much later: those of a thousand pods are told when all of them run, not while they are made. */
const mostBehindMs = 5_000;

export class OwnClients {
  /** The server itself; as in the original its uid is another one with every start. */
  readonly self: User = { ...loopbackUser, uid: randomUUID() };
  #handlerFor: ((user: User) => Handler) | undefined;
  readonly #transports = new Map<User, Transport>();
  readonly #background = new BackgroundRequests({ timers: systemTimers, now: () => performance.now(), mostMs: mostBehindMs });

  /** `handlerFor` makes the pipeline in which every request is of that user. */
  open(handlerFor: (user: User) => Handler): void {
    this.#handlerFor = handlerFor;
  }

  transport(user: User): Transport {
    const known = this.#transports.get(user) ?? this.#background.foreground(this.#make(user));
    this.#transports.set(user, known);
    return known;
  }

  /** `name` is its user agent, and so the manager of the fields it writes. */
  as(user: User, name: string): RestClient {
    return new RestClient(this.transport(user), name);
  }

  /** The same, for what nobody waits for: other requests of this server to itself go first. */
  behind(user: User, name: string): RestClient {
    return new RestClient(this.#background.background(this.#make(user)), name);
  }

  #make(user: User): Transport {
    let handler: Handler | undefined;
    return async (request) => {
      handler ??= this.#handlerFor?.(user);
      if (handler === undefined) throw new Error('the server has no pipeline yet');
      return callInProcess(handler, request);
    };
  }
}
