// One operation whose cost is measured, of one server or of two in turns.
import { concurrently } from './reading.ts';
import type { Ask, Target } from './target.ts';

export interface Cell {
  readonly name: string;
  /**
   * Of one turn, which takes some tenths of a second to one and a half: long enough for several collections of garbage, which are part of the cost, short
   * enough that the other server's turn meets the same machine.
   */
  readonly operations: number;
  /** V8 needs so many of them to be as fast as it gets. */
  readonly warmUp: number;
  /** How much of the reference's CPU they may cost. */
  readonly bar?: number;
  /** What its turns need of a server: opened before the first, closed behind the last, and not measured. */
  readonly open?: (target: Target) => Promise<Disposable>;
  /** Says how many milliseconds each operation took. */
  readonly turn: (target: Target, operations: number) => Promise<readonly number[]>;
}

/** So many workers do all operations, each one after the other; how long each took, in ms. */
export async function timed(workers: number, operations: number, one: (i: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  await concurrently(workers, operations, async (i) => {
    const began = performance.now();
    await one(i);
    times.push(performance.now() - began);
  });
  return times;
}

export async function succeed(target: Target, ask: Ask): Promise<void> {
  const { code, body } = await target.ask(ask);
  if (code >= 300) throw new Error(`${target.name}: ${ask.method ?? 'GET'} ${ask.path}: ${code} ${body.toString().slice(0, 500)}`);
}
