// Field management converts objects in its midst, to the versions in which owners have written. Where such a conversion has to be waited for,
// the work is broken off and begun again with its result: everything else stays as simple, and as fast, as if nothing ever waited.
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { ApplyFailure, type ConvertObject } from '#patch/apply/versions.ts';

type Converted = ReturnType<ConvertObject>;

/** No object has owners in more versions than a client may make it wait for. */
const mostConversions = 64;

/** `work` must do the same each time it runs and change nothing that it was given. */
export function converting<T>(
  convert: (object: KubernetesObject, apiVersion: string) => MaybePromise<Converted>,
  work: (convert: ConvertObject) => MaybePromise<T>,
): MaybePromise<T> {
  let known: Map<string, () => Converted> | undefined;
  const convertOrSuspend: ConvertObject = (object, apiVersion) => {
    const remembered = known?.get(keyOf(object, apiVersion));
    if (remembered) return remembered();
    const made = convert(object, apiVersion);
    if (made instanceof Promise) throw new Suspended(keyOf(object, apiVersion), made);
    return made;
  };
  const attempt = (): MaybePromise<T> => {
    try {
      const working = work(convertOrSuspend);
      return working instanceof Promise ? working.catch(resume) : working;
    } catch (error) {
      return resume(error);
    }
  };
  const resume = (error: unknown): MaybePromise<T> => {
    if (!(error instanceof Suspended)) throw error;
    if (known && known.size >= mostConversions) throw new Error('an object has owners in too many versions', { cause: error });
    return error.made.then(
      (made) => remember(error.key, () => made),
      (failure: unknown) => remember(error.key, () => refuse(failure)),
    );
  };
  const remember = (key: string, result: () => Converted): MaybePromise<T> => {
    known ??= new Map();
    known.set(key, result);
    return attempt();
  };
  return attempt();
}

/** Thrown through the work and caught by `converting` alone. */
class Suspended extends Error {
  override readonly name = 'Suspended';
  readonly key: string;
  readonly made: Promise<Converted>;

  constructor(key: string, made: Promise<Converted>) {
    super('a conversion has to be waited for');
    this.key = key;
    this.made = made;
  }
}

function refuse(failure: unknown): never {
  throw new ApplyFailure(failure instanceof Error ? failure.message : String(failure));
}

/** Each run makes its objects anew. */
function keyOf(object: KubernetesObject, apiVersion: string): string {
  return `${apiVersion} ${JSON.stringify(object, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`;
}
