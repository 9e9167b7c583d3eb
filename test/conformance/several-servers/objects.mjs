// One object of each core kind, and a kind of our own; those of other groups stand in test/support/full-objects.ts.
import { readFileSync } from 'node:fs';

export const namespace = 'several';
/** Of quotas and ranges, which would refuse objects beside them. */
export const limits = 'several-limits';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

export const coreObjects = {
  configmaps: { data: { a: 'b', c: 'é' }, binaryData: { d: 'AAEC' }, immutable: true },
  secrets: { type: 'Opaque', data: { a: 'AAEC' } },
  endpoints: { subsets: [{ addresses: [{ ip: '10.1.2.3', hostname: 'h' }], ports: [{ name: 'p', port: 80 }] }] },
  limitranges: { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '500m' }, defaultRequest: { cpu: '100m' } }] } },
  namespaces: { metadata: { name: 'ns', labels: { a: 'b' } } },
  nodes: { metadata: { name: 'node', labels: { a: 'b' } }, spec: { podCIDR: '', taints: [{ key: 'a', effect: 'NoSchedule' }], unschedulable: true } },
  persistentvolumeclaims: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' } },
  persistentvolumes: {
    spec: { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteMany'], nfs: { server: 's', path: '/p' }, persistentVolumeReclaimPolicy: 'Delete' },
  },
  pods: {
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          env: [{ name: 'A', value: 'b' }],
          resources: { requests: { cpu: '100m' } },
          livenessProbe: { httpGet: { path: '/', port: 80 } },
        },
      ],
      tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 5, effect: 'NoExecute' }],
    },
  },
  podtemplates: { template },
  replicationcontrollers: { spec: { replicas: 2, selector: { app: 'web' }, template } },
  resourcequotas: { spec: { hard: { 'count/widgets.several.example': '100' } } },
  serviceaccounts: { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'a' }] },
  services: { spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }] } },
  events: {
    involvedObject: { kind: 'Pod', name: 'p', namespace },
    reason: 'Because',
    message: 'm',
    type: 'Normal',
    firstTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
  },
  'endpointslices.discovery.k8s.io': {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
    ports: [{ name: 'p', port: 80 }],
  },
};

export const custom = {
  path: `/apis/several.example/v1/namespaces/${namespace}/widgets`,
  objects: [
    { size: 3, zeta: 'z', alpha: { b: [1, 2.5, null], a: true } },
    { big: 9007199254740991, tiny: 1e-7, exponent: 1e21, minus: -0.5 },
    { text: 'é \u2028 \ud83d\ude00 "\\ <&>', '': 'empty', 'a.b/c': [], none: {} },
  ].map((spec) => ({ apiVersion: 'several.example/v1', kind: 'Widget', spec })),
  definition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.several.example' },
    spec: {
      group: 'several.example',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } } },
        },
      ],
    },
  },
};

/** More objects of core kinds, by resource, which both servers are known to take. */
export function richObjects() {
  const fixture = new URL('../../fixtures/accepted-core-objects.json', import.meta.url);
  const byVersion = Object.entries(JSON.parse(readFileSync(fixture, 'utf8')));
  return Object.fromEntries(byVersion.map(([key, objects]) => [idOf(key), objects.map(withoutName)]));
}

/** `certificates.k8s.io/v1/certificatesigningrequests` → `certificatesigningrequests.certificates.k8s.io`. */
function idOf(key) {
  const [group, , plural] = key.split('/');
  return group === '' ? plural : `${plural}.${group}`;
}

/** Labels of pods would make several controllers of the original race for them. */
function withoutName({ metadata: { name: _, labels, ...metadata }, ...object }) {
  return { ...object, metadata: object.kind === 'Pod' ? metadata : { ...metadata, labels } };
}
