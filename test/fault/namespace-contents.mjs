// What a namespace is filled with where its deletion is tested: objects of twenty kinds, three of them custom.
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always' } };
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: { app: 'x' } };
const custom = ['boats', 'crews', 'ports'];

/** Path of the group-version, resource, and the rest of an object beside its name. */
export const kinds = [
  ['/api/v1', 'configmaps', { data: { key: 'value'.repeat(20) } }],
  ['/api/v1', 'secrets', { stringData: { key: 'value' } }],
  ['/api/v1', 'services', { spec: { ports: [{ port: 80 }], clusterIP: 'None' } }],
  ['/api/v1', 'endpoints', { subsets: [] }],
  ['/api/v1', 'serviceaccounts', {}],
  ['/api/v1', 'pods', { spec: { ...once.spec, automountServiceAccountToken: false } }],
  ['/api/v1', 'replicationcontrollers', { spec: { replicas: 0, selector: { app: 'x' }, template } }],
  ['/api/v1', 'podtemplates', { template }],
  ['/apis/apps/v1', 'deployments', { spec: { replicas: 0, selector, template } }],
  ['/apis/apps/v1', 'replicasets', { spec: { replicas: 0, selector, template } }],
  ['/apis/apps/v1', 'statefulsets', { spec: { replicas: 0, serviceName: 's', selector, template } }],
  ['/apis/apps/v1', 'daemonsets', { spec: { selector, template } }],
  ['/apis/batch/v1', 'jobs', { spec: { suspend: true, template: once } }],
  ['/apis/batch/v1', 'cronjobs', { spec: { suspend: true, schedule: '0 0 1 1 *', jobTemplate: { spec: { template: once } } } }],
  ['/apis/networking.k8s.io/v1', 'networkpolicies', { spec: { podSelector: {} } }],
  ['/apis/rbac.authorization.k8s.io/v1', 'roles', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  ['/apis/coordination.k8s.io/v1', 'leases', { spec: { holderIdentity: 'x' } }],
  ...custom.map((plural) => ['/apis/sea.example.com/v1', plural, { kind: kindOf(plural), apiVersion: 'sea.example.com/v1', spec: { size: 3 } }]),
];

/** Definitions of the custom kinds. */
export const definitions = custom.map((plural) => {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } };
  const names = { plural, singular: plural.slice(0, -1), kind: kindOf(plural) };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  return { metadata: { name: `${plural}.sea.example.com` }, spec: { group: 'sea.example.com', scope: 'Namespaced', names, versions } };
});

function kindOf(plural) {
  return plural[0].toUpperCase() + plural.slice(1, -1);
}
