// A VolumeAttributesClass stays while a claim or a volume names it.
import type { KubernetesObject } from '#api/object.ts';
import { mirror, type Source, sourceKey, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, type KeySource, keysOf } from '#controllers/controller.ts';
import { keepProtected, needsProtectionWork } from '#controllers/volumes/protection-finalizer.ts';
import type { StoredClaim, StoredVolume } from '#controllers/volumes/storage-objects.ts';
import type { ProtectionOptions } from '#controllers/volumes/volume-protection-controller.ts';

const finalizer = 'kubernetes.io/vac-protection';

export function attributesClassProtection(options: ProtectionOptions): Controller {
  const { client, sources } = options;
  const classes = sources.of(kinds.volumeAttributesClasses);
  const [ofClaims, ofVolumes] = [new ClassUsers(namesOfClaim), new ClassUsers(namesOfVolume)];
  const reconcile = async (key: string) => {
    const { name } = splitKey(key);
    const stored = classes.get('', name)?.object;
    const isUsed = () => ofClaims.has(name) || ofVolumes.has(name);
    if (stored) await keepProtected(client, kinds.volumeAttributesClasses, stored, finalizer, isUsed);
  };
  const all = [
    keysOf(classes, (item) => (needsProtectionWork(item.object, finalizer) ? [sourceKey(item)] : [])),
    ofClaims.follow(sources.of<StoredClaim>(kinds.persistentVolumeClaims)),
    ofVolumes.follow(sources.of<StoredVolume>(kinds.persistentVolumes)),
  ];
  return controller({ ...options, name: 'vacprotection', sources: all, reconcile, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

function namesOfClaim({ spec, status }: StoredClaim): readonly (string | undefined)[] {
  return [spec.volumeAttributesClassName, status?.currentVolumeAttributesClassName, status?.modifyVolumeStatus?.targetVolumeAttributesClassName];
}

function namesOfVolume({ spec }: StoredVolume): readonly (string | undefined)[] {
  return [spec.volumeAttributesClassName];
}

/** How many objects name each class. Tells the classes that an object has named and names no longer. */
class ClassUsers<T extends KubernetesObject> {
  readonly #namesOf: (object: T) => readonly (string | undefined)[];
  readonly #byObject = new Map<string, ReadonlySet<string>>();
  readonly #counts = new Map<string, number>();

  constructor(namesOf: (object: T) => readonly (string | undefined)[]) {
    this.#namesOf = namesOf;
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  follow(source: Source<T>): KeySource {
    return (enqueue, signal) => {
      const tell = (names: readonly string[]) => names.forEach((name) => enqueue(sourceKey({ namespace: '', name })));
      const put = (object: T) => {
        const { namespace = '', name = '' } = object.metadata;
        tell(this.#set(sourceKey({ namespace, name }), new Set(this.#namesOf(object).filter((one) => one !== undefined && one !== '') as string[])));
      };
      const drop = (namespace: string, name: string) => tell(this.#set(sourceKey({ namespace, name }), new Set()));
      return source.follow(mirror({ put, drop }), signal);
    };
  }

  /** Returns the names that are gone. */
  #set(key: string, now: ReadonlySet<string>): readonly string[] {
    const before = this.#byObject.get(key) ?? new Set<string>();
    const gone = [...before].filter((name) => !now.has(name));
    for (const name of now) if (!before.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    for (const name of gone) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
    if (now.size > 0) this.#byObject.set(key, now);
    else this.#byObject.delete(key);
    return gone;
  }
}
