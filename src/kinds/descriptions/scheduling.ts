import { type GroupTexts, specAndStatus } from '#kinds/descriptions/group-texts.ts';

export const schedulingTexts: GroupTexts = {
  package: 'io.k8s.api.scheduling.v1',
  structs: {
    PriorityClass: {
      '': 'A name for a priority of pods.',
      value: 'The priority; the higher, the more important. It cannot be changed.',
      globalDefault: 'True makes it the class of pods that name none; one class only.',
      description: 'When to use the class.',
      preemptionPolicy: 'Whether its pods may push out others: PreemptLowerPriority (the default) or Never.',
    },
  },
};

const group = {
  schedulingPolicy: 'Whether the pods start together.',
  schedulingConstraints: 'Where the pods may be.',
  resourceClaims: 'Devices for the whole group.',
  disruptionMode: 'Whether single pods or only the whole group may be pushed out.',
  priorityClassName: 'Priority class of the group.',
  priority: 'Priority as a number, computed from the class.',
} as const;

export const workloadTexts: GroupTexts = {
  package: 'io.k8s.api.scheduling.v1alpha2',
  structs: {
    Workload: { '': 'Pods that belong together, described for the scheduler.', spec: 'The groups of pods.' },
    WorkloadSpec: { '': 'The groups of pods.', controllerRef: 'Object that the workload belongs to.', podGroupTemplates: 'Patterns for the groups.' },
    PodGroup: { '': 'Pods that are scheduled together.', ...specAndStatus },
    PodGroupSpec: { '': 'How the group is scheduled.', podGroupTemplateRef: 'Pattern that the group was made from.', ...group },
    PodGroupTemplate: { '': 'A pattern for groups.', name: 'Name of the pattern.', ...group },
    PodGroupStatus: { '': 'State of a group.', conditions: 'Aspects of the state.', resourceClaimStatuses: 'The claims made for the group.' },
    PodGroupSchedulingPolicy: { '': 'Whether pods start together; one of these.', basic: 'Each pod by itself.', gang: 'Only when enough pods can start.' },
    GangSchedulingPolicy: { '': 'Pods that start together.', minCount: 'How many must be able to start.' },
  },
};

export const policyTexts: GroupTexts = {
  package: 'io.k8s.api.policy.v1',
  structs: {
    PodDisruptionBudget: { '': 'Limits how many pods may be evicted at a time on purpose.', ...specAndStatus },
    PodDisruptionBudgetSpec: {
      '': 'How many of which pods must stay.',
      minAvailable: 'Pods that must stay, as number or percentage. Not together with maxUnavailable.',
      selector: 'The pods; an empty selector is all pods of the namespace.',
      maxUnavailable: 'Pods that may be missing, as number or percentage. Not together with minAvailable.',
      unhealthyPodEvictionPolicy: 'Whether pods that are not ready may be evicted: IfHealthyBudget (the default) only if enough others are, AlwaysAllow.',
    },
    PodDisruptionBudgetStatus: {
      '': 'How many pods may go.',
      observedGeneration: 'Generation that the status describes.',
      disruptedPods: 'Pods whose eviction was allowed and has not been seen yet.',
      disruptionsAllowed: 'Pods that may be evicted now.',
      currentHealthy: 'Pods that are ready.',
      desiredHealthy: 'Pods that must be ready.',
      expectedPods: 'Pods that the budget counts.',
      conditions: 'Aspects such as DisruptionAllowed.',
    },
    Eviction: { '': 'Asks a pod to leave its node, if the budgets allow it.', deleteOptions: 'How the pod is deleted.' },
  },
};

export const nodeTexts: GroupTexts = {
  package: 'io.k8s.api.node.v1',
  structs: {
    RuntimeClass: {
      '': 'A container runtime that pods can ask for.',
      handler: 'Name of the runtime at the nodes. It cannot be changed.',
      overhead: 'What the runtime itself needs per pod.',
      scheduling: 'Which nodes have the runtime.',
    },
    Overhead: { '': 'What a runtime needs.', podFixed: 'Resources per pod.' },
    Scheduling: { '': 'Which nodes have a runtime.', nodeSelector: 'Labels of the nodes, added to the pod.', tolerations: 'Tolerations added to the pod.' },
  },
};

export const coordinationTexts: GroupTexts = {
  package: 'io.k8s.api.coordination.v1',
  structs: {
    Lease: { '': 'A lock with an end: who holds it must renew it. Nodes use it as heartbeat.', spec: 'Who holds it and until when.' },
    LeaseSpec: {
      '': 'Who holds a lease and until when.',
      holderIdentity: 'Who holds it.',
      leaseDurationSeconds: 'How long it is valid after renewTime.',
      acquireTime: 'Since when it is held.',
      renewTime: 'When it was last renewed.',
      leaseTransitions: 'How often the holder changed.',
      strategy: 'How a holder is chosen among candidates.',
      preferredHolder: 'Who should take it over.',
    },
  },
};

export const candidateTexts: GroupTexts = {
  package: 'io.k8s.api.coordination.v1beta1',
  also: ['io.k8s.api.coordination.v1alpha2'],
  structs: {
    LeaseCandidate: { '': 'Somebody who wants to hold a lease.', spec: 'Which lease, and what the candidate is.' },
    LeaseCandidateSpec: {
      '': 'A candidate.',
      leaseName: 'The lease. It cannot be changed.',
      pingTime: 'When the server last asked for a sign of life.',
      renewTime: 'When the candidate last gave one.',
      binaryVersion: 'Version of its program.',
      emulationVersion: 'Version that it behaves like.',
      strategy: 'How a holder is to be chosen.',
    },
  },
};
