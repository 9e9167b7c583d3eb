// What each controller of kube-controller-manager may do. Its role is `system:controller:` and the name here, bound to the service account of that name.
// Words are separated by blanks; the group core stands for the one without a name.
import { allow, type BootstrapRole } from '#controllers/bootstrap/rbac-notation.ts';

export const controllerRoles: readonly BootstrapRole[] = [
  {
    name: 'attachdetach-controller',
    rules: [
      allow('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
      allow('get list watch', 'core', 'nodes'),
      allow('patch update', 'core', 'nodes/status'),
      allow('list watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
      allow('create delete get list watch', 'storage.k8s.io', 'volumeattachments'),
      allow('get list watch', 'storage.k8s.io', 'csidrivers'),
      allow('get list watch', 'storage.k8s.io', 'csinodes'),
    ],
  },
  {
    name: 'certificate-controller',
    rules: [
      allow('delete get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
      allow('update', 'certificates.k8s.io', 'certificatesigningrequests/approval certificatesigningrequests/status'),
      allow('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet'),
      allow(
        'sign',
        'certificates.k8s.io',
        'signers',
        'kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown',
      ),
      allow('create', 'authorization.k8s.io', 'subjectaccessreviews'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'clusterrole-aggregation-controller',
    rules: [allow('escalate get list patch update watch', 'rbac.authorization.k8s.io', 'clusterroles')],
  },
  {
    name: 'cronjob-controller',
    rules: [
      allow('get list update watch', 'batch', 'cronjobs'),
      allow('create delete get list patch update watch', 'batch', 'jobs'),
      allow('update', 'batch', 'cronjobs/status'),
      allow('update', 'batch', 'cronjobs/finalizers'),
      allow('delete list watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'daemon-set-controller',
    rules: [
      allow('get list watch', 'apps extensions', 'daemonsets'),
      allow('update', 'apps extensions', 'daemonsets/status'),
      allow('update', 'apps extensions', 'daemonsets/finalizers'),
      allow('list watch', 'core', 'nodes'),
      allow('create delete list patch watch', 'core', 'pods'),
      allow('create', 'core', 'pods/binding'),
      allow('create delete get list patch update watch', 'apps', 'controllerrevisions'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'deployment-controller',
    rules: [
      allow('get list update watch', 'apps extensions', 'deployments'),
      allow('update', 'apps extensions', 'deployments/status'),
      allow('update', 'apps extensions', 'deployments/finalizers'),
      allow('create delete get list patch update watch', 'apps extensions', 'replicasets'),
      allow('get list update watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'device-taint-eviction-controller',
    rules: [
      allow('delete get list watch', 'core', 'pods'),
      allow('patch update', 'core', 'pods/status'),
      allow('get list watch', 'resource.k8s.io', 'resourceclaims'),
      allow('get list watch', 'resource.k8s.io', 'resourceslices'),
      allow('get list watch', 'resource.k8s.io', 'deviceclasses'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'disruption-controller',
    rules: [
      allow('get list watch', 'apps extensions', 'deployments'),
      allow('get list watch', 'apps extensions', 'replicasets'),
      allow('get list watch', 'core', 'replicationcontrollers'),
      allow('get list watch', 'policy', 'poddisruptionbudgets'),
      allow('get list watch', 'apps', 'statefulsets'),
      allow('update', 'policy', 'poddisruptionbudgets/status'),
      allow('patch update', 'core', 'pods/status'),
      allow('get', '*', '*/scale'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'endpoint-controller',
    rules: [
      allow('get list watch', 'core', 'pods services'),
      allow('create delete get list update watch', 'core', 'endpoints'),
      allow('create', 'core', 'endpoints/restricted'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'endpointslice-controller',
    rules: [
      allow('get list watch', 'core', 'nodes pods services'),
      allow('update', 'core', 'services/finalizers'),
      allow('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'endpointslicemirroring-controller',
    rules: [
      allow('get list watch', 'core', 'endpoints services'),
      allow('update', 'core', 'services/finalizers'),
      allow('update', 'core', 'endpoints/finalizers'),
      allow('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'ephemeral-volume-controller',
    rules: [
      allow('get list watch', 'core', 'pods'),
      allow('update', 'core', 'pods/finalizers'),
      allow('create get list watch', 'core', 'persistentvolumeclaims'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'expand-controller',
    rules: [
      allow('get list patch update watch', 'core', 'persistentvolumes'),
      allow('patch update', 'core', 'persistentvolumeclaims/status'),
      allow('get list watch', 'core', 'persistentvolumeclaims'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'generic-garbage-collector',
    rules: [allow('delete get list patch update watch', '*', '*'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'horizontal-pod-autoscaler',
    rules: [
      allow('get list watch', 'autoscaling', 'horizontalpodautoscalers'),
      allow('update', 'autoscaling', 'horizontalpodautoscalers/status'),
      allow('get update', '*', '*/scale'),
      allow('list watch', 'core', 'pods'),
      allow('list watch', 'metrics.k8s.io', 'pods'),
      allow('get list watch', 'custom.metrics.k8s.io', '*'),
      allow('get list watch', 'external.metrics.k8s.io', '*'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'job-controller',
    rules: [
      allow('get list patch update watch', 'batch', 'jobs'),
      allow('update', 'batch', 'jobs/status'),
      allow('update', 'batch', 'jobs/finalizers'),
      allow('create delete list patch watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'legacy-service-account-token-cleaner',
    rules: [allow('get', 'core', 'configmaps', 'kube-apiserver-legacy-service-account-token-tracking'), allow('delete patch', 'core', 'secrets')],
  },
  {
    name: 'namespace-controller',
    rules: [
      allow('delete get list watch', 'core', 'namespaces'),
      allow('update', 'core', 'namespaces/finalize namespaces/status'),
      allow('delete deletecollection get list watch', '*', '*'),
    ],
  },
  {
    name: 'node-controller',
    rules: [
      allow('delete get list patch update watch', 'core', 'nodes'),
      allow('patch update', 'core', 'nodes/status'),
      allow('patch update', 'core', 'pods/status'),
      allow('delete get list watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'persistent-volume-binder',
    rules: [
      allow('create delete get list update watch', 'core', 'persistentvolumes'),
      allow('update', 'core', 'persistentvolumes/status'),
      allow('get list update watch', 'core', 'persistentvolumeclaims'),
      allow('update', 'core', 'persistentvolumeclaims/status'),
      allow('create delete get list watch', 'core', 'pods'),
      allow('get list watch', 'storage.k8s.io', 'storageclasses'),
      allow('list watch', 'core', 'nodes'),
      allow('create patch update', 'core events.k8s.io', 'events'),
      allow('watch', 'core', 'events'),
    ],
  },
  {
    name: 'pod-garbage-collector',
    rules: [allow('delete list watch', 'core', 'pods'), allow('get list watch', 'core', 'nodes'), allow('patch', 'core', 'pods/status')],
  },
  {
    name: 'pv-protection-controller',
    rules: [allow('get list update watch', 'core', 'persistentvolumes'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'pvc-protection-controller',
    rules: [
      allow('get list update watch', 'core', 'persistentvolumeclaims'),
      allow('update', 'core', 'persistentvolumeclaims/status'),
      allow('get list watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'replicaset-controller',
    rules: [
      allow('get list update watch', 'apps extensions', 'replicasets'),
      allow('update', 'apps extensions', 'replicasets/status'),
      allow('update', 'apps extensions', 'replicasets/finalizers'),
      allow('create delete list patch watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'replication-controller',
    rules: [
      allow('get list update watch', 'core', 'replicationcontrollers'),
      allow('update', 'core', 'replicationcontrollers/status'),
      allow('update', 'core', 'replicationcontrollers/finalizers'),
      allow('create delete list patch watch', 'core', 'pods'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'resource-claim-controller',
    rules: [
      allow('get list watch', 'core', 'pods'),
      allow('update', 'core', 'pods/finalizers'),
      allow('create delete get list watch', 'resource.k8s.io', 'resourceclaims'),
      allow('patch update', 'resource.k8s.io', 'resourceclaims resourceclaims/status'),
      allow('patch update', 'core', 'pods/status'),
      allow('create patch update', 'core events.k8s.io', 'events'),
      allow('patch update', 'resource.k8s.io', 'resourceclaims/binding'),
    ],
  },
  {
    name: 'resourcequota-controller',
    rules: [allow('list watch', '*', '*'), allow('update', 'core', 'resourcequotas/status'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'root-ca-cert-publisher',
    rules: [allow('create update', 'core', 'configmaps'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'route-controller',
    rules: [allow('list watch', 'core', 'nodes'), allow('patch', 'core', 'nodes/status'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'selinux-warning-controller',
    rules: [
      allow('create patch update', 'core events.k8s.io', 'events'),
      allow('get list watch', 'core', 'persistentvolumes'),
      allow('get list watch', 'core', 'persistentvolumeclaims'),
      allow('get list watch', 'core', 'pods'),
      allow('get list watch', 'storage.k8s.io', 'csidrivers'),
    ],
  },
  {
    name: 'service-account-controller',
    rules: [allow('create', 'core', 'serviceaccounts'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'service-cidrs-controller',
    rules: [
      allow('get list patch update watch', 'networking.k8s.io', 'servicecidrs'),
      allow('patch update', 'networking.k8s.io', 'servicecidrs/finalizers'),
      allow('patch update', 'networking.k8s.io', 'servicecidrs/status'),
      allow('get list watch', 'networking.k8s.io', 'ipaddresses'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'service-controller',
    rules: [
      allow('get list watch', 'core', 'services'),
      allow('patch update', 'core', 'services/status'),
      allow('list watch', 'core', 'nodes'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'statefulset-controller',
    rules: [
      allow('list watch', 'core', 'pods'),
      allow('get list watch', 'apps', 'statefulsets'),
      allow('update', 'apps', 'statefulsets/status'),
      allow('update', 'apps', 'statefulsets/finalizers'),
      allow('create delete get patch update', 'core', 'pods'),
      allow('create delete get list patch update watch', 'apps', 'controllerrevisions'),
      allow('create get list watch', 'core', 'persistentvolumeclaims'),
      allow('delete update', 'core', 'persistentvolumeclaims'),
      allow('update', 'core', 'pods/finalizers'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'ttl-after-finished-controller',
    rules: [allow('delete get list watch', 'batch', 'jobs'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'ttl-controller',
    rules: [allow('list patch update watch', 'core', 'nodes'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    rules: [
      allow('get list watch', 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
      allow('get patch update', 'admissionregistration.k8s.io', 'validatingadmissionpolicies/status'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'volumeattributesclass-protection-controller',
    rules: [
      allow('get list watch', 'core', 'persistentvolumeclaims'),
      allow('get list watch', 'core', 'persistentvolumes'),
      allow('get list update watch', 'storage.k8s.io', 'volumeattributesclasses'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
];
