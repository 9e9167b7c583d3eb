// Which admission plugins this server runs, in the order in which they are asked.
import type { AdmissionPlugin } from '#admission/admission.ts';
import type { AskPermission } from '#admission/permission.ts';
import { certificateApproval } from '#admission/plugins/certificate-approval.ts';
import { certificateSigning } from '#admission/plugins/certificate-signing.ts';
import { certificateSubjectRestriction } from '#admission/plugins/certificate-subject-restriction.ts';
import { clusterTrustBundleAttest } from '#admission/plugins/cluster-trust-bundle-attest.ts';
import { defaultIngressClass } from '#admission/plugins/default-ingress-class.ts';
import { defaultStorageClass } from '#admission/plugins/default-storage-class.ts';
import { defaultTolerationSeconds } from '#admission/plugins/default-toleration-seconds.ts';
import { jobValidation } from '#admission/plugins/job-validation.ts';
import { limitRanger } from '#admission/plugins/limit-ranger.ts';
import { namespaceLifecycle } from '#admission/plugins/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from '#admission/plugins/node-declared-feature-validator.ts';
import { persistentVolumeClaimResize } from '#admission/plugins/persistent-volume-claim-resize.ts';
import { podGroupProtection } from '#admission/plugins/pod-group-protection.ts';
import { podGroupWorkloadExists } from '#admission/plugins/pod-group-workload-exists.ts';
import { podResizeValidator } from '#admission/plugins/pod-resize-validator.ts';
import { podSecurity } from '#admission/plugins/pod-security.ts';
import { podTopologyLabels } from '#admission/plugins/pod-topology-labels.ts';
import { priority } from '#admission/plugins/priority.ts';
import { resourceQuota } from '#admission/plugins/resource-quota.ts';
import { runtimeClass } from '#admission/plugins/runtime-class.ts';
import { serviceAccount } from '#admission/plugins/service-account.ts';
import { storageObjectInUseProtection } from '#admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '#admission/plugins/taint-nodes-by-condition.ts';
import { privilegedPolicy } from '#admission/pod-security/policy.ts';
import { QuotaLedger } from '#admission/quota/ledger.ts';
import { FlagError } from '#app/flags.ts';
import type { ServerOptions } from '#app/options.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import { sleep } from '#base/backoff.ts';
import { generateName } from '#verbs/metadata.ts';

interface Listed {
  readonly plugin: AdmissionPlugin;
  readonly onByDefault: boolean;
}

/** Adding a plugin: one file in admission/plugins, its test, and its line here. */
function allPlugins({ flags }: ServerOptions, ask: AskPermission): readonly Listed[] {
  const notReadySeconds = flags.number('default-not-ready-toleration-seconds');
  const unreachableSeconds = flags.number('default-unreachable-toleration-seconds');
  const wait = (milliseconds: number) => sleep(milliseconds, new AbortController().signal);
  return [
    { plugin: namespaceLifecycle, onByDefault: true },
    { plugin: limitRanger, onByDefault: true },
    { plugin: serviceAccount({ generateName, wait }), onByDefault: true },
    { plugin: taintNodesByCondition, onByDefault: true },
    { plugin: podSecurity({ defaults: privilegedPolicy, exempt: { namespaces: [], usernames: [], runtimeClasses: [] } }), onByDefault: true },
    { plugin: priority, onByDefault: true },
    { plugin: defaultTolerationSeconds({ notReadySeconds, unreachableSeconds }), onByDefault: true },
    { plugin: defaultStorageClass, onByDefault: true },
    { plugin: storageObjectInUseProtection, onByDefault: true },
    { plugin: podGroupProtection, onByDefault: true },
    { plugin: persistentVolumeClaimResize, onByDefault: true },
    { plugin: runtimeClass, onByDefault: true },
    { plugin: certificateApproval(ask), onByDefault: true },
    { plugin: certificateSigning(ask), onByDefault: true },
    { plugin: clusterTrustBundleAttest(ask), onByDefault: true },
    { plugin: certificateSubjectRestriction, onByDefault: true },
    { plugin: defaultIngressClass, onByDefault: true },
    { plugin: podTopologyLabels, onByDefault: true },
    { plugin: podGroupWorkloadExists, onByDefault: true },
    { plugin: nodeDeclaredFeatureValidator, onByDefault: true },
    { plugin: jobValidation, onByDefault: true },
    { plugin: podResizeValidator, onByDefault: true },
    { plugin: resourceQuota(new QuotaLedger()), onByDefault: true },
  ];
}

/** Names of the original that have no plugin here yet: accepted on the command line, doing nothing. */
const knownElsewhere = new Set(
  (
    'AlwaysAdmit NamespaceAutoProvision NamespaceExists LimitPodHardAntiAffinityTopology NodeRestriction AlwaysPullImages ImagePolicyWebhook ' +
    'PodNodeSelector PodTolerationRestriction EventRateLimit ExtendedResourceToleration OwnerReferencesPermissionEnforcement ' +
    'DenyServiceExternalIPs MutatingAdmissionPolicy MutatingAdmissionWebhook ' +
    'ValidatingAdmissionPolicy ValidatingAdmissionWebhook AlwaysDeny'
  ).split(' '),
);

export function admissionPlugins(options: ServerOptions, authorizer: Authorizer): readonly AdmissionPlugin[] {
  const { enabled, disabled } = options.admission;
  const listed = allPlugins(options, permissionOf(authorizer));
  const names = new Set([...knownElsewhere, ...listed.map(({ plugin }) => plugin.name)]);
  for (const name of [...enabled, ...disabled]) if (!names.has(name)) throw new FlagError(`enable-admission-plugins plugin "${name}" is unknown`);
  return listed
    .filter(({ plugin, onByDefault }) => (onByDefault || enabled.includes(plugin.name)) && !disabled.includes(plugin.name))
    .map(({ plugin }) => plugin);
}

function permissionOf(authorizer: Authorizer): AskPermission {
  return async (user, { subresource = '', namespace = '', ...permission }) => {
    const attributes = { ...permission, subresource, namespace, isResource: true, path: '', labelSelector: '', fieldSelector: '' };
    const { decision, reason } = await authorizer(user, attributes);
    return { allowed: decision === 'allow', reason };
  };
}
