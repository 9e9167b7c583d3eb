// Annotations of pods and templates that mean something, and their agreement with the fields that replaced them.
import type { FieldErrors } from '#api/field-error.ts';
import { goQuote } from '#base/go-text.ts';
import type { ObjectMeta } from '#api/object.ts';
import { forEachContainer, someContainer } from '#kinds/core/v1/pod/pod-containers.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { isDeletionCost } from '#kinds/core/v1/pod/rules-for-pod.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { AppArmorProfile, SeccompProfile } from '#kinds/core/v1/container/security-context.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import { validateTolerations } from '#kinds/core/v1/container/toleration-validation.ts';
import { validateLocalPath } from '#kinds/rules/paths.ts';

export const mirrorKey = 'kubernetes.io/config.mirror';
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';
const deletionCostKey = 'controller.kubernetes.io/pod-deletion-cost';
const seccompPodKey = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';

type Annotations = Readonly<Record<string, string>>;

export function validatePodAnnotations(annotations: Annotations | undefined, spec: PodSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  if (annotations === undefined) return;
  const mirror = annotations[mirrorKey];
  if (mirror !== undefined && !spec.nodeName) errors.invalid(`${path}[${mirrorKey}]`, mirror, 'must set spec.nodeName if mirror pod annotation is set');
  if (annotations[tolerationsKey]) validateTolerationsAnnotation(annotations[tolerationsKey], path, errors, rules);
  const cost = annotations[deletionCostKey];
  if (!rules.anyDeletionCost && !isDeletionCost(cost)) errors.invalid(`${path}[${deletionCostKey}]`, cost, 'must be a 32bit integer');
  validateSeccompAnnotations(annotations, path, errors);
  validateAppArmorAnnotations(annotations, spec, path, errors);
}

function validateTolerationsAnnotation(text: string, path: string, errors: FieldErrors, rules: PodRules): void {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) validateTolerations(parsed as Toleration[], `${path}.${tolerationsKey}`, errors, rules);
    else if (parsed !== null) errors.invalid(path, tolerationsKey, `json: cannot unmarshal ${jsonKind(parsed)} into Go value of type []core.Toleration`);
  } catch (error) {
    errors.invalid(path, tolerationsKey, error instanceof Error ? error.message : String(error));
  }
}

function jsonKind(value: unknown): string {
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function validateSeccompAnnotations(annotations: Annotations, path: string, errors: FieldErrors): void {
  for (const key in annotations) {
    if (key !== seccompPodKey && !key.startsWith(seccompContainerPrefix)) continue;
    const profile = annotations[key] ?? '';
    if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) continue;
    if (profile.startsWith('localhost/')) validateLocalPath(profile.slice('localhost/'.length), `${path}.${key}`, errors);
    else errors.invalid(`${path}.${key}`, profile, 'must be a valid seccomp profile');
  }
}

function validateAppArmorAnnotations(annotations: Annotations, spec: PodSpec, path: string, errors: FieldErrors): void {
  for (const key in annotations) {
    if (!key.startsWith(appArmorPrefix)) continue;
    const container = key.slice(appArmorPrefix.length);
    const profile = annotations[key] ?? '';
    if (!someContainer(spec, ({ name }) => name === container)) errors.invalid(`${path}[${key}]`, container, 'container not found');
    const known = profile === '' || profile === 'runtime/default' || profile === 'unconfined' || profile.startsWith('localhost/');
    if (!known) errors.invalid(`${path}[${key}]`, profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
  }
}

/** AppArmor and the mark of a mirror pod are settled at creation. */
export function validatePodAnnotationsUpdate(annotations: Annotations = {}, old: Annotations = {}, path: string, errors: FieldErrors): void {
  for (const key in old) {
    if (annotations[key] === old[key]) continue;
    if (key.startsWith(appArmorPrefix)) errors.forbidden(`${path}[${key}]`, 'may not remove or update AppArmor annotations');
    if (key === mirrorKey) errors.forbidden(`${path}[${key}]`, 'may not remove or update mirror pod annotation');
  }
  for (const key in annotations) {
    if (Object.hasOwn(old, key)) continue;
    if (key.startsWith(appArmorPrefix)) errors.forbidden(`${path}[${key}]`, 'may not add AppArmor annotations');
    if (key === mirrorKey) errors.forbidden(`${path}[${key}]`, 'may not add mirror pod annotation');
  }
}

/** The old annotation and the new field must not contradict each other. */
export function validateProfilesAgree({ annotations }: Pick<ObjectMeta, 'annotations'>, spec: PodSpec, path: string, errors: FieldErrors): void {
  if (annotations === undefined) return;
  const podSeccomp = spec.securityContext?.seccompProfile;
  if (podSeccomp !== undefined) validateSameProfile(annotations[seccompPodKey], podSeccomp, seccompWords, `${path}.securityContext.seccompProfile`, errors);
  const podAppArmor = spec.os?.name === 'windows' ? undefined : spec.securityContext?.appArmorProfile;
  forEachContainer(spec, path, ({ name, securityContext }, at) => {
    const seccomp = securityContext?.seccompProfile;
    if (seccomp !== undefined) {
      const annotation = annotations[`${seccompContainerPrefix}${name}`];
      validateSameProfile(annotation, seccomp, seccompWords, `${at()}.securityContext.seccompProfile`, errors);
    }
    const appArmor = spec.os?.name === 'windows' ? undefined : (securityContext?.appArmorProfile ?? podAppArmor);
    if (appArmor === undefined) return;
    validateSameProfile(annotations[`${appArmorPrefix}${name}`], appArmor, appArmorWords, `${at()}.securityContext.appArmorProfile`, errors);
  });
}

/** How annotations speak of one kind of profile. */
interface ProfileWords {
  readonly what: string;
  readonly runtimeDefaults: readonly string[];
}

const seccompWords: ProfileWords = { what: 'seccomp', runtimeDefaults: ['runtime/default', 'docker/default'] };
const appArmorWords: ProfileWords = { what: 'apparmor', runtimeDefaults: ['runtime/default'] };

function validateSameProfile(
  annotation: string | undefined,
  { type, localhostProfile }: SeccompProfile | AppArmorProfile,
  { what, runtimeDefaults }: ProfileWords,
  path: string,
  errors: FieldErrors,
): void {
  if (annotation === undefined) return;
  const sameType =
    (type === 'Unconfined' && annotation === 'unconfined') ||
    (type === 'RuntimeDefault' && runtimeDefaults.includes(annotation)) ||
    (type === 'Localhost' && annotation.startsWith('localhost/')) ||
    !['Unconfined', 'RuntimeDefault', 'Localhost'].includes(type);
  if (!sameType) errors.forbidden(`${path}.type`, `${what} type in annotation and field must match`);
  else if (type === 'Localhost' && annotation.slice('localhost/'.length) !== localhostProfile) {
    errors.forbidden(`${path}.localhostProfile`, `${what} profile in annotation and field must match`);
  }
}
