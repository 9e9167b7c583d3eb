// The webhooks of all configurations in the order in which they are asked: configurations by name, webhooks as they stand there. Read from the watch
// cache with every request, so that a configuration counts for the write that follows its own; worked out anew only after a change.
import type { AdmissionRequest } from '#admission/admission.ts';
import { type Exemptions, RuleTable } from '#admission/matching/rule-table.ts';
import { isExemptFromWebhooks } from '#admission/matching/rule.ts';
import type { Webhook } from '#admission/webhooks/webhook.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

export type WebhookTable = RuleTable<Webhook>;

interface Known {
  readonly resourceVersion: string;
  readonly webhooks: readonly Webhook[];
}

const none: readonly KubernetesObject[] = [];

export interface WebhookSourceOptions {
  readonly resource: GroupResource;
  readonly make: (configuration: KubernetesObject, isStatic: boolean) => readonly Webhook[];
  /** Configurations of manifests are asked first, by name. */
  readonly manifests?: (() => readonly KubernetesObject[]) | undefined;
}

export class WebhookSource {
  readonly #resource: GroupResource;
  readonly #make: (configuration: KubernetesObject, isStatic: boolean) => readonly Webhook[];
  /** Those of manifests; another list after a change. */
  readonly #static: () => readonly KubernetesObject[];
  #staticMade: { readonly from: readonly KubernetesObject[]; readonly webhooks: readonly Webhook[] } = { from: [], webhooks: [] };
  #table: WebhookTable = new RuleTable<Webhook>([], exemptions);
  #changedAt: number | undefined;
  /** By name of the configuration: expressions are compiled once, and connections stay. */
  #known: ReadonlyMap<string, Known> = new Map();
  #served = { revision: -1, is: false };

  constructor({ resource, make, manifests = () => none }: WebhookSourceOptions) {
    this.#resource = resource;
    this.#make = make;
    this.#static = manifests;
  }

  current({ lister, catalog }: Pick<AdmissionRequest, 'lister' | 'catalog'>): MaybePromise<WebhookTable> {
    if (!this.#isServed(catalog)) return this.#hasSameManifests ? this.#table : this.#renew(0, []);
    return andThen(lister.changedAt(this.#resource), (changedAt) => {
      if (changedAt === this.#changedAt && this.#hasSameManifests) return this.#table;
      return andThen(lister.list(this.#resource), (configurations) => this.#renew(changedAt, configurations));
    });
  }

  get #hasSameManifests(): boolean {
    return this.#staticMade.from === this.#static();
  }

  /** --runtime-config may have turned the whole group off. */
  #isServed(catalog: ResourceCatalog): boolean {
    const { revision } = catalog;
    const { group, resource } = this.#resource;
    if (this.#served.revision !== revision) this.#served = { revision, is: catalog.versionsOf(group, resource).length > 0 };
    return this.#served.is;
  }

  #renew(changedAt: number, configurations: readonly KubernetesObject[]): WebhookTable {
    const known = new Map<string, Known>();
    for (const configuration of configurations.toSorted(byName)) {
      const { name = '', resourceVersion = '' } = configuration.metadata;
      const before = this.#known.get(name);
      known.set(name, before?.resourceVersion === resourceVersion ? before : { resourceVersion, webhooks: this.#make(configuration, false) });
    }
    const from = this.#static();
    if (!this.#hasSameManifests) this.#staticMade = { from, webhooks: from.flatMap((configuration) => this.#make(configuration, true)) };
    this.#known = known;
    this.#changedAt = changedAt;
    this.#table = new RuleTable([...this.#staticMade.webhooks, ...[...known.values()].flatMap(({ webhooks }) => webhooks)], exemptions);
    return this.#table;
  }
}

const exemptions: Exemptions = { isExempt: isExemptFromWebhooks };

function byName({ metadata: { name: a = '' } }: KubernetesObject, { metadata: { name: b = '' } }: KubernetesObject): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
