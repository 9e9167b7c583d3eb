// The controllers of kube-controller-manager by the names that --controllers takes there, with the aliases they had before v1.27; and the
// scheduler, which is a program of its own there.
const aliasesOf = {
  'bootstrap-signer-controller': 'bootstrapsigner',
  'certificatesigningrequest-approving-controller': 'csrapproving',
  'certificatesigningrequest-cleaner-controller': 'csrcleaner',
  'certificatesigningrequest-signing-controller': 'csrsigning',
  'cloud-node-lifecycle-controller': 'cloud-node-lifecycle',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation',
  'cronjob-controller': 'cronjob',
  'daemonset-controller': 'daemonset',
  'deployment-controller': 'deployment',
  'device-taint-eviction-controller': undefined,
  'disruption-controller': 'disruption',
  'endpoints-controller': 'endpoint',
  'endpointslice-controller': 'endpointslice',
  'endpointslice-mirroring-controller': 'endpointslicemirroring',
  'ephemeral-volume-controller': 'ephemeral-volume',
  'garbage-collector-controller': 'garbagecollector',
  'horizontal-pod-autoscaler-controller': 'horizontalpodautoscaling',
  'job-controller': 'job',
  'kube-apiserver-serving-clustertrustbundle-publisher-controller': undefined,
  'legacy-serviceaccount-token-cleaner-controller': 'legacy-service-account-token-cleaner',
  'namespace-controller': 'namespace',
  'node-ipam-controller': 'nodeipam',
  'node-lifecycle-controller': 'nodelifecycle',
  'node-route-controller': 'route',
  'persistentvolume-attach-detach-controller': 'attachdetach',
  'persistentvolume-binder-controller': 'persistentvolume-binder',
  'persistentvolume-expander-controller': 'persistentvolume-expander',
  'persistentvolume-protection-controller': 'pv-protection',
  'persistentvolumeclaim-protection-controller': 'pvc-protection',
  'pod-garbage-collector-controller': 'podgc',
  'podcertificaterequest-cleaner-controller': undefined,
  'podgroup-protection-controller': undefined,
  'replicaset-controller': 'replicaset',
  'replicationcontroller-controller': 'replicationcontroller',
  'resourceclaim-controller': 'resource-claim-controller',
  'resourcepoolstatusrequest-controller': undefined,
  'resourcequota-controller': 'resourcequota',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  scheduler: 'kube-scheduler',
  'selinux-warning-controller': undefined,
  'service-cidr-controller': undefined,
  'service-lb-controller': 'service',
  'serviceaccount-controller': 'serviceaccount',
  'serviceaccount-token-controller': 'serviceaccount-token',
  'statefulset-controller': 'statefulset',
  'storage-version-migrator-controller': 'svm',
  'storageversion-garbage-collector-controller': 'storage-version-gc',
  'taint-eviction-controller': undefined,
  'token-cleaner-controller': 'tokencleaner',
  'ttl-after-finished-controller': 'ttl-after-finished',
  'ttl-controller': 'ttl',
  'validatingadmissionpolicy-status-controller': undefined,
  'volumeattributesclass-protection-controller': undefined,
} as const;

export type ControllerName = keyof typeof aliasesOf;

const byAlias = new Map(
  Object.entries(aliasesOf).flatMap(([name, alias]) => (alias === undefined ? [] : [[alias as string, name as ControllerName] as const])),
);

/** By its name or its alias. */
export function controllerNamed(name: string): ControllerName | undefined {
  return byAlias.get(name) ?? (Object.hasOwn(aliasesOf, name) ? (name as ControllerName) : undefined);
}

/** What a choice of --controllers is about: `name` or `-name`. */
export function controllerChosen(choice: string): ControllerName | undefined {
  return controllerNamed(withoutSign(choice));
}

/** Why a list of --controllers is refused, in the words of the original; undefined: it is not. */
export function unknownController(chosen: readonly string[]): string | undefined {
  const unknown = chosen.find((choice) => choice !== '*' && controllerChosen(choice) === undefined);
  return unknown === undefined ? undefined : `${JSON.stringify(withoutSign(unknown))} is not in the list of known controllers`;
}

function withoutSign(choice: string): string {
  return choice.startsWith('-') ? choice.slice(1) : choice;
}
