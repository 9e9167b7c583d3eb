/** The client that waits for an answer. Asking for the signal makes one, which costs more than most steps of a request. */
export interface Asker {
  readonly gone: boolean;
  /** Aborts when the client is gone or the time of the request is over. */
  readonly signal: AbortSignal;
  /** Calls back, once, when the signal would abort; at once when it has. Who is no longer interested calls what is returned. */
  onGone(listener: () => void): () => void;
}
