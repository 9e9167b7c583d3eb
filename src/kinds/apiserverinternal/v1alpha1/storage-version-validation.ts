// The rules of the storage versions that servers report.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1035LabelProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { repeatedAt } from '#base/repeated.ts';
import type { ServerStorageVersion, StorageVersion, StorageVersionCondition } from '#kinds/apiserverinternal/v1alpha1/storage-version.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

/** `<group>.<resource>` */
export function storageVersionNameProblems(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dns1123SubdomainProblems(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...dns1035LabelProblems(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

export function validateStorageVersionStatus({ status }: StorageVersion, errors: FieldErrors): void {
  const versions = status.storageVersions ?? [];
  const repeated = repeatedAt(versions.map(({ apiServerID }) => apiServerID));
  versions.forEach((version, index) => {
    const path = `status.storageVersions[${index}]`;
    if (repeated[index]) errors.duplicate(`${path}.apiServerID`, version.apiServerID ?? '');
    validateServerVersion(version, path, errors);
  });
  validateCommonVersion(status.commonEncodingVersion, versions, errors);
  validateConditions(status.conditions ?? [], errors);
}

function validateServerVersion(version: ServerStorageVersion, path: string, errors: FieldErrors): void {
  const { apiServerID = '', encodingVersion = '' } = version;
  const decodable = version.decodableVersions ?? [];
  errors.invalidEach(`${path}.apiServerID`, apiServerID, nameIsSubdomain(apiServerID, false));
  validateApiVersion(encodingVersion, `${path}.encodingVersion`, errors);
  decodable.forEach((each, index) => validateApiVersion(each, `${path}.decodableVersions[${index}]`, errors));
  if (!decodable.includes(encodingVersion)) {
    errors.invalid(`${path}.decodableVersions`, version.decodableVersions ?? null, `decodableVersions must include encodingVersion ${encodingVersion}`);
  }
  version.servedVersions?.forEach((served, index) => {
    const at = `${path}.servedVersions[${index}]`;
    validateApiVersion(served, at, errors);
    if (decodable.includes(served)) return;
    errors.invalid(at, served, `individual served version : ${served} must be included in decodableVersions : [${decodable.join(' ')}]`);
  });
}

function validateApiVersion(apiVersion: string, path: string, errors: FieldErrors): void {
  const problems = apiVersionProblems(apiVersion);
  if (problems.length > 0) errors.invalid(path, apiVersion, problems.join(','));
}

function apiVersionProblems(apiVersion: string): string[] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) {
    const label = "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with";
    const example = "an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    return [`an apiVersion is ${label} ${example} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`];
  }
  const [version = '', group] = parts.toReversed();
  return [
    ...(group === undefined ? [] : partProblems(group, dns1123SubdomainProblems, 'group part')),
    ...partProblems(version, dns1035LabelProblems, 'version part'),
  ];
}

function partProblems(part: string, problemsOf: (text: string) => readonly string[], what: string): string[] {
  const problems = part === '' ? ['must be non-empty'] : problemsOf(part);
  return problems.map((problem) => `${what}: ${problem}`);
}

function validateCommonVersion(common: string | undefined, versions: readonly ServerStorageVersion[], errors: FieldErrors): void {
  const path = 'status.commonEncodingVersion';
  const agreed = new Set(versions.map(({ encodingVersion }) => encodingVersion));
  const [actual] = agreed.size === 1 ? agreed : [];
  if (actual === common) return;
  if (actual === undefined) {
    const why = 'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    errors.invalid(path, common, why);
  } else if (common === undefined) errors.invalid(path, null, `the common encoding version is ${actual}`);
  else errors.invalid(path, common, `the actual common encoding version is ${actual}`);
}

/** Upstream leaves `conditions` out of these paths. */
function validateConditions(conditions: readonly StorageVersionCondition[], errors: FieldErrors): void {
  const latest = new Map<string, number>();
  conditions.forEach(({ type, status, reason, message }, index) => {
    const path = `status[${index}]`;
    const before = latest.get(type);
    latest.set(type, index);
    if (before !== undefined) {
      errors.invalid(`${path}.type`, type, `the type of the condition is not unique, it also appears in conditions[${before}]`);
    }
    validateLabelKey(type, `${path}.type`, errors);
    validateLabelKey(status, `${path}.status`, errors);
    if (!reason) errors.required(`${path}.reason`);
    if (!message) errors.required(`${path}.message`);
  });
}
