/** A promise only where something has to be waited for: most of what a request reads is in memory. */
export type MaybePromise<T> = T | Promise<T>;
