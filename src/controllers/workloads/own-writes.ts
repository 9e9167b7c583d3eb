// What a controller has written and has not heard of yet. A controller that counted before it has heard of its own writes would make a pod
// twice: it waits until its view has reached the last of them. No time limit makes it forget; a write that is not heard of for long is
// looked up on the server.
import type { KubernetesObject } from '#api/object.ts';
import type { BriefObject, ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { ObjectView } from '#controllers/workloads/controlled-objects.ts';

/** What has been heard so far: ControlledObjects. */
export interface HeardView {
  readonly revision: number;
  get(namespace: string, name: string): ObjectView | undefined;
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

interface Unheard {
  /** Of the last write, other than a deletion, that must be heard. */
  revision: number;
  last: Place | undefined;
  /** Objects that were told to go, by uid. */
  readonly deleted: Map<string, Place>;
  /** When the first of these writes was made, in milliseconds. */
  readonly since: number;
}

export interface OwnWritesOptions {
  readonly client: RestClient;
  /** Of what is written. */
  readonly resource: ResourceAddress;
  readonly view: HeardView;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A write that is not heard of for so long is looked up. */
export const unheardPatienceMs = 10_000;

export class OwnWrites {
  readonly #options: OwnWritesOptions;
  readonly #unheard = new Map<string, Unheard>();

  constructor(options: OwnWritesOptions) {
    this.#options = options;
  }

  /** `owner`: the key of the object for which was written. */
  wrote(owner: string, { metadata: { resourceVersion, namespace = '', name = '' } }: BriefObject): void {
    const unheard = this.#of(owner);
    const revision = Number(resourceVersion);
    if (revision > unheard.revision) Object.assign(unheard, { revision, last: { namespace, name } });
  }

  /** Before the deletion is asked for; `kept` when it was refused. */
  deleting(owner: string, { uid, namespace, name }: ObjectView): void {
    this.#of(owner).deleted.set(uid, { namespace, name });
  }

  kept(owner: string, { uid }: ObjectView): void {
    this.#unheard.get(owner)?.deleted.delete(uid);
  }

  forget(owner: string): void {
    this.#unheard.delete(owner);
  }

  /** True: the view has everything that was written for this owner. Otherwise the change that is waited for brings the owner here again. */
  async areHeard(owner: string): Promise<boolean> {
    const unheard = this.#unheard.get(owner);
    if (unheard === undefined) return true;
    if (this.#hasReached(unheard)) return this.#unheard.delete(owner);
    if (this.#options.now() - unheard.since < unheardPatienceMs) return false;
    await this.#lookUp(unheard);
    return this.#hasReached(unheard) && this.#unheard.delete(owner);
  }

  #hasReached({ deleted, revision }: Unheard): boolean {
    for (const [uid, place] of deleted) if (this.#isHeardDeleted(uid, place)) deleted.delete(uid);
    return deleted.size === 0 && revision <= this.#options.view.revision;
  }

  /** What the server no longer has will never be heard of. */
  async #lookUp(unheard: Unheard): Promise<void> {
    for (const [uid, place] of unheard.deleted) if ((await this.#uidOf(place)) !== uid) unheard.deleted.delete(uid);
    if (unheard.last !== undefined && (await this.#uidOf(unheard.last)) === undefined) unheard.revision = 0;
  }

  #of(owner: string): Unheard {
    const known = this.#unheard.get(owner) ?? { revision: 0, last: undefined, deleted: new Map<string, Place>(), since: this.#options.now() };
    this.#unheard.set(owner, known);
    return known;
  }

  #isHeardDeleted(uid: string, { namespace, name }: Place): boolean {
    const view = this.#options.view.get(namespace, name);
    return view === undefined || view.uid !== uid || view.isDeleting;
  }

  async #uidOf({ namespace, name }: Place): Promise<string | undefined> {
    const { client, resource } = this.#options;
    return (await client.find<KubernetesObject>(resource, namespace, name))?.metadata.uid;
  }
}
