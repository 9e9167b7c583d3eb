// Decides which rules hold for a pod or a pod template: what gates switch on, and what the stored object was already allowed.
import { labelValueProblems } from '#base/label-syntax.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { ObjectMeta } from '#api/object.ts';
import type { Affinity } from '#kinds/core/v1/container/affinity.ts';
import { violatesMatchLabelKeys } from '#kinds/core/v1/container/topology-spread-validation.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import { isSidecar, someContainer } from '#kinds/core/v1/pod/pod-containers.ts';
import { hostSysctlProblem } from '#kinds/core/v1/pod/pod-security-context-validation.ts';
import type { Gate, PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateNonReservedPath } from '#kinds/rules/paths.ts';
import { isHugePagesMultiple } from '#kinds/core/v1/container/resource-requirements-validation.ts';
import { isHugePages } from '#kinds/rules/resource-names.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export type PodPolicy = Pick<StrategyContext, 'gate' | 'allowPrivileged'>;

/** Rules for creation depend on gates and flags alone, which do not change while a server runs. */
const creationRules = new WeakMap<Gate, Map<number, PodRules>>();

/** `old` is what is stored, for updates. */
export function rulesForPod(policy: PodPolicy, isPod: boolean, old?: PodSpec, oldMetadata?: ObjectMeta): PodRules {
  if (old !== undefined) return rulesFor(policy, isPod, old, oldMetadata);
  const { gate, allowPrivileged } = policy;
  const known = creationRules.get(gate) ?? new Map<number, PodRules>();
  const key = Number(isPod) + (allowPrivileged === false ? 2 : 0);
  const rules = known.get(key) ?? rulesFor(policy, isPod, undefined, undefined);
  creationRules.set(gate, known.set(key, rules));
  return rules;
}

function rulesFor({ gate, allowPrivileged }: PodPolicy, isPod: boolean, old: PodSpec | undefined, oldMetadata: ObjectMeta | undefined): PodRules {
  const matchLabelKeys = matchLabelKeysMode(gate);
  return {
    isPod,
    privileged: allowPrivileged !== false,
    strictAddresses: gate('StrictIPCIDRValidation'),
    podLevelResources: gate('PodLevelResources'),
    resizePodLevel: gate('InPlacePodLevelResourcesVerticalScaling'),
    envFiles: gate('EnvFiles') || someContainer(old, hasFileKey),
    restartRules: gate('ContainerRestartRules') || usesRestartRules(old),
    restartAll: gate('RestartAllContainersOnContainerExits') || usesRestartAll(old),
    comparingTolerations: gate('TaintTolerationComparisonOperators') || comparesTolerations(old),
    hostNetworkWithUserNamespaces: gate('UserNamespacesHostNetworkSupport') || (old?.hostNetwork === true && old.hostUsers === false),
    onlyRecursiveSeLinux: !gate('SELinuxMount') && old?.securityContext?.seLinuxChangePolicy === undefined,
    matchLabelKeys,
    imageDigests: gate('ImageVolumeWithDigest'),
    anyDeletionCost: !gate('PodDeletionCost') || !isDeletionCost(oldMetadata?.annotations?.[deletionCostKey]),
    ...(old === undefined ? nothingStored : storedViolations(old, matchLabelKeys)),
  };
}

type Violations = Pick<
  PodRules,
  | 'anyHugePages'
  | 'anyAffinityValue'
  | 'anyNodeAffinityValue'
  | 'anySpreadSelector'
  | 'anyMatchLabelKeys'
  | 'anyTokenPath'
  | 'anyHostSysctl'
  | 'anyInitResizePolicy'
  | 'anyVolumeDevices'
>;

const nothingStored: Violations = {
  anyHugePages: false,
  anyAffinityValue: false,
  anyNodeAffinityValue: false,
  anySpreadSelector: false,
  anyMatchLabelKeys: false,
  anyTokenPath: false,
  anyHostSysctl: false,
  anyInitResizePolicy: false,
  anyVolumeDevices: false,
};

function storedViolations(old: PodSpec, matchLabelKeys: PodRules['matchLabelKeys']): Violations {
  return {
    anyHugePages:
      hasOddHugePages(old.overhead) || someContainer(old, ({ resources }) => hasOddHugePages(resources.limits) || hasOddHugePages(resources.requests)),
    anyAffinityValue: podAffinityTerms(old.affinity).some(hasBadSelector),
    anyNodeAffinityValue: hasBadNodeAffinityValue(old.affinity),
    anySpreadSelector: old.topologySpreadConstraints?.some(({ labelSelector }) => isBadSelector(labelSelector)) ?? false,
    anyMatchLabelKeys: matchLabelKeys !== 'off' && violatesMatchLabelKeys(old.topologySpreadConstraints, matchLabelKeys),
    anyTokenPath: hasReservedTokenPath(old),
    anyHostSysctl: old.securityContext?.sysctls?.some(({ name }) => hostSysctlProblem(name, old) !== undefined) ?? false,
    anyInitResizePolicy: old.initContainers?.some(restartsOnResize) ?? false,
    anyVolumeDevices: old.hostUsers === false && someContainer(old, ({ volumeDevices = [] }) => volumeDevices.length > 0),
  };
}

export function rulesForTemplate(policy: PodPolicy, old?: PodTemplateSpec): PodRules {
  return rulesForPod(policy, false, old?.spec, old?.metadata);
}

function matchLabelKeysMode(gate: Gate): PodRules['matchLabelKeys'] {
  if (!gate('MatchLabelKeysInPodTopologySpread')) return 'off';
  return gate('MatchLabelKeysInPodTopologySpreadSelectorMerge') ? 'merged' : 'plain';
}

const deletionCostKey = 'controller.kubernetes.io/pod-deletion-cost';

/** Absent, or an int32 that Go reads: no plus sign, no leading zeros. */
export function isDeletionCost(text: string | undefined): boolean {
  if (text === undefined) return true;
  if (!/^(?:0|[1-9][0-9]*|-[0-9]+)$/.test(text)) return false;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31;
}

function hasFileKey({ env = [] }: Container): boolean {
  return env.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined);
}

export function usesRestartRules(spec: PodSpec | undefined): boolean {
  if (spec === undefined) return false;
  const initUses = spec.initContainers?.some(
    ({ restartPolicy, restartPolicyRules }) => (restartPolicy !== undefined && restartPolicy !== 'Always') || Boolean(restartPolicyRules?.length),
  );
  return Boolean(initUses || spec.containers?.some(({ restartPolicy }) => restartPolicy !== undefined));
}

function usesRestartAll(spec: PodSpec | undefined): boolean {
  const restartsAll = ({ restartPolicyRules = [] }: Container) => restartPolicyRules.some(({ action }) => action === 'RestartAllContainers');
  const initUses = spec?.initContainers?.some((container) => restartsAll(container) || (isSidecar(container) && Boolean(container.restartPolicyRules?.length)));
  return Boolean(initUses || spec?.containers?.some(restartsAll));
}

function comparesTolerations(spec: PodSpec | undefined): boolean {
  return spec?.tolerations?.some(({ operator }) => operator === 'Lt' || operator === 'Gt') ?? false;
}

function hasOddHugePages(list: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(list).some(([name, quantity]) => isHugePages(name) && !isHugePagesMultiple(name, quantity));
}

function podAffinityTerms(affinity: Affinity | undefined) {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((one) => [
    ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
}

type Selector = Parameters<typeof validateLabelSelector>[0];

function hasBadSelector({ labelSelector, namespaceSelector }: { labelSelector?: Selector; namespaceSelector?: Selector }): boolean {
  return isBadSelector(labelSelector) || isBadSelector(namespaceSelector);
}

function isBadSelector(selector: Selector): boolean {
  const errors = new FieldErrors();
  validateLabelSelector(selector, '', errors);
  return !errors.empty;
}

function hasBadNodeAffinityValue(affinity: Affinity | undefined): boolean {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ values = [] }) => values.some((value) => labelValueProblems(value).length > 0)));
}

function hasReservedTokenPath(spec: PodSpec): boolean {
  const errors = new FieldErrors();
  for (const { projected } of spec.volumes ?? []) {
    for (const { serviceAccountToken } of projected?.sources ?? []) {
      if (serviceAccountToken !== undefined) validateNonReservedPath(serviceAccountToken.path, '', errors);
    }
  }
  return !errors.empty;
}

function restartsOnResize(container: Container): boolean {
  return !isSidecar(container) && (container.resizePolicy?.some(({ restartPolicy }) => restartPolicy === 'RestartContainer') ?? false);
}
