// Every check × level × version as the API tells it, for pods and for every kind that holds a template of them.
import { describe, expect, test } from 'vitest';
import { newestVersion } from '#admission/pod-security/evaluate.ts';
import { apiUnderTest, strategicPatch } from '../../../test/support/api-under-test.ts';
import { isRefused, type PodSecurityCase, podSecurityCases, podSpecOf } from '../../../test/support/pod-security-cases.ts';

const api = apiUnderTest('--allow-privileged=true');
const cases = podSecurityCases.filter(({ checkOnly }) => !checkOnly);
const levels = ['baseline', 'restricted'] as const;
/** The first version, the newest, and those in which the answer about the case turns; what lies between is asked of the checks themselves. */
function turnsOf(one: PodSecurityCase, level: 'baseline' | 'restricted'): readonly (number | 'latest')[] {
  const [from, to] = one[level] ?? [0, newestVersion];
  const around = [from - 1, from, to, to + 1].filter((version) => version > 0 && version <= newestVersion);
  return [...new Set([0, ...around]), 'latest'];
}

const namespaces = new Map<string, Promise<string>>();

/** A namespace that warns by this level and version; made once. */
function warning(level: string, version: number | 'latest', mode = 'warn'): Promise<string> {
  const key = `${mode} ${level} ${version}`;
  const known = namespaces.get(key) ?? label(mode, level, version);
  namespaces.set(key, known);
  return known;
}

async function label(mode: string, level: string, version: number | 'latest'): Promise<string> {
  const name = await api.namespace();
  const prefix = `pod-security.kubernetes.io/${mode}`;
  const labels = { [prefix]: level, [`${prefix}-version`]: version === 'latest' ? version : `v1.${version}` };
  const { code } = await api.ask('PATCH', `/api/v1/namespaces/${name}`, { metadata: { labels } }, { type: 'application/merge-patch+json' });
  expect(code).toBe(200);
  return name;
}

/** What is said of the case: its own words, or nothing; anything else only where nothing should be said. */
function told({ says }: PodSecurityCase, warnings: unknown): string {
  const text = String(warnings ?? '')
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\');
  const about = text.includes('would violate PodSecurity') ? text : '';
  return says === '' ? about : about.includes(says) ? says : '';
}

const podOf = (one: PodSecurityCase, name = 'p') => ({
  metadata: { name, ...(one.annotations && { annotations: one.annotations }) },
  spec: podSpecOf(one, 'containers'),
});

test.each(cases)('a pod that $what is warned about in the versions that know the check', async (one) => {
  const [found, wanted]: [string, string][][] = [[], []];
  for (const level of levels) {
    for (const version of turnsOf(one, level)) {
      const namespace = await warning(level, version);
      const { code, headers, text } = await api.ask('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, podOf(one));
      found?.push([`${level}:${version}`, code === 201 ? told(one, headers['warning']) : text]);
      wanted?.push([`${level}:${version}`, isRefused(one, level, version) ? one.says : '']);
    }
  }
  expect(found).toEqual(wanted);
});

const selector = { matchLabels: { a: 'b' } };
type Template = object;
const workloads: readonly (readonly [string, string, (template: Template) => object])[] = [
  ['/api/v1', 'replicationcontrollers', (template) => ({ spec: { selector: { a: 'b' }, template } })],
  ['/api/v1', 'podtemplates', (template) => ({ template })],
  ['/apis/apps/v1', 'replicasets', (template) => ({ spec: { selector, template } })],
  ['/apis/apps/v1', 'deployments', (template) => ({ spec: { selector, template } })],
  ['/apis/apps/v1', 'statefulsets', (template) => ({ spec: { serviceName: 's', selector, template } })],
  ['/apis/apps/v1', 'daemonsets', (template) => ({ spec: { selector, template } })],
  ['/apis/batch/v1', 'jobs', (template) => ({ spec: { template } })],
  ['/apis/batch/v1', 'cronjobs', (template) => ({ spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } })],
];

describe.each(workloads)('in %s the template of %s', (root, resource, holding) => {
  test('is warned about like a pod', async () => {
    const restartPolicy = root.includes('batch') ? { restartPolicy: 'Never' } : {};
    const [found, wanted]: [string, string][][] = [[], []];
    for (const one of cases) {
      const { metadata, spec } = podOf(one, '');
      const { name: _, ...others } = metadata;
      const object = holding({ metadata: { ...others, labels: { a: 'b' } }, spec: { ...spec, ...restartPolicy } });
      const level = isRefused(one, 'baseline', 'latest') ? 'baseline' : 'restricted';
      const namespace = await warning(level, 'latest');
      const path = `${root}/namespaces/${namespace}/${resource}?dryRun=All`;
      const { code, headers, text } = await api.ask('POST', path, { metadata: { name: 'w' }, ...object });
      found?.push([one.what, code === 201 ? told(one, headers['warning']) : text]);
      wanted?.push([one.what, isRefused(one, level, 'latest') ? one.says : '']);
    }
    expect(found).toEqual(wanted);
  });
});

test('an ephemeral container is refused for what a container is refused for', async () => {
  const [found, wanted]: [string, string][][] = [[], []];
  for (const level of levels) {
    const namespace = await warning(level, 'latest', 'enforce');
    await api.make(`/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: 'p' },
      spec: { ...podSpecOf({}, 'ephemeralContainers'), ephemeralContainers: [] },
    });
    for (const one of cases.filter(({ containerSecurity, pod, securityContext }) => containerSecurity && !pod && !securityContext)) {
      const patch = { spec: { ephemeralContainers: podSpecOf(one, 'ephemeralContainers')['ephemeralContainers'] } };
      const { code, body, text } = await api.ask('PATCH', `/api/v1/namespaces/${namespace}/pods/p/ephemeralcontainers?dryRun=All`, patch, strategicPatch);
      const refusedFor = code === 403 && body.message.includes(one.says) ? one.says || text : '';
      found?.push([one.what, code === 200 || code === 403 ? refusedFor : text]);
      wanted?.push([one.what, isRefused(one, level, 'latest') ? one.says : '']);
    }
  }
  expect(found).toEqual(wanted);
});
