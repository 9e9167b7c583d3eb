// The rules of a container's security context, and of the profiles it shares with the pod's.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainProblems, idProblems } from '#base/formats.ts';
import { type AppArmorProfile, SeccompProfile, SecurityContext, type WindowsSecurityContextOptions } from '#kinds/core/v1/container/security-context.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateLocalPath } from '#kinds/rules/paths.ts';
import { hasOuterSpace } from '#kinds/rules/values.ts';

export function validateSecurityContext(context: SecurityContext | undefined, hostUsers: boolean, path: string, errors: FieldErrors): void {
  if (context === undefined) return;
  const { runAsUser, runAsGroup, procMount } = context;
  if (runAsUser !== undefined) errors.invalidEach(`${path}.runAsUser`, runAsUser, idProblems(runAsUser));
  if (runAsGroup !== undefined) errors.invalidEach(`${path}.runAsGroup`, runAsGroup, idProblems(runAsGroup));
  if (procMount !== undefined) validateProcMount(procMount, hostUsers, `${path}.procMount`, errors);
  validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`, errors);
  validateEscalation(context, path, errors);
  validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`, errors);
  validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`, errors);
}

function validateProcMount(procMount: string, hostUsers: boolean, path: string, errors: FieldErrors): void {
  if (procMount !== 'Default' && procMount !== 'Unmasked') errors.notSupported(path, procMount, ['Default', 'Unmasked']);
  if (hostUsers && procMount === 'Unmasked') errors.invalid(path, procMount, '`hostUsers` must be false to use `Unmasked`');
}

function validateEscalation(context: SecurityContext, path: string, errors: FieldErrors): void {
  if (context.allowPrivilegeEscalation !== false) return;
  if (context.privileged === true) {
    errors.invalid(path, goForm(SecurityContext, context), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  }
  for (const capability of context.capabilities?.add ?? []) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    errors.invalid(path, goForm(SecurityContext, context), 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
  }
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

export function validateSeccompProfile(profile: SeccompProfile | undefined, path: string, errors: FieldErrors): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (type === '') errors.required(`${path}.type`, 'type is required when seccompProfile is set');
  else if (!profileTypes.includes(type)) errors.notSupported(`${path}.type`, type, profileTypes);
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined) {
      errors.invalid(`${path}.localhostProfile`, goForm(SeccompProfile, profile), 'can only be set when seccomp type is Localhost');
    }
  } else if (localhostProfile === undefined) {
    errors.required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost');
  } else {
    validateLocalPath(localhostProfile, `${path}.localhostProfile`, errors);
  }
}

export function validateAppArmorProfile(profile: AppArmorProfile | undefined, path: string, errors: FieldErrors): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (type === '') errors.required(`${path}.type`, 'type is required when appArmorProfile is set');
  else if (type === 'Localhost') validateAppArmorLocalhost(localhostProfile, `${path}.localhostProfile`, errors);
  else if (!profileTypes.includes(type)) errors.notSupported(`${path}.type`, type, profileTypes);
  else if (localhostProfile !== undefined) {
    errors.invalid(`${path}.localhostProfile`, asJson(localhostProfile), 'can only be set when AppArmor type is Localhost');
  }
}

function validateAppArmorLocalhost(profile: string | undefined, path: string, errors: FieldErrors): void {
  if (profile === undefined || profile === '') errors.required(path, 'must be set when AppArmor type is Localhost');
  else if (hasOuterSpace(profile)) errors.invalid(path, profile, 'must not be padded with whitespace');
  if (profile !== undefined && byteLength(profile) > 4095) errors.tooLong(path, 4095);
}

const maxCredentialSpec = 64 * 1024;

export function validateWindowsOptions(options: WindowsSecurityContextOptions | undefined, path: string, errors: FieldErrors): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName } = options;
  if (name !== undefined) errors.invalidEach(`${path}.gmsaCredentialSpecName`, asJson(name), dns1123SubdomainProblems(name));
  if (spec === '') errors.invalid(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string');
  else if (spec !== undefined && byteLength(spec) > maxCredentialSpec) {
    errors.invalid(`${path}.gmsaCredentialSpec`, asJson(spec), 'gmsaCredentialSpec size must be under 64 KiB');
  }
  if (runAsUserName !== undefined) errors.invalidEach(`${path}.runAsUserName`, asJson(runAsUserName), userNameProblems(runAsUserName));
}

const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsDomain = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** `DOMAIN\user` or `user`. */
function userNameProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (hasControlCharacter(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? domainProblems(parts[0] ?? '') : []), ...userProblems(user)];
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function domainProblems(domain: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(domain) >= 256) problems.push("runAsUserName's Domain length must be under 256 characters");
  if (!netBiosName.test(domain) && !dnsDomain.test(domain)) problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  return problems;
}

function userProblems(user: string): readonly string[] {
  const problems: string[] = [];
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > 104) problems.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return problems;
}
