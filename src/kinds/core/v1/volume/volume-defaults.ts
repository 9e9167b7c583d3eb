// What the server fills in for volumes and for the claims that stand for them.
import { defaultResourceRequirements } from '#kinds/core/v1/container/container-defaults.ts';
import { PersistentVolumeClaimSpec, VolumeResourceRequirements } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
} from '#kinds/core/v1/volume/volume.ts';
import { HostPathVolumeSource } from '#kinds/core/v1/volume/volume-sources.ts';
import { defaultPullPolicy } from '#kinds/rules/images.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

export const hostPathDefaults: Defaults = [defaultsOf(HostPathVolumeSource, defaultHostPath)];

export const claimSpecDefaults: Defaults = [
  defaultsOf(PersistentVolumeClaimSpec, defaultClaimSpec),
  defaultsOf(VolumeResourceRequirements, defaultResourceRequirements),
];

export const volumeDefaults: Defaults = [
  ...hostPathDefaults,
  ...claimSpecDefaults,
  defaultsOf(Volume, defaultVolume),
  defaultsOf(SecretVolumeSource, defaultFileMode),
  defaultsOf(ConfigMapVolumeSource, defaultFileMode),
  defaultsOf(DownwardAPIVolumeSource, defaultFileMode),
  defaultsOf(ProjectedVolumeSource, defaultFileMode),
  defaultsOf(ServiceAccountTokenProjection, defaultTokenProjection),
];

function defaultHostPath(source: HostPathVolumeSource): void {
  source.type ??= '';
}

function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
}

function defaultVolume(volume: Volume): void {
  let empty = true;
  for (const field in volume) if (field !== 'name' && volume[field as keyof Volume] !== undefined) empty = false;
  if (empty) volume.emptyDir = {};
  if (volume.image !== undefined) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? '');
}

function defaultFileMode(source: { defaultMode?: number | undefined }): void {
  source.defaultMode ??= 0o644;
}

function defaultTokenProjection(token: ServiceAccountTokenProjection): void {
  token.expirationSeconds ??= 3600;
}
