import { kubernetesVersion } from '#server/pages/version.ts';

/** tools/build.mjs puts the version of the package here. */
const version = process.env['BINNACLE_VERSION'] ?? 'from sources';

export function versionCommand(): void {
  process.stdout.write(`binnacle ${version}, Kubernetes ${kubernetesVersion.gitVersion}, node ${process.version}\n`);
}
