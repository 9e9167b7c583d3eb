// V8's collector, on demand: V8 gives `gc` to contexts that are made under a flag.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of the whole heap unless `minor` is asked for, and over when it returns. */
export type Collect = (options?: { readonly type: 'minor' }) => void;

export function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
