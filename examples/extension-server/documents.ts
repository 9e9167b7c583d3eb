// What this server says about itself: discovery in both forms, and OpenAPI, from which kubectl knows the fields.

export const group = 'metrics.k8s.io';
export const version = 'v1beta1';

export interface Resource {
  readonly plural: 'nodes' | 'pods';
  readonly kind: 'NodeMetrics' | 'PodMetrics';
  readonly namespaced: boolean;
}

export const resources: readonly Resource[] = [
  { plural: 'nodes', kind: 'NodeMetrics', namespaced: false },
  { plural: 'pods', kind: 'PodMetrics', namespaced: true },
];

const verbs = ['get', 'list', 'watch'];
const groupVersion = { groupVersion: `${group}/${version}`, version };
const apiGroup = { name: group, versions: [groupVersion], preferredVersion: groupVersion };

export const resourceList = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/${version}`,
  resources: resources.map(({ plural, kind, namespaced }) => ({ name: plural, singularName: '', namespaced, kind, verbs })),
};

/** Aggregated discovery, for API servers that ask for all of it at once. */
export const discoveryList = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [
    {
      metadata: { name: group },
      versions: [
        {
          version,
          freshness: 'Current',
          resources: resources.map(({ plural, kind, namespaced }) => ({
            resource: plural,
            responseKind: { group, version, kind },
            scope: namespaced ? 'Namespaced' : 'Cluster',
            singularResource: '',
            verbs,
          })),
        },
      ],
    },
  ],
};

export const groupList = { kind: 'APIGroupList', apiVersion: 'v1', groups: [apiGroup] };
export const groupDocument = { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup };

const schemas = {
  usage: { type: 'object', description: 'Quantities by the name of the resource.', additionalProperties: { type: 'string' } },
  container: (usage: object) => ({
    type: 'object',
    description: 'What one container uses.',
    required: ['name', 'usage'],
    properties: { name: { type: 'string' }, usage },
  }),
};

function definition({ kind, namespaced }: Resource): object {
  const own = namespaced ? { containers: { type: 'array', items: schemas.container(schemas.usage) } } : { usage: schemas.usage };
  const common = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    timestamp: { type: 'string', format: 'date-time' },
    window: { type: 'string' },
  };
  return {
    type: 'object',
    description: `${kind} says what was used within a window of time.`,
    properties: { ...common, ...own },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

const nameOf = ({ kind }: Resource) => `io.k8s.metrics.pkg.apis.metrics.${version}.${kind}`;
const pathOf = ({ plural, namespaced }: Resource) => `/apis/${group}/${version}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}/{name}`;
const parametersOf = ({ namespaced }: Resource) => [...(namespaced ? ['namespace'] : []), 'name'];
const gvkOf = ({ kind }: Resource) => ({ 'x-kubernetes-action': 'get', 'x-kubernetes-group-version-kind': { group, version, kind } });
const info = { title: 'metrics example', version: '1' };

export const swagger = {
  swagger: '2.0',
  info,
  paths: Object.fromEntries(
    resources.map((resource) => [
      pathOf(resource),
      {
        get: {
          operationId: `read${resource.kind}`,
          produces: ['application/json'],
          responses: { '200': { description: 'OK', schema: { $ref: `#/definitions/${nameOf(resource)}` } } },
          ...gvkOf(resource),
        },
        parameters: parametersOf(resource).map((name) => ({ name, in: 'path', required: true, type: 'string' })),
      },
    ]),
  ),
  definitions: Object.fromEntries(resources.map((resource) => [nameOf(resource), definition(resource)])),
};

export const openApi = {
  openapi: '3.0.0',
  info,
  paths: Object.fromEntries(
    resources.map((resource) => [
      pathOf(resource),
      {
        get: {
          operationId: `read${resource.kind}`,
          responses: { '200': { description: 'OK', content: { 'application/json': { schema: { $ref: `#/components/schemas/${nameOf(resource)}` } } } } },
          ...gvkOf(resource),
        },
        parameters: parametersOf(resource).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      },
    ]),
  ),
  components: { schemas: Object.fromEntries(resources.map((resource) => [nameOf(resource), definition(resource)])) },
};

export const openApiIndex = (hash: string) => ({
  paths: { [`apis/${group}/${version}`]: { serverRelativeURL: `/openapi/v3/apis/${group}/${version}?hash=${hash}` } },
});
