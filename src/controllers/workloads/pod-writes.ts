// Makes and deletes pods for an owner and tells it in Events of the owner, in the words of the original's PodControl.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject, ObjectMeta } from '#api/object.ts';
import { dns1123SubdomainProblems, maskTrailingDash } from '#base/formats.ts';
import { messageOf } from '#base/message-of.ts';
import { type CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { BriefObject, RestClient } from '#client/rest-client.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import type { ObjectView } from '#controllers/workloads/controlled-objects.ts';
import { controllerReference, type OwnerKind } from '#controllers/workloads/owner.ts';
import type { OwnWrites } from '#controllers/workloads/own-writes.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export interface PodWritesOptions {
  readonly client: RestClient;
  readonly kind: OwnerKind;
  readonly events: CoreEventRecorder;
}

export class PodWrites {
  readonly #options: PodWritesOptions;

  constructor(options: PodWritesOptions) {
    this.#options = options;
  }

  async create(owner: KubernetesObject, pod: object): Promise<BriefObject> {
    const { client, kind, events } = this.#options;
    const about = regarding(kind, owner);
    try {
      const made = await client.createBriefly(kinds.pods, owner.metadata.namespace ?? '', pod);
      events.event(about, 'Normal', 'SuccessfulCreate', `Created pod: ${made.metadata.name}`);
      return made;
    } catch (error) {
      if (!isNamespaceEnding(error)) events.event(about, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** False: it was gone already. A pod of the same name that is another one stays. */
  async delete(owner: KubernetesObject, { namespace, name, uid }: Pick<ObjectView, 'namespace' | 'name' | 'uid'>): Promise<boolean> {
    const { client, kind, events } = this.#options;
    const about = regarding(kind, owner);
    try {
      await client.delete(kinds.pods, namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return false;
      events.event(about, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
    }
    events.event(about, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    return true;
  }

  /** The same, and whoever counts pods waits until the deletion is heard of. */
  async deleteExpected(ownWrites: OwnWrites, key: string, owner: KubernetesObject, pod: ObjectView): Promise<void> {
    ownWrites.deleting(key, pod);
    try {
      if (!(await this.delete(owner, pod))) ownWrites.kept(key, pod);
    } catch (error) {
      ownWrites.kept(key, pod);
      throw error;
    }
  }
}

/** A pod as the template describes it, controlled by `owner`. */
export function podFromTemplate(
  kind: OwnerKind,
  owner: KubernetesObject,
  template: PodTemplateSpec,
): KubernetesObject & { readonly spec: PodTemplateSpec['spec'] } {
  const { labels, annotations, finalizers } = template.metadata as ObjectMeta;
  const metadata: ObjectMeta = {
    generateName: podNamePrefix(owner.metadata.name ?? ''),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ownerReferences: [controllerReference(kind, owner)],
  };
  return { kind: 'Pod', apiVersion: 'v1', metadata, spec: template.spec };
}

/** The dash is nicer, where the name is short enough for it. */
export function podNamePrefix(owner: string): string {
  const prefix = `${owner}-`;
  return dns1123SubdomainProblems(maskTrailingDash(prefix)).length === 0 ? prefix : owner;
}
