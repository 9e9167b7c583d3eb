import { type GroupTexts, specAndStatus } from '#kinds/descriptions/group-texts.ts';

const taint = {
  key: 'Key of the taint.',
  value: 'Value of the taint.',
  effect: 'NoSchedule keeps new pods off the device, NoExecute also evicts those that use it.',
  timeAdded: 'When it was added.',
} as const;

const rule: GroupTexts['structs'] = {
  DeviceTaintRule: { '': 'Puts a taint on devices.', ...specAndStatus },
  DeviceTaintRuleSpec: { '': 'Which taint on which devices.', deviceSelector: 'The devices.', taint: 'The taint.' },
};

/** Devices for pods (dynamic resource allocation). */
export const resourceTexts: readonly GroupTexts[] = [
  {
    package: 'io.k8s.api.resource.v1',
    also: ['io.k8s.api.resource.v1beta1', 'io.k8s.api.resource.v1beta2'],
    structs: {
      DeviceClass: { '': 'A kind of device that claims can ask for.', spec: 'Which devices, and their settings.' },
      ResourceClaim: { '': 'A request for devices, and what was allocated for it.', ...specAndStatus },
      ResourceClaimTemplate: { '': 'A pattern for claims, one per pod.', spec: 'The pattern. It cannot be changed.' },
      ResourceSlice: { '': 'Devices that a driver offers, usually those of one node.', spec: 'The devices.' },
      ResourceClaimSpec: { '': 'What is asked for. It cannot be changed.', devices: 'The devices.' },
      ResourceClaimTemplateSpec: { '': 'A pattern for claims.', metadata: 'Labels and annotations of the claims.', spec: 'What the claims ask for.' },
      ResourceClaimStatus: {
        '': 'What was allocated.',
        allocation: 'The devices; left out while there are none.',
        reservedFor: 'Who uses the claim.',
        devices: 'What drivers say about the devices.',
      },
      DeviceClaim: {
        '': 'Devices that are asked for.',
        requests: 'The requests.',
        constraints: 'What must hold for several requests.',
        config: 'Settings for drivers.',
      },
      DeviceSelector: { '': 'Selects devices.', cel: 'By an expression.' },
      CELDeviceSelector: { '': 'Selects devices by an expression in CEL.', expression: 'The expression; `device` has driver, attributes and capacity.' },
      DeviceToleration: {
        '': 'Puts up with a taint of devices.',
        key: 'Key of the taint; empty, with operator Exists, is every taint.',
        operator: 'Equal (the default) or Exists.',
        value: 'Value of the taint.',
        effect: 'Effect of the taint; empty is all.',
        tolerationSeconds: 'For NoExecute: how long to stay. Default: for ever.',
      },
    },
  },
  {
    package: 'io.k8s.api.resource.v1alpha3',
    structs: {
      ...rule,
      DeviceTaint: { '': 'Keeps pods off a device unless they tolerate it.', ...taint },
      ResourcePoolStatusRequest: { '': 'Asks how many devices of which pools are in use.', ...specAndStatus },
    },
  },
  { package: 'io.k8s.api.resource.v1beta2', structs: { ...rule, DeviceTaint: { '': 'Keeps pods off a device unless they tolerate it.', ...taint } } },
];

export const eventsTexts: GroupTexts = {
  package: 'io.k8s.api.events.v1',
  structs: {
    Event: {
      '': 'A note that something happened to an object. Events are kept for a short time only.',
      eventTime: 'When it first happened.',
      series: 'About events that happen again and again.',
      reportingController: 'The controller that reports it.',
      reportingInstance: 'Which instance of that controller.',
      action: 'What was done.',
      reason: 'Why, in one word.',
      regarding: 'What it is about.',
      related: 'A second object that has to do with it.',
      note: 'What happened, for people.',
      type: 'Normal or Warning.',
      deprecatedSource: 'Who reported it, in old events.',
      deprecatedFirstTimestamp: 'When it first happened, in old events.',
      deprecatedLastTimestamp: 'When it last happened, in old events.',
      deprecatedCount: 'How often it happened, in old events.',
    },
    EventSeries: { '': 'Events that happen again and again.', count: 'How often so far.', lastObservedTime: 'When it last happened.' },
  },
};

export const flowControlTexts: GroupTexts = {
  package: 'io.k8s.api.flowcontrol.v1',
  structs: {
    FlowSchema: { '': 'Says to which priority level which requests belong.', ...specAndStatus },
    FlowSchemaSpec: {
      '': 'Which requests belong where.',
      priorityLevelConfiguration: 'The priority level.',
      matchingPrecedence: 'Of several that match, the one with the lowest number counts. From 1 to 10000; default: 1000.',
      distinguisherMethod: 'How requests are told apart into flows: ByUser or ByNamespace.',
      rules: 'The requests; one rule must match.',
    },
    PriorityLevelConfiguration: { '': 'How many requests of one priority are served at a time, and what happens to the others.', ...specAndStatus },
    PriorityLevelConfigurationSpec: {
      '': 'How requests are limited.',
      type: 'Exempt for no limits, or Limited.',
      limited: 'Settings for Limited.',
      exempt: 'Settings for Exempt.',
    },
    LimitedPriorityLevelConfiguration: {
      '': 'Limits of a priority level.',
      nominalConcurrencyShares: 'Share of the requests served at a time. Default: 30.',
      limitResponse: 'What happens beyond the share.',
      lendablePercent: 'Part of the share that others may use.',
      borrowingLimitPercent: 'How much it may use of others, in percent of its share.',
    },
    LimitResponse: { '': 'What happens to requests beyond the limit.', type: 'Queue or Reject.', queuing: 'Settings for Queue.' },
    QueuingConfiguration: {
      '': 'Queues of a priority level.',
      queues: 'Number of queues. Default: 64.',
      handSize: 'How many queues a flow may use. Default: 8.',
      queueLengthLimit: 'The most requests in a queue. Default: 50.',
    },
  },
};
