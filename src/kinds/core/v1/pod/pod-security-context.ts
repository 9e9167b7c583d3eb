import { AppArmorProfile, SELinuxOptions, SeccompProfile, WindowsSecurityContextOptions } from '#kinds/core/v1/container/security-context.ts';
import { boolean, type Infer, int64, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const PodSecurityContext = struct('io.k8s.api.core.v1.PodSecurityContext', () => ({
  seLinuxOptions: pointer(1, ref<SELinuxOptions>(SELinuxOptions)),
  windowsOptions: pointer(8, ref<WindowsSecurityContextOptions>(WindowsSecurityContextOptions)),
  runAsUser: pointer(2, int64),
  runAsGroup: pointer(6, int64),
  runAsNonRoot: pointer(3, boolean),
  supplementalGroups: optional(4, list(int64), { merge: 'atomic' }),
  supplementalGroupsPolicy: pointer(12, string, { enum: ['Merge', 'Strict'], goType: 'v1.SupplementalGroupsPolicy' }),
  fsGroup: pointer(5, int64),
  sysctls: optional(7, list(ref<Sysctl>(Sysctl)), { merge: 'atomic' }),
  fsGroupChangePolicy: pointer(9, string, { enum: ['Always', 'OnRootMismatch'], goType: 'v1.PodFSGroupChangePolicy' }),
  seccompProfile: pointer(10, ref<SeccompProfile>(SeccompProfile)),
  appArmorProfile: pointer(11, ref<AppArmorProfile>(AppArmorProfile)),
  seLinuxChangePolicy: pointer(13, string, { goType: 'v1.PodSELinuxChangePolicy' }),
}));
export interface PodSecurityContext extends Infer<typeof PodSecurityContext> {}

export const Sysctl = struct('io.k8s.api.core.v1.Sysctl', () => ({
  name: required(1, string),
  value: required(2, string),
}));
export interface Sysctl extends Infer<typeof Sysctl> {}
