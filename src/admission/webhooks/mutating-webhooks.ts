// MutatingAdmissionWebhook: webhooks are asked one after the other, each about what those before it have made of the object.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import type { AdmissionResponse } from '#admission/webhooks/admission-review.ts';
import { type Asked, type Asking, askObserved } from '#admission/webhooks/observed-answer.ts';
import { type Patched, patchedObject } from '#admission/webhooks/patched-object.ts';
import { ReinvocationNotes } from '#admission/webhooks/reinvocation-notes.ts';
import { shouldAsk } from '#admission/webhooks/should-ask.ts';
import { VersionedRequest } from '#admission/webhooks/versioned-request.ts';
import type { Webhook } from '#admission/webhooks/webhook.ts';
import type { WebhookSource, WebhookTable } from '#admission/webhooks/webhook-source.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import { BrokenManagedFields, decodeManagedFields } from '#patch/apply/managed-fields.ts';
import { toHub } from '#resource/conversion.ts';
import { equal } from '#schema/equal.ts';
import { stringify } from '#schema/json/json-text.ts';

const domain = 'webhook.admission.k8s.io/';

export function mutatingWebhooks(source: WebhookSource, asking: Omit<Asking, 'type'>): AdmissionPlugin {
  const mutating: Asking = { ...asking, type: 'admit' };
  return {
    name: 'MutatingAdmissionWebhook',
    mutate: (request) =>
      andThen(source.current(request), (table) => {
        const candidates = table.candidates(request, request.catalog);
        return candidates.length === 0 ? undefined : new Mutation(request, table, mutating).run(candidates);
      }),
  };
}

/** One pass over the webhooks that one request concerns. */
class Mutation {
  readonly #table: WebhookTable;
  readonly #asking: Asking;
  readonly #notes: ReinvocationNotes;
  readonly #managedFields: readonly ManagedFieldsEntry[] | undefined;
  /** The request with the object as it is now. */
  #versions: VersionedRequest;

  constructor(request: AdmissionRequest, table: WebhookTable, asking: Asking) {
    this.#versions = new VersionedRequest(request);
    this.#table = table;
    this.#asking = asking;
    this.#notes = ReinvocationNotes.of(request.reinvocation);
    this.#managedFields = request.object?.metadata?.managedFields;
  }

  get #request(): AdmissionRequest {
    return this.#versions.request;
  }

  async run(candidates: readonly Candidate<Webhook>[]): Promise<KubernetesObject | undefined> {
    const { object, reinvocation } = this.#request;
    if (reinvocation.isSecondPass && this.#notes.isChanged(object)) this.#notes.askAgain();
    for (const candidate of candidates) await this.#askOne(candidate);
    this.#notes.remember(this.#request.object);
    return this.#request.object === object ? undefined : this.#withReadableOwners();
  }

  /** A webhook that was not asked in the first pass is not asked in the second. */
  async #askOne(candidate: Candidate<Webhook>): Promise<void> {
    const { entry: webhook, definition } = candidate;
    if (!(await shouldAsk(candidate, this.#versions, this.#asking))) return;
    const { reinvocation } = this.#request;
    if (reinvocation.isSecondPass && !this.#notes.isDue(webhook.uid)) return;
    const request = this.#request;
    const key = `round_${reinvocation.isSecondPass ? 1 : 0}_index_${this.#table.entries.indexOf(webhook)}`;
    const asked = { webhook, request, versioned: await this.#versions.at(definition), failedOpenKey: `failed-open.mutation.${domain}${key}` };
    let changed = false;
    try {
      changed = (await askObserved(asked, this.#asking, (response) => this.#apply(asked, response, key))) ?? false;
    } finally {
      request.annotate(`mutation.${domain}${key}`, stringify({ configuration: webhook.configuration, webhook: webhook.name, mutated: changed }));
    }
    if (changed) {
      this.#notes.askAgain();
      reinvocation.needed = true;
    }
    if (webhook.isReinvocable) this.#notes.wasAsked(webhook.uid);
  }

  /** Whether anything is different now. */
  async #apply({ webhook, versioned, request }: Asked, response: AdmissionResponse, key: string): Promise<boolean> {
    const patched = patchedObject(webhook, response, versioned, request);
    if (patched === undefined) return false;
    const told = { configuration: webhook.configuration, webhook: webhook.name, patch: patched.operations, patchType: 'JSONPatch' };
    request.annotate(`patch.${domain}${key}`, stringify(told), 'Request');
    const changed = !equal(versioned.object, patched.object);
    this.#versions = new VersionedRequest({ ...request, object: await this.#stored(patched) });
    return changed;
  }

  async #stored({ definition, object }: Patched): Promise<KubernetesObject> {
    return this.#request.schema === undefined ? toHub(this.#request.catalog, definition, object) : object;
  }

  /** Owners that no longer can be read are replaced by those before the webhooks, as upstream's ManagedFieldsValidatingAdmissionController does. */
  #withReadableOwners(): KubernetesObject | undefined {
    const { object, warn } = this.#request;
    try {
      decodeManagedFields(object?.metadata?.managedFields);
      return object;
    } catch (error) {
      if (!(error instanceof BrokenManagedFields) || object === undefined) throw error;
      warn(`${brokenOwners}: ${error.message}`);
      const { managedFields: _, ...metadata } = object.metadata;
      return { ...object, metadata: this.#managedFields === undefined ? metadata : { ...metadata, managedFields: [...this.#managedFields] } };
    }
  }
}

const brokenOwners =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests';
