// The rules of what a container mounts.
import type { FieldErrors } from '#api/field-error.ts';
import type { Container, VolumeMount } from '#kinds/core/v1/container/container.ts';
import type { ValidVolumes } from '#kinds/core/v1/volume/volume-validation.ts';
import { hasBackstep, validateLocalPath } from '#kinds/rules/paths.ts';

export function validateVolumeMounts(container: Container, volumes: ValidVolumes, path: string, errors: FieldErrors): void {
  const { volumeMounts, volumeDevices = [] } = container;
  if (volumeMounts === undefined) return;
  const mountPaths = new Set<string>();
  const deviceNames = new Set(volumeDevices.map(({ name }) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }) => devicePath));
  for (const [index, mount] of volumeMounts.entries()) {
    const at = `${path}[${index}]`;
    const { name, mountPath } = mount;
    if (name === '') errors.required(`${at}.name`);
    if (!volumes.has(name)) errors.notFound(`${at}.name`, name);
    if (mountPath === '') errors.required(`${at}.mountPath`);
    if (mountPaths.has(mountPath)) errors.invalid(`${at}.mountPath`, mountPath, 'must be unique');
    mountPaths.add(mountPath);
    if (deviceNames.has(name)) errors.invalid(`${at}.name`, name, 'must not already exist in volumeDevices');
    if (devicePaths.has(mountPath)) {
      errors.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
    }
    validateMountOptions(mount, container, path, at, errors);
  }
}

/** Upstream reports most of these at the list. */
function validateMountOptions(mount: VolumeMount, container: Container, path: string, at: string, errors: FieldErrors): void {
  const { subPath, subPathExpr, mountPropagation, recursiveReadOnly } = mount;
  if (subPath) validateLocalPath(subPath, `${path}.subPath`, errors);
  if (subPathExpr) {
    if (subPath) errors.invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive');
    validateLocalPath(subPathExpr, `${path}.subPathExpr`, errors);
  }
  if (mountPropagation !== undefined) validatePropagation(mountPropagation, container, `${path}.mountPropagation`, errors);
  if (recursiveReadOnly !== undefined) validateRecursiveReadOnly(recursiveReadOnly, mount, `${path}.recursiveReadOnly`, errors);
}

function validatePropagation(propagation: string, { securityContext }: Container, path: string, errors: FieldErrors): void {
  const supported = ['Bidirectional', 'HostToContainer', 'None'];
  if (!supported.includes(propagation)) errors.notSupported(path, propagation, supported);
  if (propagation === 'Bidirectional' && securityContext?.privileged !== true) {
    errors.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateRecursiveReadOnly(mode: string, { readOnly, mountPropagation = 'None' }: VolumeMount, path: string, errors: FieldErrors): void {
  if (mode === 'Disabled') return;
  if (mode !== 'Enabled' && mode !== 'IfPossible') return errors.notSupported(path, mode, ['Disabled', 'Enabled', 'IfPossible']);
  if (!readOnly) errors.forbidden(path, 'may only be specified when readOnly is true');
  if (mountPropagation !== 'None') errors.forbidden(path, 'may only be specified when mountPropagation is None or not specified');
}

export function validateVolumeDevices({ volumeDevices, volumeMounts = [] }: Container, volumes: ValidVolumes, path: string, errors: FieldErrors): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounted = new Set(volumeMounts.map(({ name }) => name));
  const mountPaths = new Set(volumeMounts.map(({ mountPath }) => mountPath));
  volumeDevices?.forEach(({ name, devicePath }, index) => {
    const at = `${path}[${index}]`;
    if (name === '') errors.required(`${at}.name`);
    if (names.has(name)) errors.invalid(`${at}.name`, name, 'must be unique');
    const volume = volumes.get(name);
    if (volume === undefined) errors.notFound(`${at}.name`, name);
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      errors.invalid(`${at}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    }
    if (devicePath === '') errors.required(`${at}.devicePath`);
    if (paths.has(devicePath)) errors.invalid(`${at}.devicePath`, devicePath, 'must be unique');
    if (hasBackstep(devicePath)) errors.invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (mounted.has(name)) errors.invalid(`${at}.name`, name, 'must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) {
      errors.invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  });
}
