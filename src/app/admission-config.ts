// --admission-control-config-file: what plugins are told beyond being on or off.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { EventLimit } from '#admission/plugins/event-rate-limit.ts';
import type { PodSecurityOptions } from '#admission/plugins/pod-security.ts';
import type { PodTolerationOptions } from '#admission/plugins/pod-toleration-restriction.ts';
import { parseLevel, parseVersion } from '#admission/pod-security/policy.ts';
import { FieldErrors } from '#api/field-error.ts';
import { FlagError } from '#app/flags.ts';
import { parseYaml } from '#schema/yaml.ts';

/** The configuration of each plugin that has one, as written. */
export type PluginConfigurations = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

interface PluginEntry {
  readonly name?: string;
  readonly path?: string;
  readonly configuration?: Readonly<Record<string, unknown>> | null;
}

export function readAdmissionConfig(file: string): PluginConfigurations {
  if (file === '') return new Map();
  const { kind, apiVersion, plugins = [] } = readObject(file) as { kind?: string; apiVersion?: string; plugins?: readonly PluginEntry[] };
  if (kind !== 'AdmissionConfiguration' || !apiVersion?.startsWith('apiserver.config.k8s.io/')) {
    throw new FlagError(`admission-control-config-file: ${file} is no AdmissionConfiguration of apiserver.config.k8s.io`);
  }
  const read = ({ path, configuration }: PluginEntry) => configuration ?? (path ? readObject(resolve(dirname(file), path)) : {});
  return new Map(plugins.map((plugin) => [plugin.name ?? '', read(plugin)]));
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  try {
    return (parseYaml(readFileSync(file)) ?? {}) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new FlagError(`admission-control-config-file: unable to read ${file}: ${(error as Error).message}`);
  }
}

const limitTypes: readonly string[] = ['Server', 'Namespace', 'User', 'SourceAndObject'];

export function eventLimits(configurations: PluginConfigurations): readonly EventLimit[] {
  const limits = (configurations.get('EventRateLimit')?.['limits'] ?? []) as readonly EventLimit[];
  const errors = new FieldErrors();
  if (limits.length === 0) errors.invalid('limits', limits, 'must not be empty');
  for (const [index, { type, burst, qps, cacheSize = 0 }] of limits.entries()) {
    if (!limitTypes.includes(type)) errors.notSupported(`limits[${index}].type`, type, limitTypes);
    if (!(burst > 0)) errors.invalid(`limits[${index}].burst`, burst, 'must be positive');
    if (!(qps > 0)) errors.invalid(`limits[${index}].qps`, qps, 'must be positive');
    if (cacheSize < 0) errors.invalid(`limits[${index}].cacheSize`, cacheSize, 'must not be negative');
  }
  refuse('EventRateLimit', errors);
  return limits;
}

export function podSecurityOptions(configurations: PluginConfigurations): PodSecurityOptions {
  const { defaults = {}, exemptions = {} } = (configurations.get('PodSecurity') ?? {}) as {
    defaults?: Readonly<Record<string, string>>;
    exemptions?: Partial<PodSecurityOptions['exempt']>;
  };
  const errors = new FieldErrors();
  const mode = (name: 'enforce' | 'audit' | 'warn') => ({
    level: parseLevel(defaults[name] ?? 'privileged', `defaults.${name}`, errors) ?? 'restricted',
    version: parseVersion(defaults[`${name}-version`] ?? 'latest', `defaults.${name}-version`, errors),
  });
  const options = { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') };
  refuse('PodSecurity', errors);
  const { namespaces = [], usernames = [], runtimeClasses = [] } = exemptions;
  return { defaults: options, exempt: { namespaces, usernames, runtimeClasses } };
}

export function nodeSelectors(configurations: PluginConfigurations): Readonly<Record<string, string>> {
  return (configurations.get('PodNodeSelector')?.['podNodeSelectorPluginConfig'] ?? {}) as Readonly<Record<string, string>>;
}

export function podTolerations(configurations: PluginConfigurations): PodTolerationOptions {
  const { default: defaults = [], whitelist = [] } = (configurations.get('PodTolerationRestriction') ?? {}) as {
    default?: PodTolerationOptions['defaults'];
    whitelist?: PodTolerationOptions['allowed'];
  };
  return { defaults, allowed: whitelist };
}

function refuse(plugin: string, errors: FieldErrors): void {
  if (!errors.empty) throw new FlagError(`failed to initialize admission: couldn't init admission plugin "${plugin}": ${errors.list.join(', ')}`);
}
