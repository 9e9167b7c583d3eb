/** Lets the event loop do what is waiting: for loops that would otherwise run for long. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
