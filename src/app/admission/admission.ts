// Which admission plugins this server runs, in the order in which they are asked.
import type { AdmissionPlugin } from '#admission/admission.ts';
import type { AskPermission } from '#admission/permission.ts';
import { alwaysAdmit } from '#admission/plugins/always-admit.ts';
import { alwaysDeny } from '#admission/plugins/always-deny.ts';
import { alwaysPullImages } from '#admission/plugins/always-pull-images.ts';
import { certificateApproval } from '#admission/plugins/certificate-approval.ts';
import { certificateSigning } from '#admission/plugins/certificate-signing.ts';
import { certificateSubjectRestriction } from '#admission/plugins/certificate-subject-restriction.ts';
import { clusterTrustBundleAttest } from '#admission/plugins/cluster-trust-bundle-attest.ts';
import { defaultIngressClass } from '#admission/plugins/default-ingress-class.ts';
import { defaultStorageClass } from '#admission/plugins/default-storage-class.ts';
import { defaultTolerationSeconds } from '#admission/plugins/default-toleration-seconds.ts';
import { denyServiceExternalIPs } from '#admission/plugins/deny-service-external-ips.ts';
import { eventRateLimit } from '#admission/plugins/event-rate-limit.ts';
import { extendedResourceToleration } from '#admission/plugins/extended-resource-toleration.ts';
import { imagePolicyWebhook } from '#admission/plugins/image-policy-webhook.ts';
import { jobValidation } from '#admission/plugins/job-validation.ts';
import { limitPodHardAntiAffinityTopology } from '#admission/plugins/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from '#admission/plugins/limit-ranger.ts';
import { namespaceAutoProvision } from '#admission/plugins/namespace-auto-provision.ts';
import { namespaceExists } from '#admission/plugins/namespace-exists.ts';
import { namespaceLifecycle } from '#admission/plugins/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from '#admission/plugins/node-declared-feature-validator.ts';
import { nodeRestriction } from '#admission/plugins/node-restriction.ts';
import { ownerReferencesPermissionEnforcement, type ResourcesOfKind } from '#admission/plugins/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from '#admission/plugins/persistent-volume-claim-resize.ts';
import { podGroupProtection } from '#admission/plugins/pod-group-protection.ts';
import { podGroupWorkloadExists } from '#admission/plugins/pod-group-workload-exists.ts';
import { podNodeSelector } from '#admission/plugins/pod-node-selector.ts';
import { podResizeValidator } from '#admission/plugins/pod-resize-validator.ts';
import { podSecurity } from '#admission/plugins/pod-security.ts';
import { podTolerationRestriction } from '#admission/plugins/pod-toleration-restriction.ts';
import { podTopologyLabels } from '#admission/plugins/pod-topology-labels.ts';
import { priority } from '#admission/plugins/priority.ts';
import { resourceQuota } from '#admission/plugins/resource-quota.ts';
import { runtimeClass } from '#admission/plugins/runtime-class.ts';
import { serviceAccount } from '#admission/plugins/service-account.ts';
import { storageObjectInUseProtection } from '#admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '#admission/plugins/taint-nodes-by-condition.ts';
import { mutatingAdmissionPolicies } from '#admission/policies/mutating-admission-policies.ts';
import type { PolicyObserver } from '#admission/policies/policy-observer.ts';
import { validatingAdmissionPolicies } from '#admission/policies/validating-admission-policies.ts';
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import { parseApiVersion } from '#api/names.ts';
import {
  eventLimits,
  limitedResources,
  nodeSelectors,
  podSecurityOptions,
  type PluginConfigurations,
  podTolerations,
} from '#app/admission/admission-config.ts';
import { type AdmissionWebhookParts, mutatingWebhookPlugin, validatingWebhookPlugin } from '#app/admission/admission-webhooks.ts';
import type { AdmissionManifests } from '#app/admission/static-manifests.ts';
import { FlagError } from '#app/flags/flags.ts';
import { imagePolicyOptions } from '#app/admission/image-review.ts';
import type { AdmissionOptions, ServerOptions } from '#app/flags/options.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import { sleep } from '#base/backoff.ts';
import type { Log } from '#base/log.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { generateName } from '#verbs/metadata.ts';

export interface AdmissionParts {
  readonly options: ServerOptions;
  readonly authorizer: Authorizer;
  readonly catalog: ResourceCatalog;
  readonly ledger: QuotaLedger;
  readonly log: Log;
  /** What webhooks need beside that. */
  readonly webhooks: Pick<AdmissionWebhookParts, 'resolve' | 'clients' | 'observer'>;
  readonly policies: PolicyObserver;
  /** What --admission-control-config-file says, and the manifests that it names. */
  readonly configurations: PluginConfigurations;
  readonly manifests: AdmissionManifests;
}

interface Listed {
  readonly name: string;
  readonly onByDefault: boolean;
  /** Called only for a plugin that runs: a bad configuration of another is nobody's trouble. */
  readonly make: () => AdmissionPlugin;
}

const on = (name: string, make: () => AdmissionPlugin): Listed => ({ name, onByDefault: true, make });
const off = (name: string, make: () => AdmissionPlugin): Listed => ({ name, onByDefault: false, make });

/** Adding a plugin: one file in admission/plugins, its test, and its line here. */
function allPlugins({ options, authorizer, catalog, ledger, log, configurations, manifests, ...parts }: AdmissionParts): readonly Listed[] {
  const { flags } = options;
  const notReadySeconds = flags.number('default-not-ready-toleration-seconds');
  const unreachableSeconds = flags.number('default-unreachable-toleration-seconds');
  const ask = permissionOf(authorizer);
  const webhooks = { authorizer, configurations, manifests, log, ...parts.webhooks };
  const policies = { check: authorizer, observer: parts.policies };
  const manifestsOf = (plugin: string) => {
    const opened = manifests.open(plugin);
    return opened && (() => opened.objects);
  };
  return [
    off('AlwaysAdmit', () => alwaysAdmit),
    off('NamespaceAutoProvision', () => namespaceAutoProvision),
    on('NamespaceLifecycle', () => namespaceLifecycle),
    off('NamespaceExists', () => namespaceExists),
    off('LimitPodHardAntiAffinityTopology', () => limitPodHardAntiAffinityTopology),
    on('LimitRanger', () => limitRanger),
    on('ServiceAccount', () => serviceAccount({ generateName, wait })),
    off('NodeRestriction', () => nodeRestriction(ask)),
    on('TaintNodesByCondition', () => taintNodesByCondition),
    off('AlwaysPullImages', () => alwaysPullImages),
    off('ImagePolicyWebhook', () => imagePolicyWebhook(imagePolicyOptions(configurations))),
    on('PodSecurity', () => podSecurity(podSecurityOptions(configurations))),
    off('PodNodeSelector', () => podNodeSelector({ selectors: nodeSelectors(configurations) })),
    on('Priority', () => priority),
    on('DefaultTolerationSeconds', () => defaultTolerationSeconds({ notReadySeconds, unreachableSeconds })),
    off('PodTolerationRestriction', () => podTolerationRestriction(podTolerations(configurations))),
    off('EventRateLimit', () => eventRateLimit(eventLimits(configurations))),
    off('ExtendedResourceToleration', () => extendedResourceToleration),
    on('DefaultStorageClass', () => defaultStorageClass),
    on('StorageObjectInUseProtection', () => storageObjectInUseProtection),
    on('PodGroupProtection', () => podGroupProtection),
    off('OwnerReferencesPermissionEnforcement', () => ownerReferencesPermissionEnforcement(ask, kindsIn(catalog))),
    on('PersistentVolumeClaimResize', () => persistentVolumeClaimResize),
    on('RuntimeClass', () => runtimeClass),
    on('CertificateApproval', () => certificateApproval(ask)),
    on('CertificateSigning', () => certificateSigning(ask)),
    on('ClusterTrustBundleAttest', () => clusterTrustBundleAttest(ask)),
    on('CertificateSubjectRestriction', () => certificateSubjectRestriction),
    on('DefaultIngressClass', () => defaultIngressClass),
    off('DenyServiceExternalIPs', () => denyServiceExternalIPs),
    on('PodTopologyLabels', () => podTopologyLabels),
    on('PodGroupWorkloadExists', () => podGroupWorkloadExists),
    on('NodeDeclaredFeatureValidator', () => nodeDeclaredFeatureValidator),
    on('JobValidation', () => jobValidation),
    on('PodResizeValidator', () => podResizeValidator),
    on('MutatingAdmissionPolicy', () => mutatingAdmissionPolicies({ ...policies, manifests: manifestsOf('MutatingAdmissionPolicy') })),
    on('MutatingAdmissionWebhook', () => mutatingWebhookPlugin(webhooks)),
    on('ValidatingAdmissionPolicy', () => validatingAdmissionPolicies({ ...policies, manifests: manifestsOf('ValidatingAdmissionPolicy') })),
    on('ValidatingAdmissionWebhook', () => validatingWebhookPlugin(webhooks)),
    on('ResourceQuota', () => resourceQuota(ledger, limitedResources(configurations))),
    off('AlwaysDeny', () => alwaysDeny),
  ];
}

export function admissionPlugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { exactly } = parts.options.admission;
  const listed = allPlugins(parts);
  const { enabled, disabled } = exactly === undefined ? parts.options.admission : onlyThese(exactly, parts.options.admission, listed);
  const names = new Set(listed.map(({ name }) => name));
  for (const name of enabled) if (!names.has(name)) throw new FlagError(`enable-admission-plugins plugin "${name}" is unknown`);
  for (const name of disabled) if (!names.has(name)) throw new FlagError(`disable-admission-plugins plugin "${name}" is unknown`);
  const both = enabled.filter((name) => disabled.includes(name));
  if (both.length > 0) throw new FlagError(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  return listed.filter(({ name, onByDefault }) => (onByDefault || enabled.includes(name)) && !disabled.includes(name)).map(({ make }) => make());
}

/** The deprecated flag: these plugins and no others, in the order of the chain. Unlike the other two it turns off what it does not name. */
function onlyThese(
  exactly: readonly string[],
  { enabled, disabled }: AdmissionOptions,
  listed: readonly Listed[],
): Pick<AdmissionOptions, 'enabled' | 'disabled'> {
  if (enabled.length > 0 || disabled.length > 0)
    throw new FlagError('admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive');
  const known = listed.map(({ name }) => name);
  const unknown = exactly.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new FlagError(`admission-control plugin ${JSON.stringify(unknown)} is unknown`);
  return { enabled: exactly, disabled: known.filter((name) => !exactly.includes(name)) };
}

const wait = (milliseconds: number) => sleep(milliseconds, new AbortController().signal);

function permissionOf(authorizer: Authorizer): AskPermission {
  return async (user, { subresource = '', namespace = '', ...permission }) => {
    const attributes = { ...permission, subresource, namespace, isResource: true, path: '', labelSelector: '', fieldSelector: '' };
    const { decision, reason } = await authorizer(user, attributes);
    return { allowed: decision === 'allow', reason };
  };
}

function kindsIn(catalog: ResourceCatalog): ResourcesOfKind {
  return (apiVersion, kind) => {
    const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
    const found = catalog.byKind(group, version, kind);
    return found === undefined ? [] : [{ group, version, resource: found.plural, namespaced: found.namespaced }];
  };
}
