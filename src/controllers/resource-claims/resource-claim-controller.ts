// Makes claims for devices from the templates that pods name, reserves allocated ones for pods that have a node, and frees those of pods that
// are done. Keys say whether a pod or a claim is to be looked at.
import { type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/message-of.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type KeySource, keysOf, type LoopParts } from '#controllers/controller.ts';
import { ClaimUsers } from '#controllers/resource-claims/claim-users.ts';
import { claimFromTemplate, podClaimAnnotation, type StoredTemplate, wantsAdminAccess } from '#controllers/resource-claims/claim-from-template.ts';
import { freeClaim } from '#controllers/resource-claims/free-claim.ts';
import {
  claimNameOf,
  isDone,
  isOwnedBy,
  isReservedFor,
  namedClaimsOf,
  type PodClaim,
  type StoredPod,
  type StoredResourceClaim,
} from '#controllers/resource-claims/pod-claims.ts';

export interface ResourceClaimOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

const workers = 10;
const fieldManager = 'ResourceClaimController';
/** A claim can be shared by so many. */
const mostReserved = 256;

export function resourceClaims(options: ResourceClaimOptions): Controller {
  return new ResourceClaims(options).controller;
}

class ResourceClaims {
  readonly controller: Controller;
  readonly #client: RestClient;
  readonly #pods: Source<StoredPod>;
  readonly #claims: Source<StoredResourceClaim>;
  readonly #templates: Source<StoredTemplate>;
  readonly #events: CoreEventRecorder;
  readonly #created: (status: 'success' | 'failure', claim: StoredResourceClaim) => void;
  readonly #users = new ClaimUsers();
  /** Names of claims that were made for a pod, by its key: the source may not show them yet, and a second one must not be made. */
  readonly #made = new Map<string, { readonly uid: string; readonly names: Map<string, string> }>();

  constructor(options: ResourceClaimOptions) {
    const { client, sources, metrics } = options;
    this.#client = client;
    this.#pods = sources.of<StoredPod>(kinds.pods);
    this.#claims = sources.of<StoredResourceClaim>(kinds.resourceClaims);
    this.#templates = sources.of<StoredTemplate>(kinds.resourceClaimTemplates);
    this.#events = new CoreEventRecorder({ ...options, component: 'resource_claim' });
    const creates = metrics.ofLoops.counter({
      name: 'resourceclaim_controller_creates_total',
      help: 'Claims that were to be made from a template',
      labels: ['status', 'admin_access'],
    });
    this.#created = (status, claim) => void (creates.at(status, String(wantsAdminAccess(claim))).value += 1);
    metrics.ofLoops.gauge({ name: 'resourceclaim_controller_resource_claims', help: 'ResourceClaims' }, () => countClaims(this.#claims));
    const all = [
      this.#followPods(),
      keysOf(this.#claims, (item) => this.#keysOfClaim(item)),
      keysOf(this.#templates, (item) => this.#users.ofTemplate(sourceKey(item))),
    ];
    const reconcile = (key: string) => (key.startsWith('pod:') ? this.#lookAtPod(key.slice(4)) : this.#lookAtClaim(key.slice(6)));
    this.controller = controller({ ...options, name: 'resource_claim', sources: all, reconcile, workers, retry: { firstMs: 5, maxMs: 1_000_000 } });
  }

  #followPods(): KeySource {
    return (enqueue, signal) => {
      const tell = (item: SourceItem<StoredPod>, isGone: boolean) => {
        const key = sourceKey(item);
        const before = this.#users.claimsOf(key);
        const pod = !isGone && this.#users.mayUse(item) ? item.object : undefined;
        this.#users.set(key, pod);
        if (isGone) this.#made.delete(key);
        if (isGone || pod === undefined || isDone(pod))
          for (const claim of new Set([...before, ...(pod ? namedClaimsOf(pod) : [])])) enqueue(`claim:${item.namespace}/${claim}`);
        if (pod !== undefined && pod.metadata.deletionTimestamp === undefined) enqueue(`pod:${key}`);
      };
      const begin = (all: readonly SourceItem<StoredPod>[]) => {
        const here = new Set(all.map(sourceKey));
        for (const key of this.#users.pods()) {
          if (here.has(key)) continue;
          for (const claim of this.#users.claimsOf(key)) enqueue(`claim:${splitKey(key).namespace}/${claim}`);
          this.#users.set(key, undefined);
        }
        for (const item of all) tell(item, false);
      };
      return this.#pods.follow({ begin, change: (type, item) => tell(item, type === 'DELETED') }, signal);
    };
  }

  #keysOfClaim(item: SourceItem<StoredResourceClaim>): readonly string[] {
    return [`claim:${sourceKey(item)}`, ...this.#users.ofClaim(sourceKey(item))];
  }

  async #lookAtPod(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name)?.object;
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    const made = new Map<string, string>();
    for (const podClaim of pod.spec?.resourceClaims ?? []) {
      try {
        const claim = await this.#ensure(pod, podClaim);
        if (claim !== undefined) made.set(podClaim.name, claim);
      } catch (error) {
        const message = `PodResourceClaim ${podClaim.name}: ${messageOf(error)}`;
        this.#events.event(regarding(kinds.pods, pod), 'Warning', 'FailedResourceClaimCreation', message);
        throw error;
      }
    }
    if (made.size > 0) await this.#tellStatus(pod, made);
    // Until it has a node, the scheduler reserves.
    if (pod.spec?.nodeName) await this.#reserve(pod);
  }

  /** The name of the claim where the pod's status does not tell it yet. */
  async #ensure(pod: StoredPod, podClaim: PodClaim): Promise<string | undefined> {
    const { namespace = '' } = pod.metadata;
    const told = claimNameOf(pod, podClaim);
    if (told.is === 'none') return undefined;
    if (told.is === 'named') {
      const found = this.#claims.get(namespace, told.name)?.object;
      if (found !== undefined && (!told.isOwn || isOwnedBy(found, pod))) return undefined;
    }
    if (podClaim.resourceClaimTemplateName === undefined) return undefined;
    return this.#madeFor(pod, podClaim) ?? (await this.#make(pod, podClaim, podClaim.resourceClaimTemplateName));
  }

  #madeFor(pod: StoredPod, podClaim: PodClaim): string | undefined {
    const { namespace = '', name = '', uid } = pod.metadata;
    const isIt = ({ object }: SourceItem<StoredResourceClaim>) => isOwnedBy(object, pod) && object.metadata.annotations?.[podClaimAnnotation] === podClaim.name;
    const made = this.#made.get(sourceKey({ namespace, name }));
    return this.#claims.list(namespace).find(isIt)?.name ?? (made?.uid === uid ? made?.names.get(podClaim.name) : undefined);
  }

  async #make(pod: StoredPod, podClaim: PodClaim, templateName: string): Promise<string> {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    const template = this.#templates.get(namespace, templateName)?.object;
    if (template === undefined) {
      throw new Error(
        `resource claim template ${JSON.stringify(templateName)}: resourceclaimtemplate.resource.k8s.io ${JSON.stringify(templateName)} not found`,
      );
    }
    const claim = claimFromTemplate(template, pod, podClaim);
    try {
      const { metadata } = await this.#client.create(kinds.resourceClaims, namespace, claim);
      this.#created('success', claim);
      const key = sourceKey({ namespace, name });
      const known = this.#made.get(key);
      const made = known?.uid === uid ? known : { uid, names: new Map<string, string>() };
      made.names.set(podClaim.name, metadata.name ?? '');
      this.#made.set(key, made);
      return metadata.name ?? '';
    } catch (error) {
      this.#created('failure', claim);
      throw new Error(`create ResourceClaim : ${messageOf(error)}`, { cause: error });
    }
  }

  async #tellStatus({ metadata: { namespace, name } }: StoredPod, made: ReadonlyMap<string, string>): Promise<void> {
    const resourceClaimStatuses = [...made].map(([podClaim, resourceClaimName]) => ({ name: podClaim, resourceClaimName }));
    const applied = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, status: { resourceClaimStatuses } };
    await this.#client.apply(kinds.pods, applied, { fieldManager, force: true, subresource: 'status' });
  }

  async #reserve(pod: StoredPod): Promise<void> {
    const { namespace = '', name, uid } = pod.metadata;
    for (const podClaim of pod.spec?.resourceClaims ?? []) {
      const told = claimNameOf(pod, podClaim);
      // The status that was just written brings the pod here again.
      if (told.is === 'unmade') return;
      const claim = told.is === 'named' ? this.#claims.get(namespace, told.name)?.object : undefined;
      if (told.is === 'none') continue;
      if (claim === undefined) return;
      if (told.is === 'named' && told.isOwn && !isOwnedBy(claim, pod)) throw new Error(`the claim ${claim.metadata.name} was not made for the pod ${name}`);
      const reservedFor = claim.status?.reservedFor ?? [];
      if (claim.status?.allocation === undefined || isReservedFor(claim, pod) || reservedFor.length >= mostReserved) continue;
      const status = { ...claim.status, reservedFor: [...reservedFor, { resource: 'pods', name, uid }] };
      await this.#client.update(kinds.resourceClaims, { ...claim, status } as StoredResourceClaim, 'status');
    }
  }

  async #lookAtClaim(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name)?.object;
    if (claim !== undefined) await freeClaim({ client: this.#client, podNamed: (pod) => this.#pods.get(namespace, pod)?.object }, claim);
  }
}

function countClaims(claims: Source<StoredResourceClaim>) {
  const counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();
  for (const { object } of claims.list()) {
    const { annotations = {} } = object.metadata;
    const isExtended = annotations['resource.kubernetes.io/extended-resource-claim'] === 'true';
    const source = isExtended ? 'extended_resource' : annotations[podClaimAnnotation] ? 'resource_claim_template' : '';
    const labels = { allocated: String(object.status?.allocation !== undefined), admin_access: String(wantsAdminAccess(object)), source };
    const key = Object.values(labels).join();
    const entry = counts.get(key) ?? { labels, value: 0 };
    entry.value += 1;
    counts.set(key, entry);
  }
  return counts.values();
}
