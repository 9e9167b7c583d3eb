// --admission-control-config-file: what plugins are told beyond being on or off.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { EventLimit } from '#admission/plugins/event-rate-limit.ts';
import type { PodSecurityOptions } from '#admission/plugins/pod-security.ts';
import type { PodTolerationOptions } from '#admission/plugins/pod-toleration-restriction.ts';
import { parseLevel, parseVersion } from '#admission/pod-security/policy.ts';
import type { LimitedResource } from '#admission/quota/limited-resources.ts';
import { FieldErrors } from '#api/field-error.ts';
import { misfits, type Shape } from '#app/config-shape.ts';
import { FlagError } from '#app/flags/flags.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

/** The configuration of each plugin that has one, as written. */
export type PluginConfigurations = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

interface PluginEntry {
  readonly name?: string;
  readonly path?: string;
  readonly configuration?: Readonly<Record<string, unknown>> | null;
}

const texts: Shape = { listOf: 'text' };
const header = { kind: 'text', apiVersion: 'text' } as const;
const toleration: Shape = { fields: { key: 'text', operator: 'text', value: 'text', effect: 'text', tolerationSeconds: 'number' } };
const scope: Shape = { fields: { scopeName: 'text', operator: 'text', values: texts } };
const modes = { enforce: 'text', 'enforce-version': 'text', audit: 'text', 'audit-version': 'text', warn: 'text', 'warn-version': 'text' } as const;

interface ConfigurationForm {
  readonly shape: Shape;
  /** The kind in each group and version; without it the file has no header. */
  readonly kinds?: Readonly<Record<string, string>>;
}

const webhookForm: ConfigurationForm = {
  kinds: { 'apiserver.config.k8s.io/v1': 'WebhookAdmissionConfiguration' },
  shape: { fields: { ...header, kubeConfigFile: 'text', staticManifestsDir: 'text' } },
};

function policyForm(kind: string): ConfigurationForm {
  return { kinds: { 'apiserver.config.k8s.io/v1': kind }, shape: { fields: { ...header, staticManifestsDir: 'text' } } };
}

const forms: Readonly<Record<string, ConfigurationForm>> = {
  EventRateLimit: {
    kinds: { 'eventratelimit.admission.k8s.io/v1alpha1': 'Configuration' },
    shape: { fields: { ...header, limits: { listOf: { fields: { type: 'text', qps: 'number', burst: 'number', cacheSize: 'number' } } } } },
  },
  ImagePolicyWebhook: {
    shape: {
      fields: {
        imagePolicy: { fields: { kubeConfigFile: 'text', allowTTL: 'number', denyTTL: 'number', retryBackoff: 'number', defaultAllow: 'boolean' } },
      },
    },
  },
  MutatingAdmissionPolicy: policyForm('MutatingAdmissionPolicyConfiguration'),
  MutatingAdmissionWebhook: webhookForm,
  PodNodeSelector: { shape: { fields: { podNodeSelectorPluginConfig: { mapOf: 'text' } } } },
  PodSecurity: {
    kinds: Object.fromEntries(['v1', 'v1beta1', 'v1alpha1'].map((version) => [`pod-security.admission.config.k8s.io/${version}`, 'PodSecurityConfiguration'])),
    shape: {
      fields: { ...header, defaults: { fields: modes }, exemptions: { fields: { usernames: texts, namespaces: texts, runtimeClasses: texts } } },
    },
  },
  PodTolerationRestriction: {
    kinds: { 'podtolerationrestriction.admission.k8s.io/v1alpha1': 'Configuration' },
    shape: { fields: { ...header, default: { listOf: toleration }, whitelist: { listOf: toleration } } },
  },
  ResourceQuota: {
    kinds: {
      'apiserver.config.k8s.io/v1': 'ResourceQuotaConfiguration',
      'resourcequota.admission.k8s.io/v1beta1': 'Configuration',
      'resourcequota.admission.k8s.io/v1alpha1': 'Configuration',
    },
    shape: {
      fields: {
        ...header,
        limitedResources: { listOf: { fields: { apiGroup: 'text', resource: 'text', matchContains: texts, matchScopes: { listOf: scope } } } },
      },
    },
  },
  ValidatingAdmissionPolicy: policyForm('ValidatingAdmissionPolicyConfiguration'),
  ValidatingAdmissionWebhook: webhookForm,
};

const fileShape: Shape = { fields: { ...header, plugins: { listOf: { fields: { name: 'text', path: 'text', configuration: { fields: {} } } } } } };

export function readAdmissionConfig(file: string): PluginConfigurations {
  if (file === '') return new Map();
  const read = readObject(file) as { kind?: string; apiVersion?: string; plugins?: readonly PluginEntry[] };
  if (read.kind !== 'AdmissionConfiguration' || !read.apiVersion?.startsWith('apiserver.config.k8s.io/')) {
    throw new FlagError(`admission-control-config-file: ${file} is no AdmissionConfiguration of apiserver.config.k8s.io`);
  }
  const entries = (read.plugins ?? []).map((entry) => ({ ...entry, configuration: undefined }));
  refuseTexts(`admission-control-config-file: ${file}`, misfits({ ...read, plugins: entries }, fileShape));
  return new Map((read.plugins ?? []).map((plugin) => [plugin.name ?? '', configurationOf(plugin, file)]));
}

function configurationOf({ name = '', path, configuration }: PluginEntry, file: string): Readonly<Record<string, unknown>> {
  const content = configuration ?? (path ? readObject(resolve(dirname(file), path)) : undefined);
  const form = forms[name];
  if (content === undefined || form === undefined) return content ?? {};
  const { kind, apiVersion } = content as { kind?: string; apiVersion?: string };
  if (form.kinds && (apiVersion === undefined || kind === undefined || form.kinds[apiVersion] !== kind)) {
    throw initError(name, `no kind "${kind ?? ''}" is registered for version "${apiVersion ?? ''}"`);
  }
  refuseTexts(`failed to initialize admission: couldn't init admission plugin "${name}"`, misfits(content, form.shape));
  return content;
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
    if (!(burst > 0)) errors.invalid(`limits[${index}].burst`, burst ?? 0, 'must be positive');
    if (!(qps > 0)) errors.invalid(`limits[${index}].qps`, qps ?? 0, 'must be positive');
    if (cacheSize < 0 && type !== 'Server') errors.invalid(`limits[${index}].cacheSize`, cacheSize, 'must not be negative');
  }
  refuse('EventRateLimit', errors);
  return limits;
}

export function podSecurityOptions(configurations: PluginConfigurations): PodSecurityOptions {
  const { defaults, exemptions } = (configurations.get('PodSecurity') ?? {}) as {
    defaults?: Readonly<Record<string, string>> | null;
    exemptions?: Partial<PodSecurityOptions['exempt']> | null;
  };
  const errors = new FieldErrors();
  const mode = (name: 'enforce' | 'audit' | 'warn') => ({
    level: parseLevel(defaults?.[name] || 'privileged', `defaults.${name}`, errors) ?? 'restricted',
    version: parseVersion(defaults?.[`${name}-version`] || 'latest', `defaults.${name}-version`, errors),
  });
  const options = { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') };
  const { namespaces = [], usernames = [], runtimeClasses = [] } = exemptions ?? {};
  refuseRepeated({ namespaces, usernames, runtimeClasses }, errors);
  refuse('PodSecurity', errors);
  return { defaults: options, exempt: { namespaces, usernames, runtimeClasses } };
}

function refuseRepeated(exempt: PodSecurityOptions['exempt'], errors: FieldErrors): void {
  for (const [list, values] of Object.entries(exempt) as [string, readonly string[]][]) {
    for (const [index, value] of values.entries()) {
      if (value === '') errors.invalid(`exemptions.${list}[${index}]`, value, 'must not be empty');
      else if (values.indexOf(value) < index) errors.duplicate(`exemptions.${list}[${index}]`, value);
    }
  }
}

export function nodeSelectors(configurations: PluginConfigurations): Readonly<Record<string, string>> {
  return (configurations.get('PodNodeSelector')?.['podNodeSelectorPluginConfig'] ?? {}) as Readonly<Record<string, string>>;
}

const operators: readonly string[] = ['', 'Exists', 'Equal'];
const effects: readonly string[] = ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function podTolerations(configurations: PluginConfigurations): PodTolerationOptions {
  const { default: defaults, whitelist } = (configurations.get('PodTolerationRestriction') ?? {}) as {
    default?: PodTolerationOptions['defaults'] | null;
    whitelist?: PodTolerationOptions['allowed'] | null;
  };
  const errors = new FieldErrors();
  for (const [list, tolerations] of [['default', defaults] as const, ['whitelist', whitelist] as const]) {
    for (const [index, { operator = '', effect = '', value = '', key = '' }] of (tolerations ?? []).entries()) {
      const at = `podtolerationrestriction.${list}[${index}]`;
      if (!operators.includes(operator)) errors.notSupported(`${at}.operator`, operator, ['Equal', 'Exists']);
      if (!effects.includes(effect)) errors.notSupported(`${at}.effect`, effect, ['NoExecute', 'NoSchedule', 'PreferNoSchedule']);
      if (key === '' && operator !== 'Exists')
        errors.invalid(`${at}.operator`, operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"');
      if (operator === 'Exists' && value !== '') errors.invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'");
    }
  }
  refuse('PodTolerationRestriction', errors);
  return { defaults: defaults ?? [], allowed: whitelist ?? [] };
}

export function limitedResources(configurations: PluginConfigurations): readonly LimitedResource[] {
  const limited = (configurations.get('ResourceQuota')?.['limitedResources'] ?? []) as readonly Partial<LimitedResource>[];
  const errors = new FieldErrors();
  for (const [index, { resource }] of limited.entries()) if (!resource) errors.required(`limitedResources[${index}].resource`, '');
  refuse('ResourceQuota', errors);
  return limited.map(({ apiGroup = '', resource = '', matchContains = [], matchScopes = [] }) => ({ apiGroup, resource, matchContains, matchScopes }));
}

function refuse(plugin: string, errors: FieldErrors): void {
  if (!errors.empty) throw initError(plugin, errors.list.join(', '));
}

function refuseTexts(where: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new FlagError(`${where}: ${problems.join(', ')}`);
}

function initError(plugin: string, why: string): FlagError {
  return new FlagError(`failed to initialize admission: couldn't init admission plugin "${plugin}": ${why}`);
}
