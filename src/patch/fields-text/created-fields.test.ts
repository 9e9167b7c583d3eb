import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { deployments } from '#kinds/apps/v1/deployment-resource.ts';
import { configmaps } from '#kinds/core/v1/config-map-resource.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { services } from '#kinds/core/v1/service/service-resource.ts';
import { csinodes } from '#kinds/storage/v1/csi-node-resource.ts';
import { updateManagedFields } from '#patch/apply/field-manager.ts';
import { mentionedFields } from '#patch/fields-text/mentioned-fields.ts';
import { toFieldSet } from '#patch/apply/to-field-set.ts';
import { topologyOf } from '#patch/apply/topology.ts';
import { textOfSet } from '#patch/fields-text/sets-by-text.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { knownFieldsText } from '#schema/fields-text/fields-text.ts';
import { samplePod } from '../../../test/support/sample-pod.ts';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels: { b: '1', a: '2' }, finalizers: ['x/y', 'x/a'] },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: samplePod('x')['spec'] } },
  status: { replicas: 1 },
};
const port = (number: number, protocol?: string) => ({ port: number, ...(protocol && { protocol }) });
const crowd = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`<k>${(index * 7) % 300}`, '']));
const bodies: readonly (readonly [string, ResourceDefinition, object])[] = [
  ['a pod', pods, samplePod('web')],
  ['a bare pod', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }],
  ['a pod without metadata', pods, { apiVersion: 'v1', kind: 'Pod', spec: { containers: [] } }],
  [
    'items that are there twice',
    pods,
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'a' }, { name: 'b' }, { name: 'a', image: 'i' }] } },
  ],
  ['a deployment', deployments, deployment],
  ['a required list that was sent empty', csinodes, { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'n' }, spec: { drivers: [] } }],
  ['a required list that was not sent', csinodes, { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'n' } }],
  [
    'lists with two keys',
    services,
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [port(9, 'UDP'), port(9), port(80, 'TCP'), port(443)] } },
  ],
  [
    'members in no order',
    configmaps,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { z: '', a: '<b>', ä: 'x', '"q"': '' }, binaryData: {} },
  ],
  ['very many members', configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', labels: crowd, annotations: crowd }, data: crowd }],
  [
    'very many members, one with an unusual name',
    configmaps,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { ...crowd, '\u{1f600}': 'a', '\uffff': 'b' } },
  ],
  ['a set in no order', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', finalizers: ['x/b', 'x/a b', 'x', 'x/a'] } }],
  ['names beyond ASCII', configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', labels: { '\u{1f600}': 'a', '\uffff': 'b' } } }],
];

const request = { manager: 'm', subresource: '', now: new Date(0), resetFields: [['status']], live: undefined };
/** Whatever may be owned at all may be owned: the same, by comparing sets. */
const theLongWay = { ownableFields: [['*']] };

function fieldsOf({ metadata }: KubernetesObject): string | undefined {
  const [entry] = metadata.managedFields ?? [];
  return entry && (knownFieldsText(entry) ?? JSON.stringify(entry.fieldsV1));
}

describe.each(bodies)('the fields of %s', (_, definition, body) => {
  const { schema } = definition;
  const { apiVersion = '' } = body as { apiVersion?: string };

  test('belong to its creator as comparing it with nothing says', () => {
    const { object } = decodeJson(schema, Buffer.from(JSON.stringify(body)));
    applyDefaults(definition, object);
    const track = (more: object) => fieldsOf(updateManagedFields({ ...request, ...more, schema, apiVersion, object }));
    expect(track({})).toBe(track(theLongWay));
  });

  test('that are mentioned are those of its set', () => {
    const topology = topologyOf(schema);
    expect([textOfSet(toFieldSet(topology, body)), undefined]).toContain(mentionedFields(topology, body));
  });
});

test('the fields of a whole pod are found without sets', () => {
  expect(mentionedFields(topologyOf(pods.schema), samplePod('web'))).toContain('"f:containers":{"k:{\\"name\\":\\"proxy\\"}":{".":{}');
});
