// The definition of Stages: steps in the lives of objects, written as data. `binnacle stages` prints it; where it is installed, Stages are played.
export const stageGroup = 'nodes.binnacle.dev';
export const stageVersion = 'v1alpha1';

const text = (description: string) => ({ type: 'string', description });
const open = (description: string) => ({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true });
const texts = (description: string) => ({ type: 'array', description, items: { type: 'string' } });
const duration = (description: string) => ({ ...text(description), pattern: String.raw`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$` });

const labelSelector = {
  type: 'object',
  description: 'Which objects, by their labels. Default: all.',
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    matchExpressions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: { key: { type: 'string' }, operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] }, values: texts('') },
      },
    },
  },
};

const effect = {
  type: 'object',
  description: 'What happens. Several things happen in the order in which they stand here.',
  minProperties: 1,
  properties: {
    event: {
      type: 'object',
      required: ['reason', 'message'],
      properties: { type: { type: 'string', enum: ['Normal', 'Warning'], default: 'Normal' }, reason: { type: 'string' }, message: { type: 'string' } },
    },
    patch: open('A merge patch of the object itself.'),
    status: open('A merge patch of its status.'),
    statusExpression: text(
      'The same as an expression of CEL over `object` and `now`; values of different types stand in dyn(). It may stand beside `status`, and wins.',
    ),
    addFinalizers: texts('Finalizers that it gets.'),
    removeFinalizers: texts('Finalizers that it loses.'),
    delete: { type: 'boolean', description: 'It is deleted.' },
  },
};

const spec = {
  type: 'object',
  required: ['resource', 'effect'],
  properties: {
    resource: {
      type: 'object',
      description: 'The kind of the objects.',
      required: ['apiVersion', 'kind'],
      properties: { apiVersion: text(''), kind: text('') },
    },
    selector: labelSelector,
    when: texts('Expressions of CEL over `object` and `now`, all of which must be true. The first Stage of a kind that fits, by name, is the next one.'),
    after: duration('How long the object must have been so. Default: at once.'),
    jitter: duration('Up to this much longer, by chance.'),
    effect,
  },
};

const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: { type: text(''), status: text(''), reason: text(''), message: text(''), lastTransitionTime: { type: 'string', format: 'date-time' } },
};

export const stageDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `stages.${stageGroup}` },
  spec: {
    group: stageGroup,
    scope: 'Cluster',
    names: { kind: 'Stage', listKind: 'StageList', plural: 'stages', singular: 'stage' },
    versions: [
      {
        name: stageVersion,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Kind', type: 'string', jsonPath: '.spec.resource.kind' },
          { name: 'After', type: 'string', jsonPath: '.spec.after' },
          { name: 'Accepted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: { spec, status: { type: 'object', properties: { conditions: { type: 'array', items: condition } } } },
          },
        },
      },
    ],
  },
} as const;
