// What operators read: the list of paths, the metrics and the promise about them in docs/metrics.md.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = resolve(import.meta.dirname, '../../..');
const recordings = resolve(root, '../shared/oracle');
let dir: string;
let server: ServerInTest;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-operations-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const authority = new TestAuthority('proxies');
  const proxy = authority.issue({ commonName: 'front-proxy' }, { usage: 'client' });
  server = await ServerInTest.start({
    flags: [
      `--requestheader-client-ca-file=${file('ca.crt', authority.cert)}`,
      `--proxy-client-cert-file=${file('proxy.crt', proxy.cert)}`,
      `--proxy-client-key-file=${file('proxy.key', proxy.key)}`,
      `--audit-policy-file=${file('policy.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n')}`,
      `--audit-log-path=${join(dir, 'audit.log')}`,
    ],
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

describe.skipIf(!existsSync(recordings))('against what a real server has', () => {
  test('the root lists the same paths', async () => {
    const { paths } = JSON.parse(readFileSync(join(recordings, 'root-paths.json'), 'utf8')) as { paths: string[] };
    const ours = JSON.parse((await server.ask('GET', '/')).text) as { paths: string[] };
    expect(ours.paths).toEqual(paths);
  });

  test('docs/metrics.md says of each metric whether it is served, or why not', () => {
    const names = (JSON.parse(readFileSync(join(recordings, 'metrics-names.json'), 'utf8')) as { name: string }[]).map(({ name }) => name);
    const { served, leftOut } = promised();
    const missing = names.filter((name) => !served.includes(name) && !leftOut.some((pattern) => matches(pattern, name)));
    expect(missing).toEqual([]);
    expect(served.filter((name) => leftOut.some((pattern) => matches(pattern, name)))).toEqual([]);
    const ownWords = /^(binnacle|process)_/;
    expect(served.filter((name) => !names.includes(name) && !ownWords.test(name) && !recordedElsewhere.has(name))).toEqual([]);
  });
});

/** Only where webhooks, policies, manifests or extension servers are: their own tests look at them. */
const ofRules = [
  'aggregator_unavailable_apiservice_total',
  'apiserver_manifest_admission_config_controller_automatic_reload_last_timestamp_seconds',
  'apiserver_manifest_admission_config_controller_automatic_reloads_total',
  'apiserver_manifest_admission_config_controller_last_config_info',
  'apiserver_mutating_admission_policy_check_duration_seconds',
  'apiserver_mutating_admission_policy_check_total',
  'apiserver_validating_admission_policy_check_duration_seconds',
  'apiserver_validating_admission_policy_check_total',
  'apiserver_admission_match_condition_evaluation_errors_total',
  'apiserver_admission_match_condition_evaluation_seconds',
  'apiserver_admission_match_condition_exclusions_total',
  'apiserver_admission_webhook_admission_duration_seconds',
  'apiserver_admission_webhook_fail_open_count',
  'apiserver_admission_webhook_rejection_count',
  'apiserver_admission_webhook_request_total',
  'apiserver_conversion_webhook_duration_seconds',
  'apiserver_conversion_webhook_request_total',
  'apiserver_crd_conversion_webhook_duration_seconds',
];

/** Only where objects lie encrypted: src/app/encryption/encryption-metrics.test.ts looks at them. */
const ofEncryption = [
  'apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds',
  'apiserver_encryption_config_controller_automatic_reloads_total',
  'apiserver_encryption_config_controller_last_config_info',
  'apiserver_envelope_encryption_dek_source_cache_size',
  'apiserver_envelope_encryption_invalid_key_id_from_status_total',
  'apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds',
  'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
  'apiserver_envelope_encryption_key_id_hash_total',
  'apiserver_envelope_encryption_kms_operations_latency_seconds',
  'apiserver_storage_transformation_duration_seconds',
  'apiserver_storage_transformation_operations_total',
];

/** Only where objects are in an etcd: src/app/etcd/etcd-metrics.test.ts looks at them. */
const ofEtcd = ['apiserver_storage_events_received_total', 'etcd_request_duration_seconds', 'etcd_request_errors_total', 'etcd_requests_total'];

/** Metrics of upstream that a fresh server without these features does not show, so that the recording has no line for them. */
const recordedElsewhere = new Set([
  ...ofRules,
  ...ofEncryption,
  ...ofEtcd,
  'apiserver_audit_level_total',
  'apiserver_audit_error_total',
  'kubernetes_healthcheck',
  'kubernetes_healthchecks_total',
  'apiserver_flowcontrol_rejected_requests_total',
]);

test('every metric that docs/metrics.md promises is there once something has happened', async () => {
  await server.ask('GET', '/api/v1/namespaces');
  await server.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'x' } });
  await server.ask('GET', '/api/v1/namespaces', undefined, { token: '' });
  await server.ask('GET', '/api/v1/namespaces', undefined, { token: 'wrong' });
  const schema = { openAPIV3Schema: { type: 'object' } };
  const names = { plural: 'widgets', kind: 'Widget' };
  const spec = { group: 'example.com', scope: 'Cluster', names, versions: [{ name: 'v1', served: true, storage: true, schema }] };
  await server.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'widgets.example.com' }, spec });
  while ((await server.ask('GET', '/apis/example.com/v1/widgets')).code !== 200);
  const text = (await server.ask('GET', '/metrics')).text + (await server.ask('GET', '/metrics/slis')).text;
  const shown = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  expect(promised().served.filter((name) => !shown.has(name) && !onlyInTrouble.has(name))).toEqual([]);
});

/** Without trouble there is nothing to count, and a metric without samples is not mentioned. */
const onlyInTrouble = new Set([
  ...ofRules,
  ...ofEncryption,
  ...ofEtcd,
  // With --memory nothing is on a disk.
  'apiserver_storage_size_bytes',
  'apiserver_flowcontrol_rejected_requests_total',
  'apiserver_longrunning_requests',
  'apiserver_requested_deprecated_apis',
  'apiserver_request_terminations_total',
  'binnacle_long_turns_total',
  'binnacle_long_turn_seconds_total',
]);

test('what is served is promised', async () => {
  const text = (await server.ask('GET', '/metrics')).text;
  const shown = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? '');
  const { served, ofControllers } = promised();
  expect(shown.filter((name) => !served.includes(name) && !ofControllers.includes(name))).toEqual([]);
});

test('requests are counted by what was sent, how long it took, whether it was allowed, and which old version it was', async () => {
  await server.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'counted' } });
  await server.ask('GET', '/api/v1/componentstatuses');
  await server.ask('GET', '/api/v1/secrets', undefined, { token: '' });
  const { text } = await server.ask('GET', '/metrics');
  const counted = (name: string, ...labels: readonly string[]): number => {
    const line = text.split('\n').find((one) => one.startsWith(name) && labels.every((label) => one.includes(label)));
    return Number(line?.split(' ').at(-1) ?? Number.NaN);
  };
  expect(counted('apiserver_request_body_size_bytes_sum', 'resource="configmaps"', 'verb="create"')).toBeGreaterThan(20);
  expect(counted('apiserver_request_sli_duration_seconds_count', 'resource="configmaps"', 'verb="POST"')).toBeGreaterThan(0);
  expect(counted('apiserver_requested_deprecated_apis', 'resource="componentstatuses"', 'removed_release=""')).toBe(1);
  expect(counted('apiserver_requested_deprecated_apis', 'resource="configmaps"')).toBeNaN();
  expect(counted('authorization_attempts_total', 'result="allowed"')).toBeGreaterThan(1);
  expect(counted('authorization_attempts_total', 'result="no-opinion"')).toBeGreaterThan(0);
  expect(counted('authorization_duration_seconds_count', 'result="allowed"')).toBe(counted('authorization_attempts_total', 'result="allowed"'));
  expect(counted('authentication_duration_seconds_count', 'result="success"')).toBeGreaterThan(0);
  expect(counted('process_network_receive_bytes_total')).toBeGreaterThan(0);
});

interface AuditLine {
  readonly verb: string;
  readonly stage: string;
  readonly user: { readonly username: string; readonly uid?: string; readonly groups: readonly string[] };
  readonly sourceIPs: readonly string[];
  readonly objectRef?: { readonly resource: string; readonly name?: string };
}

test('what the server does as itself is audited and measured like the requests of others, in the exempt flow', async () => {
  const lines = () => readFileSync(join(dir, 'audit.log'), 'utf8').trimEnd().split('\n');
  const own = () =>
    lines()
      .flatMap((line) => JSON.parse(line) as AuditLine)
      .filter(({ user }) => user.username === 'system:apiserver');
  const ofNamespace = ({ objectRef }: AuditLine) => objectRef?.resource === 'namespaces' && objectRef.name === 'kube-system';
  await expect
    .poll(() => own().find((line) => line.verb === 'create' && ofNamespace(line) && line.stage === 'ResponseComplete'))
    .toMatchObject({
      user: { uid: expect.stringMatching(/^[0-9a-f-]{36}$/), groups: ['system:authenticated', 'system:masters'] },
      sourceIPs: ['127.0.0.1'],
    });
  const { text } = await server.ask('GET', '/metrics');
  expect(text).toMatch(/^apiserver_request_total\{[^}]*code="201"[^}]*resource="apiservices"[^}]*verb="POST"[^}]*\} [1-9]/m);
  expect(text).toMatch(/^apiserver_flowcontrol_dispatched_requests_total\{flow_schema="exempt",priority_level="exempt"\} [1-9]\d\d/m);
});

function promised(): { served: readonly string[]; leftOut: readonly string[]; ofControllers: readonly string[] } {
  const [, served = '', leftOut = '', ofControllers = ''] = readFileSync(join(root, 'docs/metrics.md'), 'utf8').split(/^## /m);
  const names = (text: string) => [...text.matchAll(/`([a-z_][a-z0-9_*]*)`/g)].map(([, name]) => name ?? '');
  // Behind its reason each line names what it is about.
  const reasoned = leftOut.split('\n').map((line) => line.slice(line.lastIndexOf(': ')));
  return { served: names(served.split('\n\n')[1] ?? ''), leftOut: names(reasoned.join('\n')), ofControllers: names(ofControllers.split('\n\n')[2] ?? '') };
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

test.each([
  '/metrics',
  '/metrics/slis',
  '/statusz',
  '/flagz',
  '/debug/pprof/heap',
  '/debug/pprof/profile',
  '/debug/flags/v',
  '/debug/api_priority_and_fairness/dump_queues',
])('%s is not for everybody', async (path) => {
  expect((await server.ask('GET', path, undefined, { token: '' })).code).toBe(403);
});

test('a processor profile is what Chrome reads', async () => {
  const { code, json } = await server.ask('GET', '/debug/pprof/profile?seconds=0.1');
  expect([code, Object.keys(json)]).toEqual([200, expect.arrayContaining(['nodes', 'startTime', 'endTime', 'samples'])]);
});

test('the numbers of the heap are text', async () => {
  const { code, text } = await server.ask('GET', '/debug/pprof/heap?debug=1&gc=1');
  expect(code).toBe(200);
  expect(text).toMatch(/^# heapUsed = \d+$/m);
});

test('a subresource that is not served makes no labels', async () => {
  const made = 'made-up-by-a-client';
  for (const token of ['', undefined]) {
    await server.ask('GET', `/api/v1/namespaces/default/pods/x/${made}`, undefined, token === undefined ? {} : { token });
    await server.ask('GET', `/api/v1/${made}`, undefined, token === undefined ? {} : { token });
  }
  expect((await server.ask('GET', '/metrics')).text).not.toContain(made);
});
