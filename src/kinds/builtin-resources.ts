// Every resource the server knows, in the order of discovery. A new kind adds its line here.
import { mutatingadmissionpolicies } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import { validatingadmissionpolicies } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import { mutatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding.ts';
import { mutatingwebhookconfigurations } from '#kinds/admissionregistration/v1/mutating-webhook-configuration.ts';
import { validatingadmissionpolicybindings } from '#kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import { validatingwebhookconfigurations } from '#kinds/admissionregistration/v1/validating-webhook-configuration.ts';
import { mutatingadmissionpolicies as mutatingadmissionpoliciesAdmissionregistrationV1alpha1 } from '#kinds/admissionregistration/v1alpha1/mutating-admission-policy.ts';
import { mutatingadmissionpolicybindings as mutatingadmissionpolicybindingsAdmissionregistrationV1alpha1 } from '#kinds/admissionregistration/v1alpha1/mutating-admission-policy-binding.ts';
import { mutatingadmissionpolicies as mutatingadmissionpoliciesAdmissionregistrationV1beta1 } from '#kinds/admissionregistration/v1beta1/mutating-admission-policy.ts';
import { mutatingadmissionpolicybindings as mutatingadmissionpolicybindingsAdmissionregistrationV1beta1 } from '#kinds/admissionregistration/v1beta1/mutating-admission-policy-binding.ts';
import { storageversions } from '#kinds/apiserverinternal/v1alpha1/storage-version.ts';
import { controllerrevisions } from '#kinds/apps/v1/controller-revision.ts';
import { daemonsets } from '#kinds/apps/v1/daemon-set.ts';
import { deployments } from '#kinds/apps/v1/deployment.ts';
import { replicasets } from '#kinds/apps/v1/replica-set.ts';
import { statefulsets } from '#kinds/apps/v1/stateful-set.ts';
import { persistentvolumeclaims } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import { selfsubjectreviews } from '#kinds/authentication/v1/self-subject-review.ts';
import { tokenreviews } from '#kinds/authentication/v1/token-review.ts';
import { subjectaccessreviews } from '#kinds/authorization/v1/subject-access-review.ts';
import { localsubjectaccessreviews } from '#kinds/authorization/v1/local-subject-access-review.ts';
import { selfsubjectrulesreviews } from '#kinds/authorization/v1/self-subject-rules-review.ts';
import { selfsubjectaccessreviews } from '#kinds/authorization/v1/self-subject-access-review.ts';
import { horizontalpodautoscalers } from '#kinds/autoscaling/v1/horizontal-pod-autoscaler.ts';
import { horizontalpodautoscalers as horizontalpodautoscalersAutoscalingV2 } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { cronjobs } from '#kinds/batch/v1/cron-job.ts';
import { jobs } from '#kinds/batch/v1/job.ts';
import { certificatesigningrequests } from '#kinds/certificates/v1/certificate-signing-request.ts';
import { clustertrustbundles } from '#kinds/certificates/v1alpha1/cluster-trust-bundle.ts';
import { clustertrustbundles as clustertrustbundlesCertificatesV1beta1 } from '#kinds/certificates/v1beta1/cluster-trust-bundle.ts';
import { podcertificaterequests } from '#kinds/certificates/v1beta1/pod-certificate-request.ts';
import { leases } from '#kinds/coordination/v1/lease.ts';
import { leasecandidates } from '#kinds/coordination/v1alpha2/lease-candidate.ts';
import { leasecandidates as leasecandidatesCoordinationV1beta1 } from '#kinds/coordination/v1beta1/lease-candidate.ts';
import { nodes } from '#kinds/core/v1/node.ts';
import { bindings } from '#kinds/core/v1/pod/binding.ts';
import { services } from '#kinds/core/v1/service/service.ts';
import { componentstatuses } from '#kinds/core/v1/component-status.ts';
import { configmaps } from '#kinds/core/v1/config-map.ts';
import { endpoints } from '#kinds/core/v1/service/endpoints.ts';
import { events } from '#kinds/core/v1/event.ts';
import { limitranges } from '#kinds/core/v1/limit-range.ts';
import { namespaces } from '#kinds/core/v1/namespace.ts';
import { persistentvolumes } from '#kinds/core/v1/volume/persistent-volume.ts';
import { pods } from '#kinds/core/v1/pod/pod.ts';
import { podtemplates } from '#kinds/core/v1/pod/pod-template.ts';
import { replicationcontrollers } from '#kinds/core/v1/replication-controller.ts';
import { resourcequotas } from '#kinds/core/v1/resource-quota.ts';
import { secrets } from '#kinds/core/v1/secret.ts';
import { serviceaccounts } from '#kinds/core/v1/service-account.ts';
import { endpointslices } from '#kinds/discovery/v1/endpoint-slice.ts';
import { events as eventsEventsV1 } from '#kinds/events/v1/event.ts';
import { prioritylevelconfigurations } from '#kinds/flowcontrol/v1/priority-level-configuration.ts';
import { flowschemas } from '#kinds/flowcontrol/v1/flow-schema.ts';
import { ingresses } from '#kinds/networking/v1/ingress.ts';
import { ipaddresses } from '#kinds/networking/v1/ip-address.ts';
import { networkpolicies } from '#kinds/networking/v1/network-policy.ts';
import { ingressclasses } from '#kinds/networking/v1/ingress-class.ts';
import { servicecidrs } from '#kinds/networking/v1/service-cidr.ts';
import { ipaddresses as ipaddressesNetworkingV1beta1 } from '#kinds/networking/v1beta1/ip-address.ts';
import { servicecidrs as servicecidrsNetworkingV1beta1 } from '#kinds/networking/v1beta1/service-cidr.ts';
import { runtimeclasses } from '#kinds/node/v1/runtime-class.ts';
import { poddisruptionbudgets } from '#kinds/policy/v1/pod-disruption-budget.ts';
import { clusterroles } from '#kinds/rbac/v1/cluster-role.ts';
import { roles } from '#kinds/rbac/v1/role.ts';
import { clusterrolebindings } from '#kinds/rbac/v1/cluster-role-binding.ts';
import { rolebindings } from '#kinds/rbac/v1/role-binding.ts';
import { resourceclaims } from '#kinds/resource/v1/resource-claim.ts';
import { resourceslices } from '#kinds/resource/v1/resource-slice.ts';
import { deviceclasses } from '#kinds/resource/v1/device-class.ts';
import { resourceclaimtemplates } from '#kinds/resource/v1/resource-claim-template.ts';
import { devicetaintrules } from '#kinds/resource/v1alpha3/device-taint-rule.ts';
import { resourcepoolstatusrequests } from '#kinds/resource/v1alpha3/resource-pool-status-request.ts';
import { resourceclaims as resourceclaimsResourceV1beta1 } from '#kinds/resource/v1beta1/resource-claim.ts';
import { resourceslices as resourceslicesResourceV1beta1 } from '#kinds/resource/v1beta1/resource-slice.ts';
import { deviceclasses as deviceclassesResourceV1beta1 } from '#kinds/resource/v1beta1/device-class.ts';
import { resourceclaimtemplates as resourceclaimtemplatesResourceV1beta1 } from '#kinds/resource/v1beta1/resource-claim-template.ts';
import { resourceclaims as resourceclaimsResourceV1beta2 } from '#kinds/resource/v1beta2/resource-claim.ts';
import { resourceslices as resourceslicesResourceV1beta2 } from '#kinds/resource/v1beta2/resource-slice.ts';
import { deviceclasses as deviceclassesResourceV1beta2 } from '#kinds/resource/v1beta2/device-class.ts';
import { devicetaintrules as devicetaintrulesResourceV1beta2 } from '#kinds/resource/v1beta2/device-taint-rule.ts';
import { resourceclaimtemplates as resourceclaimtemplatesResourceV1beta2 } from '#kinds/resource/v1beta2/resource-claim-template.ts';
import { priorityclasses } from '#kinds/scheduling/v1/priority-class.ts';
import { podgroups } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import { workloads } from '#kinds/scheduling/v1alpha2/workload.ts';
import { csidrivers } from '#kinds/storage/v1/csi-driver.ts';
import { csinodes } from '#kinds/storage/v1/csi-node.ts';
import { csistoragecapacities } from '#kinds/storage/v1/csi-storage-capacity.ts';
import { storageclasses } from '#kinds/storage/v1/storage-class.ts';
import { volumeattachments } from '#kinds/storage/v1/volume-attachment.ts';
import { volumeattributesclasses } from '#kinds/storage/v1/volume-attributes-class.ts';
import { volumeattributesclasses as volumeattributesclassesStorageV1beta1 } from '#kinds/storage/v1beta1/volume-attributes-class.ts';
import { storageversionmigrations } from '#kinds/storagemigration/v1beta1/storage-version-migration.ts';
import { customresourcedefinitions } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { apiservices } from '#kinds/apiregistration/v1/api-service.ts';
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
