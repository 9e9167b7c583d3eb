import { boolean, type Infer, int64, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const SecurityContext = struct('io.k8s.api.core.v1.SecurityContext', () => ({
  capabilities: pointer(1, ref<Capabilities>(Capabilities)),
  privileged: pointer(2, boolean),
  seLinuxOptions: pointer(3, ref<SELinuxOptions>(SELinuxOptions)),
  windowsOptions: pointer(10, ref<WindowsSecurityContextOptions>(WindowsSecurityContextOptions)),
  runAsUser: pointer(4, int64),
  runAsGroup: pointer(8, int64),
  runAsNonRoot: pointer(5, boolean),
  readOnlyRootFilesystem: pointer(6, boolean),
  allowPrivilegeEscalation: pointer(7, boolean),
  procMount: pointer(9, string, { enum: ['Default', 'Unmasked'], goType: 'v1.ProcMountType' }),
  seccompProfile: pointer(11, ref<SeccompProfile>(SeccompProfile)),
  appArmorProfile: pointer(12, ref<AppArmorProfile>(AppArmorProfile)),
}));
export interface SecurityContext extends Infer<typeof SecurityContext> {}

export const Capabilities = struct('io.k8s.api.core.v1.Capabilities', () => ({
  add: optional(1, list(string), { merge: 'atomic', goType: '[]v1.Capability' }),
  drop: optional(2, list(string), { merge: 'atomic', goType: '[]v1.Capability' }),
}));
export interface Capabilities extends Infer<typeof Capabilities> {}

export const SELinuxOptions = struct('io.k8s.api.core.v1.SELinuxOptions', () => ({
  user: optional(1, string),
  role: optional(2, string),
  type: optional(3, string),
  level: optional(4, string),
}));
export interface SELinuxOptions extends Infer<typeof SELinuxOptions> {}

export const WindowsSecurityContextOptions = struct('io.k8s.api.core.v1.WindowsSecurityContextOptions', () => ({
  gmsaCredentialSpecName: pointer(1, string),
  gmsaCredentialSpec: pointer(2, string),
  runAsUserName: pointer(3, string),
  hostProcess: pointer(4, boolean),
}));
export interface WindowsSecurityContextOptions extends Infer<typeof WindowsSecurityContextOptions> {}

export const SeccompProfile = struct(
  'io.k8s.api.core.v1.SeccompProfile',
  () => ({
    type: required(1, string, { enum: ['Localhost', 'RuntimeDefault', 'Unconfined'], goType: 'v1.SeccompProfileType' }),
    localhostProfile: pointer(2, string),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } }] },
);
export interface SeccompProfile extends Infer<typeof SeccompProfile> {}

export const AppArmorProfile = struct(
  'io.k8s.api.core.v1.AppArmorProfile',
  () => ({
    type: required(1, string, { enum: ['Localhost', 'RuntimeDefault', 'Unconfined'], goType: 'v1.AppArmorProfileType' }),
    localhostProfile: pointer(2, string),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } }] },
);
export interface AppArmorProfile extends Infer<typeof AppArmorProfile> {}
