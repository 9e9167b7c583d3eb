// The rules of projected volumes: several sources in one directory.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength } from '#base/formats.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import {
  ClusterTrustBundleProjection,
  type KeyToPath,
  type PodCertificateProjection,
  type ProjectedVolumeSource,
  type ServiceAccountTokenProjection,
  type VolumeProjection,
} from '#kinds/core/v1/volume/volume.ts';
import { validateDownwardApiFile, validateKeyToPath } from '#kinds/core/v1/volume/volume-file-validation.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateFileMode, validateNonReservedPath } from '#kinds/rules/paths.ts';
import { isKubernetesSigner, signerOfTrustBundle, trustBundleNameRule, validateSignerName } from '#kinds/rules/signer-names.ts';

/** Where a projected volume stands, and the paths its sources have claimed so far. */
interface Projection {
  readonly path: string;
  readonly taken: Set<string>;
  readonly errors: FieldErrors;
}

export function validateProjectedSource(source: ProjectedVolumeSource, path: string, errors: FieldErrors, rules: PodRules): void {
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  const projection: Projection = { path, taken: new Set(), errors };
  source.sources?.forEach((item, index) => validateProjection(item, `${path}.sources[${index}]`, projection, rules));
}

function validateProjection(source: VolumeProjection, path: string, projection: Projection, rules: PodRules): void {
  const { errors } = projection;
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (secret !== undefined) validateKeys(secret, `${path}.secret`, projection);
  if (configMap !== undefined) validateKeys(configMap, `${path}.configMap`, projection);
  for (const file of downwardAPI?.items ?? []) {
    validateDownwardApiFile(file, `${path}.downwardAPI`, errors);
    if (file.path !== '') claim(file.path, file.path, projection);
  }
  if (serviceAccountToken !== undefined) validateToken(serviceAccountToken, `${path}.serviceAccountToken`, projection, rules);
  if (clusterTrustBundle !== undefined) validateTrustBundle(clusterTrustBundle, `${path}.clusterTrustBundle`, projection);
  if (podCertificate !== undefined) validatePodCertificate(podCertificate, `${path}.podCertificate`, projection);
  const count = [secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate].filter((one) => one !== undefined).length;
  if (count > 1) errors.forbidden(path, 'may not specify more than 1 volume type per source');
}

function claim(target: string, shown: string, { path, taken, errors }: Projection): void {
  if (taken.has(target)) errors.invalid(path, shown, 'conflicting duplicate paths');
  taken.add(target);
}

interface KeyedSource {
  readonly name?: string | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
}

function validateKeys({ name = '', items }: KeyedSource, path: string, projection: Projection): void {
  if (name === '') projection.errors.required(`${path}.name`);
  items?.forEach((item, index) => {
    validateKeyToPath(item, `${path}.items[${index}]`, projection.errors);
    if (item.path !== '') claim(item.path, name, projection);
  });
}

function validateToken({ expirationSeconds = 0, path: target }: ServiceAccountTokenProjection, path: string, projection: Projection, rules: PodRules): void {
  const { errors } = projection;
  if (expirationSeconds < 600) errors.invalid(`${path}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes');
  if (expirationSeconds > 2 ** 32) errors.invalid(`${path}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  // Reported at the volume, as upstream does.
  if (target === '') errors.required(`${projection.path}.path`);
  else if (!rules.anyTokenPath) validateNonReservedPath(target, `${projection.path}.path`, errors);
}

function validateTrustBundle(bundle: ClusterTrustBundleProjection, path: string, projection: Projection): void {
  const { errors } = projection;
  const { name, signerName } = bundle;
  if (name !== undefined && signerName !== undefined)
    errors.invalid(path, goForm(ClusterTrustBundleProjection, bundle), 'only one of name and signerName may be used');
  else if (name !== undefined) validateBundleByName(name, bundle, path, errors);
  else if (signerName !== undefined) validateBundleBySigner(signerName, bundle, path, errors);
  else errors.required(path, 'either name or signerName must be specified');
  if (bundle.path === '') errors.required(`${path}.path`);
  validateNonReservedPath(bundle.path, `${path}.path`, errors);
  claim(bundle.path, bundle.path, projection);
}

function validateBundleByName(name: string, { labelSelector }: ClusterTrustBundleProjection, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(`${path}.name`, 'must be a valid object name');
  for (const problem of trustBundleNameRule(signerOfTrustBundle(name))(name, false)) {
    errors.invalid(`${path}.name`, name, `not a valid clustertrustbundlename: ${problem}`);
  }
  if (labelSelector !== undefined) errors.invalid(`${path}.labelSelector`, labelSelector, 'labelSelector must be unset if name is specified');
}

function validateBundleBySigner(signerName: string, { labelSelector }: ClusterTrustBundleProjection, path: string, errors: FieldErrors): void {
  if (signerName === '') errors.required(`${path}.signerName`, 'must be a valid signer name');
  validateSignerName(signerName, `${path}.signerName`, errors);
  validateLabelSelector(labelSelector, `${path}.labelSelector`, errors);
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];

function validatePodCertificate(certificate: PodCertificateProjection, path: string, projection: Projection): void {
  const { errors } = projection;
  const { signerName = '', keyType = '', userAnnotations } = certificate;
  validateSignerName(signerName, `${path}.signerName`, errors);
  validateUserAnnotations(userAnnotations, `${path}.userAnnotations`, errors);
  if (!keyTypes.includes(keyType)) errors.notSupported(`${path}.keyType`, keyType, keyTypes);
  validateExpiration(certificate.maxExpirationSeconds, signerName, `${path}.maxExpirationSeconds`, errors);
  const targets = (['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const).filter((field) => certificate[field]);
  for (const field of targets) {
    const target = certificate[field] ?? '';
    validateNonReservedPath(target, `${path}.${field}`, errors);
    claim(target, target, projection);
  }
  if (targets.length === 0) errors.required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
}

function validateExpiration(seconds: number | undefined, signerName: string, path: string, errors: FieldErrors): void {
  if (seconds === undefined) return;
  if (seconds < 3600) errors.invalid(path, seconds, 'if provided, maxExpirationSeconds must be >= 3600');
  const longest = isKubernetesSigner(signerName) ? 24 * 3600 : 91 * 24 * 3600;
  if (seconds > longest) errors.invalid(path, seconds, `if provided, maxExpirationSeconds must be <= ${longest}`);
}

/** Keys must carry a domain. */
export function validateUserAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: string, errors: FieldErrors): void {
  let size = 0;
  for (const key in annotations) {
    const lower = key.toLowerCase();
    const problems = labelKeyProblems(lower);
    if (lower === '') errors.required(path);
    else if (problems.length > 0) errors.invalidEach(path, lower, problems);
    else if (!lower.includes('/')) errors.invalid(path, lower, 'must be a domain-prefixed key (such as "acme.io/foo")');
    size += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (size > 256 * 1024) errors.tooLong(path, 256 * 1024);
}
