import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { apiUnderTest } from '../../../test/support/api-under-test.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

const group = 'admissionregistration.k8s.io/v1';
const gate = '--feature-gates=ManifestBasedAdmissionControlConfig=true';
const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'DELETE'], resources: ['configmaps', 'validatingadmissionpolicies'] }];
const patience = { timeout: 10_000, interval: 20 };
const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function policy(name: string, expression: string, more: object = {}): object {
  return {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression }], ...more },
  };
}

function binding(name: string, policyName = name, more: object = {}): object {
  return { apiVersion: group, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName, validationActions: ['Deny'], ...more } };
}

/** A directory with these objects, and the flags that name it. */
function manifests(name: string, plugin: string, ...objects: readonly object[]): { readonly dir: string; readonly flags: readonly string[] } {
  const dir = mkdtempSync(join(folder, `${name}-`));
  if (objects.length > 0) writeFileSync(join(dir, 'a.yaml'), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: plugin.endsWith('Webhook') ? 'WebhookAdmissionConfiguration' : `${plugin}Configuration`,
    staticManifestsDir: dir,
  };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins: [{ name: plugin, configuration }] }));
  return { dir, flags: [`--admission-control-config-file=${file}`] };
}

const denying = manifests(
  'good',
  'ValidatingAdmissionPolicy',
  policy('deny.static.k8s.io', "!object.metadata.name.startsWith('bad')"),
  binding('deny.static.k8s.io'),
);

describe('a policy of a static manifest', () => {
  const api = apiUnderTest(gate, ...denying.flags);
  const create = (name: string) => api.ask('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name } });

  test('counts from the start and is no object of the API', async () => {
    const denied = await create('bad');
    expect(denied.body.message).toContain("ValidatingAdmissionPolicy 'deny.static.k8s.io' with binding 'deny.static.k8s.io' denied request");
    expect((await create('good')).code).toBe(201);
    expect((await api.ask('GET', `/apis/${group}/validatingadmissionpolicies`)).body.items).toEqual([]);
  });

  test('judges policies of the API, which judge no policies', async () => {
    const path = `/apis/${group}/validatingadmissionpolicies`;
    expect((await api.ask('POST', path, policy('bad-policy', 'true'))).code).toBe(422);
    expect((await api.ask('POST', path, policy('good-policy', 'true'))).code).toBe(201);
  });

  test('has a name that the API refuses', async () => {
    const refused = await api.ask('POST', `/apis/${group}/validatingadmissionpolicies`, policy('mine.static.k8s.io', 'true'));
    expect(refused.body.message).toContain(
      'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
    );
  });

  test('is replaced when its file changes, unless the file has become bad', async () => {
    writeFileSync(join(denying.dir, 'b.yaml'), 'kind: nothing');
    await vi.waitFor(
      async () => expect((await api.get('/metrics')).text).toMatch(/automatic_reloads_total\{[^}]*plugin="ValidatingAdmissionPolicy",status="failure"/),
      patience,
    );
    expect((await create('bad')).code).toBe(422);
    rmSync(join(denying.dir, 'b.yaml'));
    writeFileSync(join(denying.dir, 'a.yaml'), JSON.stringify(policy('deny.static.k8s.io', 'true')));
    await vi.waitFor(async () => expect((await create('bad')).code).toBe(201), patience);
  });
});

describe('a server does not start with', () => {
  const refused: readonly [string, string, readonly object[], string][] = [
    ['a name of the API', 'ValidatingAdmissionPolicy', [policy('deny', 'true')], 'must have a name ending with ".static.k8s.io"'],
    [
      'parameters',
      'ValidatingAdmissionPolicy',
      [policy('a.static.k8s.io', 'true', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })],
      'spec.paramKind is not supported for static manifests',
    ],
    [
      'a binding to nothing',
      'ValidatingAdmissionPolicy',
      [binding('a.static.k8s.io')],
      'references policy "a.static.k8s.io" which does not exist in the manifest directory',
    ],
    [
      'the same name twice',
      'ValidatingAdmissionPolicy',
      [policy('a.static.k8s.io', 'true'), policy('a.static.k8s.io', 'true')],
      'duplicate name "a.static.k8s.io" found',
    ],
    ['another kind', 'MutatingAdmissionPolicy', [policy('a.static.k8s.io', 'true')], 'unsupported resource type *v1.ValidatingAdmissionPolicy'],
    ['an expression that does not compile', 'ValidatingAdmissionPolicy', [policy('a.static.k8s.io', '1')], 'must evaluate to bool'],
    ['an unknown field', 'ValidatingAdmissionPolicy', [{ ...policy('a.static.k8s.io', 'true'), nope: 1 }], 'strict decoding error: unknown field "nope"'],
    [
      'a webhook behind a service',
      'ValidatingAdmissionWebhook',
      [
        {
          apiVersion: group,
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'a.static.k8s.io' },
          webhooks: [{ name: 'a.b.c', clientConfig: { service: { namespace: 'a', name: 'b' } }, sideEffects: 'None', admissionReviewVersions: ['v1'] }],
        },
      ],
      'clientConfig.service is not supported for static manifests; use clientConfig.url instead',
    ],
  ];
  test.each(refused)('%s', async (what, plugin, objects, why) => {
    const { flags } = manifests(what.replaceAll(' ', '-'), plugin, ...objects);
    await expect(ServerInTest.start({ flags: [gate, ...flags] })).rejects.toThrow(why);
  });

  test('manifests while the gate is off', async () => {
    const { flags } = manifests('off', 'ValidatingAdmissionPolicy');
    await expect(ServerInTest.start({ flags })).rejects.toThrow('requires the ManifestBasedAdmissionControlConfig feature gate to be enabled');
  });
});
