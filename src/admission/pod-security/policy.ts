// What a namespace's labels ask of its pods: a level and a version for refusing, for the audit log and for warnings.
import { FieldErrors } from '#api/field-error.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';

export interface LevelVersion {
  readonly level: Level;
  /** The minor version of v1.x, or the newest there is. */
  readonly version: number | 'latest';
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export interface ReadPolicy {
  readonly policy: Policy;
  readonly errors: FieldErrors;
}

export const noRestriction: LevelVersion = { level: 'privileged', version: 'latest' };
export const privilegedPolicy: Policy = { enforce: noRestriction, audit: noRestriction, warn: noRestriction };

const levels: readonly string[] = ['privileged', 'baseline', 'restricted'];
const prefix = 'pod-security.kubernetes.io/';
const noErrors = new FieldErrors();

/** Levels that cannot be read are strict for refusing and mild for the rest. */
export function policyOf(labels: Readonly<Record<string, string>> | undefined, defaults: Policy): ReadPolicy {
  if (labels === undefined || !hasPolicy(labels)) return { policy: defaults, errors: noErrors };
  const errors = new FieldErrors();
  const enforce = readMode(labels, 'enforce', { ...defaults.enforce, strict: 'restricted' }, errors);
  const audit = readMode(labels, 'audit', { ...defaults.audit, strict: 'privileged' }, errors);
  const warn = readMode(labels, 'warn', { ...defaults.warn, strict: 'privileged' }, errors);
  return { policy: { enforce, audit, warn: followEnforced(labels, enforce, warn) }, errors };
}

function hasPolicy(labels: Readonly<Record<string, string>>): boolean {
  for (const key in labels) if (key.startsWith(prefix)) return true;
  return false;
}

interface ModeDefaults extends LevelVersion {
  /** Stands in for a level that cannot be read. */
  readonly strict: Level;
}

function readMode(labels: Readonly<Record<string, string>>, mode: string, { strict, ...defaults }: ModeDefaults, errors: FieldErrors): LevelVersion {
  const level = labels[prefix + mode];
  const version = labels[`${prefix}${mode}-version`];
  return {
    level: level === undefined ? defaults.level : (parseLevel(level, `metadata.labels[${prefix}${mode}]`, errors) ?? strict),
    version: version === undefined ? defaults.version : parseVersion(version, `metadata.labels[${prefix}${mode}-version]`, errors),
  };
}

/** Without a level of its own, the warning is about what is refused. */
function followEnforced(labels: Readonly<Record<string, string>>, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const enforced = labels[`${prefix}enforce`];
  if (labels[`${prefix}warn`] !== undefined || enforced === undefined || !levels.includes(enforced)) return warn;
  if (compareLevels(enforce.level, warn.level) <= 0) return warn;
  return labels[`${prefix}warn-version`] === undefined ? enforce : { level: enforce.level, version: warn.version };
}

export function parseLevel(text: string, field: string, errors: FieldErrors): Level | undefined {
  if (levels.includes(text)) return text as Level;
  errors.invalid(field, text, `must be one of ${levels.join(', ')}`);
  return undefined;
}

export function parseVersion(text: string, field: string, errors: FieldErrors): number | 'latest' {
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1];
  if (minor !== undefined) return Number(minor);
  if (text !== 'latest') errors.invalid(field, text, 'must be "latest" or "v1.x"');
  return 'latest';
}

export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

export function formatLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

export function sameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

export function isFullyPrivileged({ enforce, audit, warn }: Policy): boolean {
  return enforce.level === 'privileged' && audit.level === 'privileged' && warn.level === 'privileged';
}
