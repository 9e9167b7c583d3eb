// Which of upstream's post-start hooks each step of our start does the work of. A hook counts as finished when that step is,
// not before: /readyz names those that are not.
import type { PostStartHookName } from '#server/health/post-start-hooks.ts';

export const startStages = {
  /** The store is open, the kinds and the admission plugins are known, requests can come. */
  serving: [
    'start-apiserver-admission-initializer',
    'storage-object-count-tracker-hook',
    'storage-readiness',
    'peer-endpoint-reconciler-controller',
    'aggregator-reload-proxy-client-cert',
  ],
  /** Stored definitions are judged, and the kinds of those that are established are served. */
  customResources: ['start-apiextensions-informers', 'start-apiextensions-controllers', 'crd-informer-synced'],
  /** The group-versions that are served here have their APIServices. */
  registration: ['kube-apiserver-autoregistration'],
  /** What authentication and authorization look at is followed. */
  access: ['generic-apiserver-start-informers'],
  flowControl: ['priority-and-fairness-config-consumer', 'priority-and-fairness-filter'],
  /** Addresses of services are counted, the server's own service is there. */
  services: ['start-service-ip-repair-controllers', 'bootstrap-controller', 'start-kubernetes-service-cidr-controller'],
  /** APIServices are followed: requests are passed on to the servers behind them. */
  apiServices: [
    'start-kube-apiserver-identity-lease-garbage-collector',
    'start-kube-aggregator-informers',
    'apiservice-registration-controller',
    'apiservice-openapi-controller',
    'apiservice-openapiv3-controller',
  ],
  /** Where leader election is coordinated, this server stands for writing who leads. */
  elections: ['start-kube-apiserver-coordinated-leader-election-controller'],
  /** The other servers of this cluster were asked once for what they serve. */
  peers: ['mixed-version-proxy-handler', 'local-discovery-cache-sync', 'peer-discovery-workers'],
  /** What is said of the availability of APIServices is true. */
  availability: ['apiservice-status-local-available-controller', 'apiservice-status-remote-available-controller'],
  /** Every extension server was asked once for what it serves. */
  discovery: ['apiservice-discovery-controller'],
} as const satisfies Readonly<Record<string, readonly PostStartHookName[]>>;
