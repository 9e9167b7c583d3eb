// What must have happened once before the server counts as started. Each step has the name under which upstream checks it.
import { everyEndpoint, type HealthCheck } from '#server/health/health-checks.ts';

/** In the order in which the checks are listed. */
export const postStartHookNames = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-kube-apiserver-coordinated-leader-election-controller',
  'peer-endpoint-reconciler-controller',
  'mixed-version-proxy-handler',
  'local-discovery-cache-sync',
  'peer-discovery-workers',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'aggregator-reload-proxy-client-cert',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
] as const;

export type PostStartHookName = (typeof postStartHookNames)[number];

export class PostStartHooks {
  readonly #names: readonly PostStartHookName[];
  readonly #finished = new Set<PostStartHookName>();

  /** `without`: steps that this configuration does not have. */
  constructor({ without = [] }: { readonly without?: readonly PostStartHookName[] } = {}) {
    this.#names = postStartHookNames.filter((name) => !without.includes(name));
  }

  finish(...names: readonly PostStartHookName[]): void {
    for (const name of names) this.#finished.add(name);
  }

  get unfinished(): readonly PostStartHookName[] {
    return this.#names.filter((name) => !this.#finished.has(name));
  }

  /** `autoregistered` is a check of its own, listed after the hook that it belongs to. */
  checks(autoregistered: HealthCheck['problem']): readonly HealthCheck[] {
    return this.#names.flatMap((name) => {
      const hook = { name: `poststarthook/${name}`, endpoints: everyEndpoint, problem: () => (this.#finished.has(name) ? undefined : 'not finished') };
      return name === 'kube-apiserver-autoregistration'
        ? [hook, { name: 'autoregister-completion', endpoints: everyEndpoint, problem: autoregistered }]
        : [hook];
    });
  }
}
