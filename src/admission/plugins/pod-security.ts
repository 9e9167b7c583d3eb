// The Pod Security Standards: refuses pods that a namespace's labels do not allow, and warns about them and about templates of such pods.
import { andThen } from '#base/and-then.ts';
import { invalid } from '#api/api-error.ts';
import type { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionScope } from '#admission/admission.ts';
import { details, evaluate } from '#admission/pod-security/evaluate.ts';
import { existingPodWarnings } from '#admission/pod-security/existing-pods.ts';
import {
  compareLevels,
  formatLevelVersion,
  isFullyPrivileged,
  type LevelVersion,
  type Policy,
  policyOf,
  type ReadPolicy,
  sameLevelVersion,
} from '#admission/pod-security/policy.ts';
import { type Subject, subjectOf } from '#admission/pod-security/subject.ts';
import { namespaces, podOf, refusal, type StoredPod } from '#admission/request-subject.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';

export interface PodSecurityOptions {
  readonly defaults: Policy;
  readonly exempt: {
    readonly namespaces: readonly string[];
    readonly usernames: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

const templated = new Set([
  '/replicationcontrollers',
  '/podtemplates',
  'apps/replicasets',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'batch/jobs',
  'batch/cronjobs',
]);
const ignoredParts = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);
const annotation = (name: string) => `pod-security.kubernetes.io/${name}`;

export function podSecurity(options: PodSecurityOptions): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    matches: ({ operation, ...scope }) => (operation === 'CREATE' || operation === 'UPDATE') && subjectIn(scope) !== undefined,
    validate(request) {
      const subject = subjectIn(request);
      if (subject === 'namespace') return judgeNamespace(request, options);
      return judgeUnlessExempt(request, options, subject === 'pod' ? judgePod : judgeTemplate);
    },
  };
}

function subjectIn({ definition, subresource }: Pick<AdmissionScope, 'definition' | 'subresource'>): 'pod' | 'namespace' | 'template' | undefined {
  const { group, plural } = definition;
  if (group === '' && plural === 'pods') return ignoredParts.has(subresource) ? undefined : 'pod';
  if (subresource !== '') return undefined;
  if (group === '' && plural === 'namespaces') return 'namespace';
  return templated.has(`${group}/${plural}`) ? 'template' : undefined;
}

function exemption({ namespace, user }: AdmissionRequest, { exempt }: PodSecurityOptions): string | undefined {
  if (exempt.namespaces.includes(namespace)) return 'namespace';
  return exempt.usernames.includes(user.name) ? 'user' : undefined;
}

type Judge = (request: AdmissionRequest, read: ReadPolicy, options: PodSecurityOptions) => void;

function judgeUnlessExempt(request: AdmissionRequest, options: PodSecurityOptions, judgeBy: Judge): Promise<void> | void {
  const why = exemption(request, options);
  if (why !== undefined) return request.annotate(annotation('exempt'), why);
  return andThen(request.lister.get(namespaces, '', request.namespace), (namespace) =>
    judgeBy(request, policyOf(namespace?.metadata.labels, options.defaults), options),
  );
}

function judgePod(request: AdmissionRequest, read: ReadPolicy, options: PodSecurityOptions): void {
  if (read.errors.empty && isFullyPrivileged(read.policy)) return request.annotate(annotation('enforce-policy'), 'privileged:latest');
  const pod = podOf(request);
  if (request.operation === 'UPDATE' && !isSignificant(pod, request.old as unknown as StoredPod)) return;
  judge(request, read, { subject: subjectOf(pod.metadata, pod.spec), enforce: true }, options);
}

function judgeTemplate(request: AdmissionRequest, read: ReadPolicy, options: PodSecurityOptions): void {
  if (read.errors.empty && read.policy.warn.level === 'privileged' && read.policy.audit.level === 'privileged') return;
  const template = templateOf(request.object);
  if (template) judge(request, read, { subject: subjectOf(template.metadata ?? {}, template.spec), enforce: false }, options);
}

interface Template {
  readonly metadata?: KubernetesObject['metadata'];
  readonly spec: PodSpec;
}

function templateOf(object: KubernetesObject | undefined): Template | undefined {
  const holder = object as unknown as { template?: Template; spec?: { template?: Template; jobTemplate?: { spec: { template: Template } } } } | undefined;
  return holder?.template ?? holder?.spec?.jobTemplate?.spec.template ?? holder?.spec?.template;
}

function judge(
  request: AdmissionRequest,
  { policy, errors }: ReadPolicy,
  { subject, enforce }: { subject: Subject; enforce: boolean },
  options: PodSecurityOptions,
): void {
  const runtimeClass = subject.spec.runtimeClassName;
  if (runtimeClass && options.exempt.runtimeClasses.includes(runtimeClass)) return request.annotate(annotation('exempt'), 'runtimeClass');
  if (!errors.empty) request.annotate(annotation('error'), `Failed to parse policy: ${errors.list.join(', ')}`);
  const violation = (wanted: LevelVersion) => {
    const findings = evaluate(wanted, subject);
    return findings.length === 0 ? undefined : `PodSecurity "${formatLevelVersion(wanted)}": ${details(findings)}`;
  };
  if (enforce) request.annotate(annotation('enforce-policy'), formatLevelVersion(policy.enforce));
  const audited = violation(policy.audit);
  if (audited !== undefined) request.annotate(annotation('audit-violations'), `would violate ${audited}`);
  const refused = enforce ? violation(policy.enforce) : undefined;
  if (refused !== undefined) throw refusal(request, `violates ${refused}`);
  const warned = violation(policy.warn);
  if (warned !== undefined) request.warn(`would violate ${warned}`);
}

interface Pictured {
  readonly image?: string | undefined;
}

/** Only other images, and other containers, make another pod of it. */
function isSignificant({ spec }: StoredPod, { spec: old }: StoredPod): boolean {
  const differ = (now: readonly Pictured[] = [], before: readonly Pictured[] = []) =>
    now.length !== before.length || now.some(({ image }, index) => image !== before[index]?.image);
  if (differ(spec.containers, old.containers) || differ(spec.initContainers, old.initContainers)) return true;
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => (old.ephemeralContainers ?? []).find((one) => one.name === name)?.image !== image);
}

async function judgeNamespace(request: AdmissionRequest, options: PodSecurityOptions): Promise<void> {
  const { metadata } = request.object as KubernetesObject;
  const { policy, errors } = policyOf(metadata.labels, options.defaults);
  const before = request.old && policyOf(request.old.metadata.labels, options.defaults);
  if (!errors.empty && !(before && sameErrors(errors, before.errors))) throw invalid({ group: '', kind: 'Namespace' }, metadata.name ?? '', errors.list);
  if (before && !isStricter(policy.enforce, before.policy.enforce)) return;
  if (options.exempt.namespaces.includes(metadata.name ?? '')) return warnOfExemption(request, policy, options.defaults);
  if (before === undefined) return;
  for (const warning of await existingPodWarnings(request.lister, metadata.name ?? '', policy.enforce, options.exempt.runtimeClasses)) request.warn(warning);
}

/** Labels that mean nothing here are worth a word. */
function warnOfExemption({ object, warn }: AdmissionRequest, policy: Policy, defaults: Policy): void {
  const modes = ['enforce', 'audit', 'warn'] as const;
  if (modes.every((mode) => meansTheSame(policy[mode], defaults[mode])) || isFullyPrivileged(policy)) return;
  const { name, labels = {} } = (object as KubernetesObject).metadata;
  const isSaid = (mode: string) => labels[annotation(mode)] !== undefined || labels[annotation(`${mode}-version`)] !== undefined;
  const said = modes.filter((mode) => policy[mode].level !== 'privileged' && isSaid(mode)).map((mode) => `${mode}=${formatLevelVersion(policy[mode])}`);
  warn(`namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${said.join(', ')}) will be ignored`);
}

function meansTheSame(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && (a.level === 'privileged' || a.version === b.version);
}

function sameErrors(a: FieldErrors, b: FieldErrors): boolean {
  return !b.empty && a.list.join() === b.list.join();
}

function isStricter(now: LevelVersion, before: LevelVersion): boolean {
  if (sameLevelVersion(now, before) || now.level === 'privileged') return false;
  return now.version !== before.version || compareLevels(now.level, before.level) > 0;
}
