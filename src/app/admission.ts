// Which admission plugins this server runs, in the order in which they are asked.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { defaultTolerationSeconds } from '#admission/plugins/default-toleration-seconds.ts';
import { namespaceLifecycle } from '#admission/plugins/namespace-lifecycle.ts';
import { priority } from '#admission/plugins/priority.ts';
import { storageObjectInUseProtection } from '#admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '#admission/plugins/taint-nodes-by-condition.ts';
import { FlagError } from '#app/flags.ts';
import type { ServerOptions } from '#app/options.ts';

interface Listed {
  readonly plugin: AdmissionPlugin;
  readonly onByDefault: boolean;
}

/** Adding a plugin: one file in admission/plugins, its test, and its line here. */
function allPlugins({ flags }: ServerOptions): readonly Listed[] {
  const notReadySeconds = flags.number('default-not-ready-toleration-seconds');
  const unreachableSeconds = flags.number('default-unreachable-toleration-seconds');
  return [
    { plugin: namespaceLifecycle, onByDefault: true },
    { plugin: taintNodesByCondition, onByDefault: true },
    { plugin: priority, onByDefault: true },
    { plugin: defaultTolerationSeconds({ notReadySeconds, unreachableSeconds }), onByDefault: true },
    { plugin: storageObjectInUseProtection, onByDefault: true },
  ];
}

/** Names of the original that have no plugin here yet: accepted on the command line, doing nothing. */
const knownElsewhere = new Set(
  (
    'AlwaysAdmit NamespaceAutoProvision NamespaceExists LimitPodHardAntiAffinityTopology LimitRanger ServiceAccount NodeRestriction AlwaysPullImages ImagePolicyWebhook PodSecurity ' +
    'PodNodeSelector PodTolerationRestriction EventRateLimit ExtendedResourceToleration DefaultStorageClass PodGroupProtection OwnerReferencesPermissionEnforcement ' +
    'PersistentVolumeClaimResize RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest CertificateSubjectRestriction DefaultIngressClass DenyServiceExternalIPs ' +
    'PodTopologyLabels PodGroupWorkloadExists NodeDeclaredFeatureValidator JobValidation PodResizeValidator MutatingAdmissionPolicy MutatingAdmissionWebhook ' +
    'ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny'
  ).split(' '),
);

export function admissionPlugins(options: ServerOptions): readonly AdmissionPlugin[] {
  const { enabled, disabled } = options.admission;
  const listed = allPlugins(options);
  const names = new Set([...knownElsewhere, ...listed.map(({ plugin }) => plugin.name)]);
  for (const name of [...enabled, ...disabled]) if (!names.has(name)) throw new FlagError(`enable-admission-plugins plugin "${name}" is unknown`);
  return listed
    .filter(({ plugin, onByDefault }) => (onByDefault || enabled.includes(plugin.name)) && !disabled.includes(plugin.name))
    .map(({ plugin }) => plugin);
}
