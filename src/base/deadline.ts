/**
 * A signal that aborts with `parent` or after `milliseconds`, whichever comes first.
 * By hand because on Node 20 a signal made by AbortSignal.any of a timeout can be collected before it fires.
 */
export function deadline(parent: AbortSignal, milliseconds: number): { readonly signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  const abort = () => {
    cancel();
    controller.abort(parent.reason);
  };
  const timer = setTimeout(abort, Math.min(milliseconds, maxTimerMs));
  const cancel = () => {
    clearTimeout(timer);
    parent.removeEventListener('abort', abort);
  };
  if (parent.aborted) abort();
  else parent.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, cancel };
}

/** Longer timers fire at once. */
export const maxTimerMs = 2 ** 31 - 1;
