// What became of one attempt to write: the write loop settles it, plugins and strategies that did work outside of the object hear it once.
import type { OnOutcome } from '#resource/strategy.ts';

export class Outcome {
  #listeners: OnOutcome[] | undefined;

  /** A function of its own, so that it can be handed to plugins. */
  readonly listen = (listener: OnOutcome): void => {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  };

  settle(committed: boolean): Promise<void> | void {
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners !== undefined) return tellAll(listeners, committed);
  }
}

/** One after the other; waits only for those that have something to do. */
function tellAll(listeners: readonly OnOutcome[], committed: boolean, first = 0): Promise<void> | void {
  for (let index = first; index < listeners.length; index++) {
    const pending = listeners[index]?.(committed);
    if (pending) return pending.then(() => tellAll(listeners, committed, index + 1));
  }
}
