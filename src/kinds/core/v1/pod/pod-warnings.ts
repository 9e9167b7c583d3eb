// Warnings about pods and pod templates that are valid but hardly meant.
import { dns1123LabelProblems } from '#base/formats.ts';
import { goList, goQuote } from '#base/go-text.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import type { ObjectMeta } from '#api/object.ts';
import { repeatedAt } from '#base/repeated.ts';
import type { Affinity, PodAffinityTerm } from '#kinds/core/v1/container/affinity.ts';
import type { Container, ContainerPort } from '#kinds/core/v1/container/container.ts';
import type { NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import type { EnvVar } from '#kinds/core/v1/container/env-var.ts';
import { appArmorPrefix } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import { forEachContainer } from '#kinds/core/v1/pod/pod-containers.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import type { SecurityContext } from '#kinds/core/v1/container/security-context.ts';
import type { TopologySpreadConstraint } from '#kinds/core/v1/container/topology-spread-constraint.ts';
import { volumeWarnings } from '#kinds/core/v1/volume/volume-warnings.ts';
import { ipWarnings } from '#kinds/rules/addresses.ts';
import { hasFraction } from '#kinds/rules/quantities.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';

interface Pod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

export function podWarnings(pod: Pod): readonly string[] {
  return warningsOf(pod, '', false);
}

/** `path` is where the template stands: `spec.template`. */
export function podTemplateWarnings(template: PodTemplateSpec, path: string): readonly string[] {
  return warningsOf(template, `${path}.`, true);
}

/** For names that become part of host names: `what` says whose. */
export function hostnameWarnings(name: string | undefined, what: string): readonly string[] {
  const problems = dns1123LabelProblems(name ?? '');
  if (problems.length === 0) return [];
  return [`metadata.name: this is used in ${what}, which can result in surprising behavior; a DNS label is recommended: ${goList(problems)}`];
}

function warningsOf({ metadata, spec }: Pod, prefix: string, isTemplate: boolean): readonly string[] {
  const path = `${prefix}spec`;
  const warnings: string[] = [];
  const add = (more: readonly string[]) => {
    for (const warning of more) warnings.push(warning);
  };
  if (spec.nodeSelector !== undefined || spec.affinity?.nodeAffinity !== undefined) add(nodeChoiceWarnings(spec, path));
  if (spec.topologySpreadConstraints !== undefined) add(spreadWarnings(spec.topologySpreadConstraints, path));
  if (metadata.annotations !== undefined) add(annotationWarnings(metadata.annotations, `${prefix}metadata.annotations`));
  if (spec.volumes !== undefined) add(volumeWarnings(spec.volumes, `${path}.volumes`));
  if (spec.hostAliases !== undefined || spec.imagePullSecrets !== undefined) add(listWarnings(spec, path));
  if (spec.overhead !== undefined) add(fractionWarnings(spec.overhead, () => `${path}.overhead`));
  if (metadata.annotations !== undefined) add(seccompWarnings(metadata.annotations, spec, `${prefix}metadata.annotations`));
  const hasProfiles = hasContainerAnnotation(metadata.annotations);
  forEachContainer(spec, path, (container, at) => {
    if (metadata.annotations !== undefined && hasProfiles)
      add(profileWarnings(container, metadata.annotations, spec, `${prefix}metadata.annotations`, isTemplate));
    if (container.resources.limits !== undefined) add(fractionWarnings(container.resources.limits, () => `${at()}.resources.limits`));
    if (container.resources.requests !== undefined) add(fractionWarnings(container.resources.requests, () => `${at()}.resources.requests`));
    if (container.env !== undefined) add(environmentWarnings(container.env, at));
  });
  addPortWarnings(spec, path, warnings);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    warnings.push(`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`);
  }
  if (spec.affinity !== undefined) add(affinityWarnings(spec.affinity, `${path}.affinity`));
  spec.dnsConfig?.nameservers?.forEach((server, index) => add(ipWarnings(server, `${path}.dnsConfig.nameservers[${index}]`)));
  spec.hostAliases?.forEach(({ ip }, index) => add(ipWarnings(ip, `${path}.hostAliases[${index}].ip`)));
  return warnings;
}

/** First what overlaps, then names that stand twice. */
function addPortWarnings(spec: PodSpec, path: string, warnings: string[]): void {
  const named: string[] = [];
  const seen = new PortBook();
  forEachContainer(spec, path, ({ ports }, at) => {
    ports?.forEach((port, index) => {
      const entry = { port, path: () => `${at()}.ports[${index}]`, next: undefined };
      seen.enter(entry, warnings);
      seen.enterName(entry, named);
    });
  });
  for (const warning of named) warnings.push(warning);
}

const deprecatedNodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

export function deprecatedNodeLabel(key: string): string | undefined {
  return Object.hasOwn(deprecatedNodeLabels, key) ? deprecatedNodeLabels[key] : undefined;
}

function nodeChoiceWarnings({ nodeSelector, affinity }: PodSpec, path: string): readonly string[] {
  const warnings: string[] = [];
  for (const key in nodeSelector) {
    const message = deprecatedNodeLabel(key);
    if (message !== undefined) warnings.push(`${path}.nodeSelector[${key}]: ${message}`);
  }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity?.nodeAffinity ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  required?.nodeSelectorTerms?.forEach((term, index) => {
    warnings.push(...nodeTermWarnings(term, false, `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`));
  });
  preferred?.forEach(({ preference }, index) => {
    warnings.push(...nodeTermWarnings(preference, true, `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`));
  });
  return warnings;
}

export function nodeTermWarnings({ matchExpressions = [] }: NodeSelectorTerm, checkValues: boolean, path: string): readonly string[] {
  return matchExpressions.flatMap(({ key, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const message = deprecatedNodeLabel(key);
    const bad = values.flatMap((value, number) => labelValueProblems(value).map((problem) => `${at}.values[${number}]: ${value} is invalid, ${problem}`));
    return [...(message === undefined ? [] : [`${at}.key: ${key} is ${message}`]), ...(checkValues ? bad : [])];
  });
}

const nullSelector = 'a null labelSelector results in matching no pod';

function spreadWarnings(constraints: readonly TopologySpreadConstraint[], path: string): readonly string[] {
  return constraints.flatMap(({ topologyKey, labelSelector }, index) => {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const message = deprecatedNodeLabel(topologyKey);
    return [
      ...(message === undefined ? [] : [`${at}.topologyKey: ${topologyKey} is ${message}`]),
      ...(labelSelector === undefined ? [`${at}.labelSelector: ${nullSelector}`] : []),
    ];
  });
}

function affinityWarnings(affinity: Affinity, path: string): readonly string[] {
  const warn = (term: PodAffinityTerm, at: string) => (term.labelSelector === undefined ? [`${at}.labelSelector: ${nullSelector}`] : []);
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required = [], preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } =
      affinity[name] ?? {};
    return [
      ...required.flatMap((term, index) => warn(term, `${path}.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`)),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        warn(podAffinityTerm, `${path}.${name}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`),
      ),
    ];
  });
}

const deadAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
const seccompMessage = 'non-functional in v1.27+; use the "seccompProfile" field instead';
export const appArmorMessage = 'deprecated since v1.30; use the "appArmorProfile" field instead';

type Annotations = Readonly<Record<string, string>>;

function annotationWarnings(annotations: Annotations, path: string): readonly string[] {
  return Object.keys(deadAnnotations)
    .filter((key) => annotations[key] !== undefined)
    .map((key) => `${path}[${key}]: ${deadAnnotations[key]}`);
}

function seccompWarnings(annotations: Annotations, { securityContext }: PodSpec, path: string): readonly string[] {
  const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';
  const isIgnored = annotations[seccomp] !== undefined && securityContext?.seccompProfile === undefined;
  return isIgnored ? [`${path}[${seccomp}]: ${seccompMessage}`] : [];
}

/** Do any say something about a container? */
export function hasContainerAnnotation(annotations: Annotations | undefined): boolean {
  for (const key in annotations) if (key.startsWith('container.')) return true;
  return false;
}

function profileWarnings(
  { name, securityContext }: Container,
  annotations: Annotations,
  { securityContext: podContext }: PodSpec,
  path: string,
  isTemplate: boolean,
): readonly string[] {
  const warnings: string[] = [];
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`;
  if (annotations[seccomp] !== undefined && securityContext?.seccompProfile === undefined) warnings.push(`${path}[${seccomp}]: ${seccompMessage}`);
  const appArmor = annotations[`${appArmorPrefix}${name}`];
  // Who makes a pod is warned while its field is filled from the annotation.
  if (!isTemplate || appArmor === undefined || securityContext?.appArmorProfile !== undefined) return warnings;
  const profile = appArmorProfileOf(appArmor);
  if (profile === undefined || !semanticEqual(profile, podContext?.appArmorProfile)) warnings.push(`${path}[${appArmorPrefix}${name}]: ${appArmorMessage}`);
  return warnings;
}

/** The field that says what the old annotation says. */
export function appArmorProfileOf(annotation: string): NonNullable<SecurityContext['appArmorProfile']> | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.startsWith('localhost/') ? annotation.slice('localhost/'.length) : '';
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

function listWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: string): readonly string[] {
  const ips = hostAliases.map(({ ip }) => ip);
  const names = imagePullSecrets.map(({ name = '' }) => name);
  const [repeatedIps, repeatedNames] = [repeatedAt(ips), repeatedAt(names)];
  return [
    ...ips.flatMap((ip, index) => (repeatedIps[index] ? [`${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`] : [])),
    ...names.flatMap((name, index) => (repeatedNames[index] ? [`${path}.imagePullSecrets[${index}].name: duplicate name ${goQuote(name)}`] : [])),
    ...names.flatMap((name, index) => (name === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [])),
  ];
}

const resourcesInBytes = ['memory', 'ephemeral-storage'];
const none: readonly string[] = [];

function fractionWarnings(list: Readonly<Record<string, string>>, path: () => string): readonly string[] {
  const isBroken = (name: string) => list[name] !== undefined && hasFraction(list[name]);
  if (!resourcesInBytes.some(isBroken)) return none;
  return resourcesInBytes
    .filter(isBroken)
    .map((name) => `${path()}[${name}]: fractional byte value ${goQuote(list[name] ?? '')} is invalid, must be an integer`);
}

/** A second definition that does not build on the first hides it. */
function environmentWarnings(env: readonly EnvVar[], at: () => string): readonly string[] {
  const names = new Set<string>();
  const warnings: string[] = [];
  env.forEach(({ name, value = '', valueFrom }, index) => {
    if (names.has(name) && (valueFrom !== undefined || !buildsOn(value, `$(${name})`))) {
      warnings.push(`${at()}.env[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`);
    }
    names.add(name);
  });
  return warnings;
}

function buildsOn(value: string, reference: string): boolean {
  return value !== reference && value.includes(reference);
}

interface SeenPort {
  readonly port: ContainerPort;
  readonly path: () => string;
  /** Another with the same number and protocol. */
  next: SeenPort | undefined;
}

/** The ports of a pod seen so far. */
class PortBook {
  readonly #ports = new Map<string, SeenPort>();
  readonly #names = new Map<string, SeenPort>();

  enter(entry: SeenPort, warnings: string[]): void {
    const { port, path } = entry;
    const { hostIP = '', hostPort = 0, containerPort, protocol = '', name = '' } = port;
    if (hostIP !== '' && hostPort === 0) {
      const shown = `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
      warnings.push(`${path()}: hostIP set without hostPort: ${shown}`);
    }
    const key = `${containerPort}/${protocol}`;
    const first = this.#ports.get(key);
    if (first === undefined) this.#ports.set(key, entry);
    else addRelations(first, entry, warnings);
  }

  enterName(entry: SeenPort, warnings: string[]): void {
    const { name } = entry.port;
    if (!name) return;
    const other = this.#names.get(name)?.path();
    if (other === undefined) this.#names.set(name, entry);
    else warnings.push(`${entry.path()}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`);
  }
}

/** The entry becomes the last of those that begin with `first`. */
function addRelations(first: SeenPort, entry: SeenPort, warnings: string[]): void {
  for (let other = first; ; other = other.next) {
    const relation = relationOf(entry.port, other.port);
    if (relation !== undefined) warnings.push(`${entry.path()}: ${relation} port definition with ${other.path()}`);
    if (other.next === undefined) {
      other.next = entry;
      return;
    }
  }
}

function relationOf(a: ContainerPort, b: ContainerPort): string | undefined {
  const [ipA, ipB, portA, portB] = [a.hostIP ?? '', b.hostIP ?? '', a.hostPort ?? 0, b.hostPort ?? 0];
  if (ipA === ipB && portA === portB) return 'duplicate';
  if (portA === 0 || portB === 0) return 'overlapping';
  return portA === portB && (ipA === '') !== (ipB === '') ? 'dangerously ambiguous' : undefined;
}
