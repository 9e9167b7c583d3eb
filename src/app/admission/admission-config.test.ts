import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eventLimits, limitedResources, nodeSelectors, podSecurityOptions, podTolerations, readAdmissionConfig } from '#app/admission/admission-config.ts';
import { imagePolicyOptions } from '#app/admission/image-review.ts';
import { webhookCredentials } from '#app/admission/webhook-credentials.ts';

const dir = mkdtempSync(join(tmpdir(), 'binnacle-admission-config-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function written(name: string, content: object): string {
  const file = join(dir, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const header = { kind: 'AdmissionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };

function configured(name: string, configuration: object) {
  return readAdmissionConfig(written('config.yaml', { ...header, plugins: [{ name, configuration }] }));
}

describe('the file', () => {
  test('may be absent, and then says nothing', () => {
    expect(readAdmissionConfig('').size).toBe(0);
  });

  test('names files of plugins relative to itself', () => {
    written('selectors.yaml', { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } });
    const read = readAdmissionConfig(written('config.yaml', { ...header, plugins: [{ name: 'PodNodeSelector', path: 'selectors.yaml' }] }));
    expect(nodeSelectors(read)).toEqual({ clusterDefaultNodeSelector: 'a=b' });
  });

  test.each([
    [{ kind: 'Other', apiVersion: 'v1' }, 'is no AdmissionConfiguration of apiserver.config.k8s.io'],
    [{ ...header, plugin: [] }, 'unknown field "plugin"'],
    [{ ...header, plugins: [{ name: 'PodSecurity', file: 'x' }] }, 'unknown field "plugins[0].file"'],
    [{ ...header, plugins: [{ name: 'PodSecurity', path: 'missing.yaml' }] }, 'unable to read'],
  ])('%j is refused', (content, why) => {
    expect(() => readAdmissionConfig(written('config.yaml', content))).toThrow(why);
  });

  test('is left alone where it is about plugins that read it themselves', () => {
    expect(configured('NamespaceLifecycle', { anything: 1 }).get('NamespaceLifecycle')).toEqual({ anything: 1 });
  });
});

describe('the webhook plugins', () => {
  const v1 = { kind: 'WebhookAdmissionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  const credentials = (file: object) => webhookCredentials(configured('ValidatingAdmissionWebhook', { ...v1, ...file }), 'ValidatingAdmissionWebhook');

  test('show each webhook the user whose name fits its host best', () => {
    const kubeConfigFile = join(dir, 'webhooks.kubeconfig');
    const user = (name: string) => ({ name, user: { token: name } });
    const users = ['*.apps.svc', 'exact.apps.svc', '*', 'other.test:8443'].map(user);
    writeFileSync(kubeConfigFile, JSON.stringify({ users }));
    const find = credentials({ kubeConfigFile });
    const shown = (hostPort: string) => find(hostPort).headers?.['authorization'];
    expect(shown('exact.apps.svc:443')).toBe('Bearer exact.apps.svc');
    expect(shown('one.apps.svc:443')).toBe('Bearer *.apps.svc');
    expect(shown('other.test:8443')).toBe('Bearer other.test:8443');
    expect(shown('other.test:443')).toBe('Bearer *');
  });

  test('are refused with what they cannot use', () => {
    expect(() => credentials({ kubeConfigFile: 'relative' })).toThrow('must be an absolute file path');
    expect(() => credentials({ surprise: 1 })).toThrow('surprise');
  });
});

const init = (plugin: string) => `couldn't init admission plugin "${plugin}": `;

describe('EventRateLimit', () => {
  const v1alpha1 = { kind: 'Configuration', apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1' };
  const read = (configuration: object) => eventLimits(configured('EventRateLimit', configuration));

  test('takes limits', () => {
    const limits = [{ type: 'Namespace', qps: 1, burst: 2, cacheSize: 10 }];
    expect(read({ ...v1alpha1, limits })).toEqual(limits);
  });

  test.each([
    [{ limits: [] }, 'no kind "" is registered for version ""'],
    [{ ...v1alpha1, limits: [] }, 'limits: Invalid value: []: must not be empty'],
    [{ ...v1alpha1, limits: [{ type: 'Pod', qps: 1, burst: 1 }] }, 'limits[0].type: Unsupported value: "Pod"'],
    [{ ...v1alpha1, limits: [{ type: 'User', qps: 0, burst: 1 }] }, 'limits[0].qps: Invalid value: 0: must be positive'],
    [{ ...v1alpha1, limits: [{ type: 'User', qps: 1 }] }, 'limits[0].burst: Invalid value: 0: must be positive'],
    [{ ...v1alpha1, limits: [{ type: 'User', qps: 1, burst: 1, cacheSize: -1 }] }, 'limits[0].cacheSize: Invalid value: -1: must not be negative'],
    [{ ...v1alpha1, limits: [{ type: 'User', qps: '1', burst: 1 }] }, 'limits[0].qps: must be a number'],
    [{ ...v1alpha1, limits: [{ type: 'User', qps: 1, burst: 1, size: 3 }] }, 'unknown field "limits[0].size"'],
  ])('%j is refused', (configuration, why) => {
    expect(() => read(configuration)).toThrow(init('EventRateLimit') + why);
  });
});

describe('PodSecurity', () => {
  const v1 = { kind: 'PodSecurityConfiguration', apiVersion: 'pod-security.admission.config.k8s.io/v1' };
  const read = (configuration: object) => podSecurityOptions(configured('PodSecurity', configuration));

  test('takes defaults and exemptions', () => {
    const { defaults, exempt } = read({
      ...v1,
      defaults: { enforce: 'baseline', 'enforce-version': 'v1.30', warn: 'restricted' },
      exemptions: { namespaces: ['kube-system'] },
    });
    expect(defaults.enforce).toEqual({ level: 'baseline', version: 30 });
    expect(defaults.warn).toEqual({ level: 'restricted', version: 'latest' });
    expect(defaults.audit).toEqual({ level: 'privileged', version: 'latest' });
    expect(exempt).toEqual({ namespaces: ['kube-system'], usernames: [], runtimeClasses: [] });
  });

  test.each([
    [{ ...v1, apiVersion: 'v1' }, 'no kind "PodSecurityConfiguration" is registered for version "v1"'],
    [{ ...v1, defaults: { enforce: 'strict' } }, 'defaults.enforce: Invalid value: "strict": must be one of privileged, baseline, restricted'],
    [{ ...v1, defaults: { 'warn-version': '1.30' } }, 'defaults.warn-version: Invalid value: "1.30": must be "latest" or "v1.x"'],
    [{ ...v1, defaults: { deny: 'baseline' } }, 'unknown field "defaults.deny"'],
    [{ ...v1, exemptions: { users: ['a'] } }, 'unknown field "exemptions.users"'],
    [{ ...v1, exemptions: { usernames: ['a', 'a'] } }, 'exemptions.usernames[1]: Duplicate value: "a"'],
  ])('%j is refused', (configuration, why) => {
    expect(() => read(configuration)).toThrow(init('PodSecurity') + why);
  });
});

describe('PodTolerationRestriction', () => {
  const v1alpha1 = { kind: 'Configuration', apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1' };
  const read = (configuration: object) => podTolerations(configured('PodTolerationRestriction', configuration));

  test('takes tolerations for all namespaces', () => {
    const [one, other] = [
      { key: 'a', operator: 'Exists' },
      { key: 'b', operator: 'Equal', value: 'c', effect: 'NoExecute' },
    ];
    expect(read({ ...v1alpha1, default: [one], whitelist: [one, other] })).toEqual({ defaults: [one], allowed: [one, other] });
  });

  test.each([
    [{ default: [] }, 'no kind "" is registered for version ""'],
    [{ ...v1alpha1, default: [{ key: 'a', operator: 'In' }] }, 'podtolerationrestriction.default[0].operator: Unsupported value: "In"'],
    [{ ...v1alpha1, whitelist: [{ key: 'a', effect: 'Never' }] }, 'podtolerationrestriction.whitelist[0].effect: Unsupported value: "Never"'],
    [{ ...v1alpha1, whitelist: [{ value: 'a' }] }, 'operator must be Exists when `key` is empty'],
    [{ ...v1alpha1, defaults: [] }, 'unknown field "defaults"'],
  ])('%j is refused', (configuration, why) => {
    expect(() => read(configuration)).toThrow(why);
  });
});

describe('PodNodeSelector', () => {
  test.each([
    [{ podNodeSelectorPluginConfig: { a: 1 } }, 'podNodeSelectorPluginConfig.a: must be a string'],
    [{ nodeSelectors: {} }, 'unknown field "nodeSelectors"'],
  ])('%j is refused', (configuration, why) => {
    expect(() => nodeSelectors(configured('PodNodeSelector', configuration))).toThrow(init('PodNodeSelector') + why);
  });
});

describe('ImagePolicyWebhook', () => {
  test.each([
    [{}, 'no config specified'],
    [{ imagePolicy: { kubeConfigFile: 1 } }, 'imagePolicy.kubeConfigFile: must be a string'],
    [{ imagePolicy: { allowTtl: 1 } }, 'unknown field "imagePolicy.allowTtl"'],
  ])('%j is refused', (configuration, why) => {
    expect(() => imagePolicyOptions(configured('ImagePolicyWebhook', configuration))).toThrow(why);
  });
});

describe('ResourceQuota', () => {
  const v1 = { kind: 'ResourceQuotaConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  const read = (configuration: object) => limitedResources(configured('ResourceQuota', configuration));

  test('takes what needs a quota', () => {
    const rule = { resource: 'pods', matchContains: ['cpu'] };
    expect(read({ ...v1, limitedResources: [rule] })).toEqual([{ ...rule, apiGroup: '', matchScopes: [] }]);
  });

  test.each([
    [{ ...v1, kind: 'Configuration' }, 'no kind "Configuration" is registered for version "apiserver.config.k8s.io/v1"'],
    [{ ...v1, limitedResources: [{ matchContains: ['cpu'] }] }, 'limitedResources[0].resource: Required value'],
    [{ ...v1, limitedResources: [{ resource: 'pods', contains: [] }] }, 'unknown field "limitedResources[0].contains"'],
    [{ ...v1, limitedResources: {} }, 'limitedResources: must be a list'],
  ])('%j is refused', (configuration, why) => {
    expect(() => read(configuration)).toThrow(init('ResourceQuota') + why);
  });
});
