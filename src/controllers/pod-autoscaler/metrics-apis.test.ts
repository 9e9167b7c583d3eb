import { expect, test } from 'vitest';
import { everyLabel, parseLabelSelector } from '#api/label-selector.ts';
import { RestClient } from '#client/rest-client.ts';
import type { Transport } from '#client/transport.ts';
import { MetricsApis } from '#controllers/pod-autoscaler/metrics-apis.ts';

/** Answers by path, of a server that tests write; others are not found. */
function apisOf(answers: Readonly<Record<string, object>>): { readonly apis: MetricsApis; readonly asked: string[] } {
  const asked: string[] = [];
  const transport: Transport = async ({ path }) => {
    asked.push(path);
    const answer = answers[path.split('?')[0] ?? ''];
    async function* chunks() {
      yield Buffer.from(answer === undefined ? '404 page not found\n' : JSON.stringify(answer));
    }
    return { code: answer === undefined ? 404 : 200, headers: {}, chunks: chunks() };
  };
  const resourceOf = (group: string, kind: string) => (kind === 'Ingress' ? { group, resource: 'ingresses' } : undefined);
  return { apis: new MetricsApis({ client: new RestClient(transport, 'test'), resourceOf }), asked };
}

const at = '2026-01-01T12:00:00Z';
const custom = { groups: [{ name: 'custom.metrics.k8s.io', versions: [{ version: 'v1beta1' }, { version: 'v1beta2' }] }] };
const base = '/apis/custom.metrics.k8s.io/v1beta2/namespaces/ns';

test('metrics of pods are asked for all at once, in the newest version', async () => {
  const items = [
    { describedObject: { name: 'a' }, timestamp: at, value: '1500m' },
    { describedObject: { name: 'b' }, timestamp: at, windowSeconds: 5, value: '2' },
  ];
  const { apis, asked } = apisOf({ '/apis': custom, [`${base}/pods/*/rate`]: { items } });
  const metrics = await apis.ofPods('rate', 'ns', parseLabelSelector('app=web'), parseLabelSelector('verb=GET'));
  expect([...metrics]).toEqual([
    ['a', { value: 1500, at: Date.parse(at), windowMs: 60_000 }],
    ['b', { value: 2000, at: Date.parse(at), windowMs: 5_000 }],
  ]);
  expect(asked.at(-1)).toBe(`${base}/pods/*/rate?labelSelector=app%3Dweb&metricLabelSelector=verb%3DGET`);
});

test('the metric of an object is asked for by its resource; that of a Namespace as its own', async () => {
  const items = [{ describedObject: { name: 'x' }, timestamp: at, value: '7' }];
  const { apis, asked } = apisOf({ '/apis': custom, [`${base}/ingresses.networking.k8s.io/main/hits`]: { items }, [`${base}/metrics/hits`]: { items } });
  expect(await apis.ofObject('hits', 'ns', { group: 'networking.k8s.io', kind: 'Ingress', name: 'main' }, everyLabel)).toBe(7000);
  expect(await apis.ofObject('hits', 'ns', { group: '', kind: 'Namespace', name: 'other' }, everyLabel)).toBe(7000);
  expect(asked).toContain(`${base}/metrics/hits?`);
});

test('what is missing is told in the words of the original', async () => {
  const { apis } = apisOf({ '/apis': { groups: [] } });
  await expect(apis.ofPods('rate', 'ns', everyLabel, everyLabel)).rejects.toThrow(
    'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
  );
  await expect(apis.ofExternal('waiting', 'ns', everyLabel)).rejects.toThrow(
    'unable to fetch metrics from external metrics API: the server could not find the requested resource (get waiting.external.metrics.k8s.io)',
  );
  await expect(apis.ofObject('hits', 'ns', { group: 'x', kind: 'Thing', name: 't' }, everyLabel)).rejects.toThrow('unable to map kind Thing.x to resource');
  const empty = apisOf({ '/apis/metrics.k8s.io/v1beta1/namespaces/ns/pods': { items: [] } });
  await expect(empty.apis.ofResource('cpu', 'ns', everyLabel, '')).rejects.toThrow('no metrics returned from resource metrics API');
});
