// Whose connection is read next when there is more to do than time. One thread reads all sockets, and would serve whoever
// has the most of them: 2,000 ready connections of one user are 2,000 requests before the next turn of the event loop.
// So when a turn has become long, an owner who already had a share of it is read again only later, a few connections per
// turn; what it sends meanwhile stays in the kernel's buffers. Everybody else is read as usual.
import { ChurningMap } from '#base/memory/churning.ts';

/** A connection that can be left unread for a while. */
export interface Readable {
  stopReading(): void;
  startReading(): void;
}

export interface ReadTurnsOptions {
  /** Milliseconds that a turn may last before connections are made to wait. */
  readonly longTurnMs: number;
  /** Connections that are read again per turn, all owners together; each gets at least one. */
  readonly perTurn: number;
  readonly now: () => number;
}

export class ReadTurns {
  readonly #options: ReadTurnsOptions;
  /** Answers of this turn by owner. */
  readonly #answers = new ChurningMap<string, number>();
  readonly #unread = new Map<string, Set<Readable>>();
  #turnBegan = 0;
  #state: 'resting' | 'turning' | 'closed' = 'resting';

  constructor(options: ReadTurnsOptions) {
    this.#options = options;
  }

  /** Connections that wait to be read again. */
  get unread(): number {
    let sum = 0;
    for (const waiting of this.#unread.values()) sum += waiting.size;
    return sum;
  }

  /** A request of this connection is answered: its owner will send the next one. */
  answered(owner: string, connection: Readable): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'resting') this.#beginTurn();
    const answers = (this.#answers.get(owner) ?? 0) + 1;
    this.#answers.set(owner, answers);
    if (answers > this.#share(this.#answers.size) && this.#options.now() - this.#turnBegan > this.#options.longTurnMs) this.#defer(owner, connection);
  }

  /** From now on everybody is read: a server that stops has to hear what was sent to it. */
  close(): void {
    this.#state = 'closed';
    for (const waiting of this.#unread.values()) for (const connection of waiting) connection.startReading();
    this.#unread.clear();
  }

  #beginTurn(): void {
    this.#state = 'turning';
    this.#turnBegan = this.#options.now();
    setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    if (this.#state === 'closed') return;
    this.#answers.clear();
    const share = this.#share(this.#unread.size);
    for (const [owner, waiting] of this.#unread) {
      readAgain(waiting, share);
      if (waiting.size === 0) this.#unread.delete(owner);
    }
    if (this.#unread.size > 0) this.#beginTurn();
    else this.#state = 'resting';
  }

  #defer(owner: string, connection: Readable): void {
    const waiting = this.#unread.get(owner);
    connection.stopReading();
    if (waiting === undefined) this.#unread.set(owner, new Set([connection]));
    else waiting.add(connection);
  }

  #share(owners: number): number {
    return Math.max(1, Math.floor(this.#options.perTurn / Math.max(1, owners)));
  }
}

/** The first ones of those who wait. */
function readAgain(waiting: Set<Readable>, most: number): void {
  let left = most;
  for (const connection of waiting) {
    if (left-- === 0) return;
    waiting.delete(connection);
    connection.startReading();
  }
}
