// Keeps an object that has much to tell from flooding the server with Events, as client-go's EventCorrelator does: from the tenth similar
// Event on they are told as one, and beyond 25 only one every five minutes is told at all.

export interface SaidEvent {
  /** Of the object that it is about, whatever its version. */
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

export interface CorrelatedEvent {
  /** What is told again under the same key is counted on the Event that told it first. */
  readonly key: string;
  readonly message: string;
  readonly isCombined: boolean;
}

const similarBeforeCombined = 10;
const similarForMs = 600_000;
const burst = 25;
const perMs = 1 / 300_000;
/** Of objects and reasons; client-go remembers as many. */
const maxRemembered = 4_096;

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

interface Allowance {
  tokens: number;
  at: number;
}

export class EventCorrelator {
  readonly #now: () => number;
  readonly #similar = new Map<string, Similar>();
  readonly #allowances = new Map<string, Allowance>();

  /** Milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Undefined: there was too much of this object already. */
  correlate(said: SaidEvent): CorrelatedEvent | undefined {
    const correlated = this.#combine(said);
    return this.#allows(said.about) ? correlated : undefined;
  }

  #combine({ about, type, reason, message }: SaidEvent): CorrelatedEvent {
    const key = JSON.stringify([about, type, reason]);
    const now = this.#now();
    const known = this.#similar.get(key);
    const similar = known && now - known.last <= similarForMs ? known : { messages: new Set<string>(), last: now };
    similar.messages.add(message);
    similar.last = now;
    remember(this.#similar, key, similar);
    if (similar.messages.size < similarBeforeCombined) return { key: JSON.stringify([about, type, reason, message]), message, isCombined: false };
    const [first = ''] = similar.messages;
    similar.messages.delete(first);
    return { key, message: `(combined from similar events): ${message}`, isCombined: true };
  }

  #allows(about: string): boolean {
    const now = this.#now();
    const known = this.#allowances.get(about) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, known.tokens + Math.max(0, now - known.at) * perMs);
    remember(this.#allowances, about, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1;
  }
}

/** What was used longest ago is forgotten first. */
function remember<V>(known: Map<string, V>, key: string, value: V): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
}
