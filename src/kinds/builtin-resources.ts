// Every resource the server knows, in the order of discovery. A new kind adds its line here.
import { mutatingadmissionpolicies } from '#kinds/admissionregistration/v1/mutating-admission-policy-resource.ts';
import { validatingadmissionpolicies } from '#kinds/admissionregistration/v1/validating-admission-policy-resource.ts';
import { mutatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding-resource.ts';
import { mutatingwebhookconfigurations } from '#kinds/admissionregistration/v1/mutating-webhook-configuration-resource.ts';
import { validatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/validating-admission-policy-binding-resource.ts';
import { validatingwebhookconfigurations } from '#kinds/admissionregistration/v1/validating-webhook-configuration-resource.ts';
import { mutatingadmissionpolicies as mutatingadmissionpoliciesAdmissionregistrationV1alpha1 } from '#kinds/admissionregistration/v1alpha1/mutating-admission-policy-resource.ts';
import { mutatingadmissionpolicybindings as mutatingadmissionpolicybindingsAdmissionregistrationV1alpha1 } from '#kinds/admissionregistration/v1alpha1/mutating-admission-policy-binding-resource.ts';
import { mutatingadmissionpolicies as mutatingadmissionpoliciesAdmissionregistrationV1beta1 } from '#kinds/admissionregistration/v1beta1/mutating-admission-policy-resource.ts';
import { mutatingadmissionpolicybindings as mutatingadmissionpolicybindingsAdmissionregistrationV1beta1 } from '#kinds/admissionregistration/v1beta1/mutating-admission-policy-binding-resource.ts';
import { storageversions } from '#kinds/apiserverinternal/v1alpha1/storage-version-resource.ts';
import { controllerrevisions } from '#kinds/apps/v1/controller-revision-resource.ts';
import { daemonsets } from '#kinds/apps/v1/daemon-set-resource.ts';
import { deployments } from '#kinds/apps/v1/deployment-resource.ts';
import { replicasets } from '#kinds/apps/v1/replica-set-resource.ts';
import { statefulsets } from '#kinds/apps/v1/stateful-set-resource.ts';
import { persistentvolumeclaims } from '#kinds/core/v1/volume/persistent-volume-claim-resource.ts';
import { selfsubjectreviews } from '#kinds/authentication/v1/self-subject-review-resource.ts';
import { tokenreviews } from '#kinds/authentication/v1/token-review-resource.ts';
import { subjectaccessreviews } from '#kinds/authorization/v1/subject-access-review-resource.ts';
import { localsubjectaccessreviews } from '#kinds/authorization/v1/local-subject-access-review-resource.ts';
import { selfsubjectrulesreviews } from '#kinds/authorization/v1/self-subject-rules-review-resource.ts';
import { selfsubjectaccessreviews } from '#kinds/authorization/v1/self-subject-access-review-resource.ts';
import { horizontalpodautoscalers } from '#kinds/autoscaling/v1/horizontal-pod-autoscaler-resource.ts';
import { horizontalpodautoscalers as horizontalpodautoscalersAutoscalingV2 } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-resource.ts';
import { cronjobs } from '#kinds/batch/v1/cron-job-resource.ts';
import { jobs } from '#kinds/batch/v1/job-resource.ts';
import { certificatesigningrequests } from '#kinds/certificates/v1/certificate-signing-request-resource.ts';
import { clustertrustbundles } from '#kinds/certificates/v1alpha1/cluster-trust-bundle-resource.ts';
import { clustertrustbundles as clustertrustbundlesCertificatesV1beta1 } from '#kinds/certificates/v1beta1/cluster-trust-bundle-resource.ts';
import { podcertificaterequests } from '#kinds/certificates/v1beta1/pod-certificate-request-resource.ts';
import { leases } from '#kinds/coordination/v1/lease-resource.ts';
import { leasecandidates } from '#kinds/coordination/v1alpha2/lease-candidate-resource.ts';
import { leasecandidates as leasecandidatesCoordinationV1beta1 } from '#kinds/coordination/v1beta1/lease-candidate-resource.ts';
import { nodes } from '#kinds/core/v1/node/node-resource.ts';
import { bindings } from '#kinds/core/v1/pod/binding-resource.ts';
import { services } from '#kinds/core/v1/service/service-resource.ts';
import { componentstatuses } from '#kinds/core/v1/component-status-resource.ts';
import { configmaps } from '#kinds/core/v1/config-map-resource.ts';
import { endpoints } from '#kinds/core/v1/service/endpoints-resource.ts';
import { events } from '#kinds/core/v1/event-resource.ts';
import { limitranges } from '#kinds/core/v1/limit-range-resource.ts';
import { namespaces } from '#kinds/core/v1/namespace-resource.ts';
import { persistentvolumes } from '#kinds/core/v1/volume/persistent-volume-resource.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { podtemplates } from '#kinds/core/v1/pod/pod-template-resource.ts';
import { replicationcontrollers } from '#kinds/core/v1/replication-controller-resource.ts';
import { resourcequotas } from '#kinds/core/v1/resource-quota-resource.ts';
import { secrets } from '#kinds/core/v1/secret-resource.ts';
import { serviceaccounts } from '#kinds/core/v1/service-account-resource.ts';
import { endpointslices } from '#kinds/discovery/v1/endpoint-slice-resource.ts';
import { events as eventsEventsV1 } from '#kinds/events/v1/event-resource.ts';
import { prioritylevelconfigurations } from '#kinds/flowcontrol/v1/priority-level-configuration-resource.ts';
import { flowschemas } from '#kinds/flowcontrol/v1/flow-schema-resource.ts';
import { ingresses } from '#kinds/networking/v1/ingress-resource.ts';
import { ipaddresses } from '#kinds/networking/v1/ip-address-resource.ts';
import { networkpolicies } from '#kinds/networking/v1/network-policy-resource.ts';
import { ingressclasses } from '#kinds/networking/v1/ingress-class-resource.ts';
import { servicecidrs } from '#kinds/networking/v1/service-cidr-resource.ts';
import { ipaddresses as ipaddressesNetworkingV1beta1 } from '#kinds/networking/v1beta1/ip-address-resource.ts';
import { servicecidrs as servicecidrsNetworkingV1beta1 } from '#kinds/networking/v1beta1/service-cidr-resource.ts';
import { runtimeclasses } from '#kinds/node/v1/runtime-class-resource.ts';
import { poddisruptionbudgets } from '#kinds/policy/v1/pod-disruption-budget-resource.ts';
import { clusterroles } from '#kinds/rbac/v1/cluster-role-resource.ts';
import { roles } from '#kinds/rbac/v1/role-resource.ts';
import { clusterrolebindings } from '#kinds/rbac/v1/cluster-role-binding-resource.ts';
import { rolebindings } from '#kinds/rbac/v1/role-binding-resource.ts';
import { resourceclaims } from '#kinds/resource/v1/resource-claim-resource.ts';
import { resourceslices } from '#kinds/resource/v1/resource-slice-resource.ts';
import { deviceclasses } from '#kinds/resource/v1/device-class-resource.ts';
import { resourceclaimtemplates } from '#kinds/resource/v1/resource-claim-template-resource.ts';
import { devicetaintrules } from '#kinds/resource/v1alpha3/device-taint-rule-resource.ts';
import { resourcepoolstatusrequests } from '#kinds/resource/v1alpha3/resource-pool-status-request-resource.ts';
import { resourceclaims as resourceclaimsResourceV1beta1 } from '#kinds/resource/v1beta1/resource-claim-resource.ts';
import { resourceslices as resourceslicesResourceV1beta1 } from '#kinds/resource/v1beta1/resource-slice-resource.ts';
import { deviceclasses as deviceclassesResourceV1beta1 } from '#kinds/resource/v1beta1/device-class-resource.ts';
import { resourceclaimtemplates as resourceclaimtemplatesResourceV1beta1 } from '#kinds/resource/v1beta1/resource-claim-template-resource.ts';
import { resourceclaims as resourceclaimsResourceV1beta2 } from '#kinds/resource/v1beta2/resource-claim-resource.ts';
import { resourceslices as resourceslicesResourceV1beta2 } from '#kinds/resource/v1beta2/resource-slice-resource.ts';
import { deviceclasses as deviceclassesResourceV1beta2 } from '#kinds/resource/v1beta2/device-class-resource.ts';
import { devicetaintrules as devicetaintrulesResourceV1beta2 } from '#kinds/resource/v1beta2/device-taint-rule-resource.ts';
import { resourceclaimtemplates as resourceclaimtemplatesResourceV1beta2 } from '#kinds/resource/v1beta2/resource-claim-template-resource.ts';
import { priorityclasses } from '#kinds/scheduling/v1/priority-class-resource.ts';
import { podgroups } from '#kinds/scheduling/v1alpha2/pod-group-resource.ts';
import { workloads } from '#kinds/scheduling/v1alpha2/workload-resource.ts';
import { csidrivers } from '#kinds/storage/v1/csi-driver-resource.ts';
import { csinodes } from '#kinds/storage/v1/csi-node-resource.ts';
import { csistoragecapacities } from '#kinds/storage/v1/csi-storage-capacity-resource.ts';
import { storageclasses } from '#kinds/storage/v1/storage-class-resource.ts';
import { volumeattachments } from '#kinds/storage/v1/volume-attachment-resource.ts';
import { volumeattributesclasses } from '#kinds/storage/v1/volume-attributes-class-resource.ts';
import { volumeattributesclasses as volumeattributesclassesStorageV1beta1 } from '#kinds/storage/v1beta1/volume-attributes-class-resource.ts';
import { storageversionmigrations } from '#kinds/storagemigration/v1beta1/storage-version-migration-resource.ts';
import { customresourcedefinitions } from '#kinds/apiextensions/v1/custom-resource-definition-resource.ts';
import { apiservices } from '#kinds/apiregistration/v1/api-service-resource.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export const builtinResources: readonly ResourceDefinition[] = [
  bindings,
  componentstatuses,
  configmaps,
  endpoints,
  events,
  limitranges,
  namespaces,
  nodes,
  persistentvolumeclaims,
  persistentvolumes,
  pods,
  podtemplates,
  replicationcontrollers,
  resourcequotas,
  secrets,
  serviceaccounts,
  services,
  apiservices,
  controllerrevisions,
  daemonsets,
  deployments,
  replicasets,
  statefulsets,
  eventsEventsV1,
  selfsubjectreviews,
  tokenreviews,
  localsubjectaccessreviews,
  selfsubjectaccessreviews,
  selfsubjectrulesreviews,
  subjectaccessreviews,
  horizontalpodautoscalers,
  horizontalpodautoscalersAutoscalingV2,
  cronjobs,
  jobs,
  certificatesigningrequests,
  clustertrustbundles,
  clustertrustbundlesCertificatesV1beta1,
  podcertificaterequests,
  ingressclasses,
  ingresses,
  ipaddresses,
  networkpolicies,
  servicecidrs,
  ipaddressesNetworkingV1beta1,
  servicecidrsNetworkingV1beta1,
  poddisruptionbudgets,
  clusterrolebindings,
  clusterroles,
  rolebindings,
  roles,
  csidrivers,
  csinodes,
  csistoragecapacities,
  storageclasses,
  volumeattachments,
  volumeattributesclasses,
  volumeattributesclassesStorageV1beta1,
  mutatingadmissionpolicies,
  mutatingadmissionpolicybindings,
  mutatingwebhookconfigurations,
  validatingadmissionpolicies,
  validatingadmissionpolicybindings,
  validatingwebhookconfigurations,
  mutatingadmissionpoliciesAdmissionregistrationV1alpha1,
  mutatingadmissionpolicybindingsAdmissionregistrationV1alpha1,
  mutatingadmissionpoliciesAdmissionregistrationV1beta1,
  mutatingadmissionpolicybindingsAdmissionregistrationV1beta1,
  customresourcedefinitions,
  priorityclasses,
  podgroups,
  workloads,
  leases,
  leasecandidates,
  leasecandidatesCoordinationV1beta1,
  runtimeclasses,
  endpointslices,
  deviceclasses,
  resourceclaims,
  resourceclaimtemplates,
  resourceslices,
  devicetaintrules,
  resourcepoolstatusrequests,
  deviceclassesResourceV1beta1,
  resourceclaimsResourceV1beta1,
  resourceclaimtemplatesResourceV1beta1,
  resourceslicesResourceV1beta1,
  deviceclassesResourceV1beta2,
  devicetaintrulesResourceV1beta2,
  resourceclaimsResourceV1beta2,
  resourceclaimtemplatesResourceV1beta2,
  resourceslicesResourceV1beta2,
  flowschemas,
  prioritylevelconfigurations,
  storageversions,
  storageversionmigrations,
];
