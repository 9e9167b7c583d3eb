// Warnings about volumes: sources that no longer work, and files that hide each other.
import { goQuote } from '#base/go-text.ts';
import type { PersistentVolumeClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import type { Volume, VolumeProjection } from '#kinds/core/v1/volume/volume.ts';
import { hasFraction } from '#kinds/rules/quantities.ts';

/** With the names that upstream prints. */
const fadedSources: readonly (readonly [field: keyof Volume, shown: string, message: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const fadedFields: ReadonlySet<string> = new Set(fadedSources.map(([field]) => field));

function hasFadedSource(volume: Volume): boolean {
  for (const field in volume) if (fadedFields.has(field)) return true;
  return false;
}

export function volumeWarnings(volumes: readonly Volume[] | undefined, path: string): readonly string[] {
  const warnings: string[] = [];
  volumes?.forEach((volume, index) => {
    if (hasFadedSource(volume))
      for (const [field, shown, message] of fadedSources) if (volume[field] !== undefined) warnings.push(`${path}[${index}].${shown}: ${message}`);
    const claim = volume.ephemeral?.volumeClaimTemplate;
    if (claim !== undefined) warnings.push(...claimSpecWarnings(claim.spec, `${path}[${index}].ephemeral.volumeClaimTemplate.spec`));
  });
  return [...warnings, ...(volumes ?? []).flatMap(overlapWarnings)];
}

export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, path: string): readonly string[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const amount = resources[list]?.['storage'];
    if (amount === undefined || !hasFraction(amount)) return [];
    return [`${path}.resources.${list}[storage]: fractional byte value ${goQuote(amount)} is invalid, must be an integer`];
  });
}

const none: readonly string[] = [];

interface Target {
  readonly path: string;
  /** What a warning says about it; hardly ever asked. */
  readonly source: () => string;
}

function overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): readonly string[] {
  if (projected === undefined && configMap?.items === undefined && secret?.items === undefined && downwardAPI?.items === undefined) return none;
  const warn = (what: string, targets: readonly Target[]) =>
    overlaps(targets).map((overlap) => `volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`);
  const warnings: string[] = [];
  if (configMap?.items !== undefined) warnings.push(...warn(`ConfigMap ${goQuote(configMap.name ?? '')}`, targetsOf(configMap.items)));
  if (secret?.items !== undefined) warnings.push(...warn(`Secret ${goQuote(secret.secretName ?? '')}`, targetsOf(secret.items)));
  if (downwardAPI?.items !== undefined) warnings.push(...warn('DownwardAPI', targetsOf(downwardAPI.items)));
  const sources = projected?.sources ?? [];
  for (const source of sources) if (isEmpty(source)) warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
  return [...warnings, ...warn('Projected', sources.flatMap(projectedTargets))];
}

function isEmpty(source: VolumeProjection): boolean {
  for (const field in source) if (source[field as keyof VolumeProjection] !== undefined) return false;
  return true;
}

const unsaid = () => '';

function targetsOf(items: readonly { readonly path: string }[], source: () => string = unsaid): Target[] {
  return items.map(({ path }) => ({ path, source }));
}

function projectedTargets({ configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate }: VolumeProjection): Target[] {
  if (configMap?.items !== undefined) return targetsOf(configMap.items, () => `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return targetsOf(secret.items, () => `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items !== undefined) return targetsOf(downwardAPI.items, () => 'DownwardAPI');
  if (serviceAccountToken !== undefined) return [{ path: serviceAccountToken.path, source: () => 'ServiceAccountToken' }];
  if (clusterTrustBundle !== undefined) {
    const { name = clusterTrustBundle.signerName ?? '' } = clusterTrustBundle;
    return [{ path: clusterTrustBundle.path, source: () => `ClusterTrustBundle ${goQuote(name)}` }];
  }
  return [
    { path: podCertificate?.certificateChainPath ?? '', source: () => 'PodCertificate chain' },
    { path: podCertificate?.keyPath ?? '', source: () => 'PodCertificate key' },
    { path: podCertificate?.credentialBundlePath ?? '', source: () => 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

/** Each target is compared with those before it; beyond this many the warning is given up, upstream compares all. */
const mostCompared = 500;

function overlaps(targets: readonly Target[]): readonly string[] {
  const before: Target[] = [];
  const found: string[] = [];
  for (const target of targets.slice(0, mostCompared)) {
    const needle = target.path.endsWith('/') ? { ...target, path: target.path.replace(/\/+$/, '') } : target;
    for (const other of before) if (overlap(other.path, needle.path)) found.push(`${shown(needle)} with ${shown(other)}`);
    before.push(needle);
  }
  return found;
}

function overlap(a: string, b: string): boolean {
  return a !== '' && b !== '' && (isWithin(a, b) || isWithin(b, a));
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

function shown({ path, source }: Target): string {
  const said = source();
  return said === '' ? goQuote(path) : `${goQuote(path)} (${said})`;
}
