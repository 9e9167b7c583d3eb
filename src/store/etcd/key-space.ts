// Where the keys of the store lie in etcd: the store says `/registry/…`, the flag --etcd-prefix may say something else.
import { type KeyRange, rangeOf } from '#store/store.ts';

export interface KeySpace {
  toEtcd(key: string): string;
  fromEtcd(key: string): string;
  /** All keys of this store, as it names them. */
  readonly everything: KeyRange;
}

/** `own` and `inEtcd` end with a slash. */
export function keySpace(own: string, inEtcd: string): KeySpace {
  const everything = rangeOf(own);
  if (own === inEtcd) return { toEtcd: (key) => key, fromEtcd: (key) => key, everything };
  // The end of a range is no key: what lies behind our own prefix lies behind the other one there.
  const toEtcd = (key: string) => (key.startsWith(own) ? inEtcd + key.slice(own.length) : key >= everything.end ? rangeOf(inEtcd).end : inEtcd);
  return { toEtcd, fromEtcd: (key) => own + key.slice(inEtcd.length), everything };
}
