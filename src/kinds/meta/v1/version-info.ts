import { type Infer, optional, required, string, struct } from '#schema/build.ts';

/** What /version answers; JSON only. */
export const VersionInfo = struct('io.k8s.apimachinery.pkg.version.Info', () => ({
  major: required(0, string),
  minor: required(0, string),
  emulationMajor: optional(0, string),
  emulationMinor: optional(0, string),
  minCompatibilityMajor: optional(0, string),
  minCompatibilityMinor: optional(0, string),
  gitVersion: required(0, string),
  gitCommit: required(0, string),
  gitTreeState: required(0, string),
  buildDate: required(0, string),
  goVersion: required(0, string),
  compiler: required(0, string),
  platform: required(0, string),
}));
export interface VersionInfo extends Infer<typeof VersionInfo> {}
