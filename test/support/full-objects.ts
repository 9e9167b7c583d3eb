// One object of each kind beyond core that uses most of its fields and that a real kube-apiserver takes.
// Kinds that serve a pod template or a volume spec use only the fields around it; those parts are tried with pods and volumes.

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }] };
const rule = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: ['rules.example'],
  apiVersions: ['v1'],
  resources: ['things', 'things/status'],
  scope: 'Namespaced',
};
const named = { ...rule, resourceNames: ['one'] };
const match = { matchPolicy: 'Equivalent', namespaceSelector: selector, objectSelector: selector, resourceRules: [named], excludeResourceRules: [named] };
const webhook = {
  name: 'one.hooks.example',
  clientConfig: { service: { name: 'hooks', namespace: 'default', path: '/path', port: 443 }, caBundle: '' },
  rules: [rule],
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: selector,
  objectSelector: selector,
  sideEffects: 'NoneOnDryRun',
  timeoutSeconds: 5,
  admissionReviewVersions: ['v1', 'v1beta1'],
  matchConditions: [{ name: 'always', expression: 'true' }],
};
const jobSpec = {
  parallelism: 2,
  completions: 5,
  activeDeadlineSeconds: 100,
  podFailurePolicy: {
    rules: [
      { action: 'FailIndex', onExitCodes: { containerName: 'c', operator: 'In', values: [1, 2] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    ],
  },
  successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 2 }] },
  backoffLimit: 4,
  backoffLimitPerIndex: 1,
  maxFailedIndexes: 2,
  ttlSecondsAfterFinished: 60,
  completionMode: 'Indexed',
  suspend: true,
  podReplacementPolicy: 'Failed',
  managedBy: 'example.com/jobs',
  manualSelector: false,
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
};
const device = {
  deviceClassName: 'gpu.example.com',
  selectors: [{ cel: { expression: 'true' } }],
  allocationMode: 'ExactCount',
  count: 2,
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }],
  capacity: { requests: { memory: '1Gi' } },
};
const claim = {
  devices: {
    requests: [
      { name: 'gpu', exactly: device },
      { name: 'any', firstAvailable: [{ name: 'big', ...device }] },
    ],
    constraints: [
      { requests: ['gpu', 'any/big'], matchAttribute: 'example.com/model' },
      { requests: ['gpu'], distinctAttribute: 'example.com/slot' },
    ],
    config: [{ requests: ['gpu'], opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
  },
};
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const subjects = [
  { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' },
];
const percent = { type: 'Utilization', averageUtilization: 50 };
const scaling = {
  stabilizationWindowSeconds: 10,
  selectPolicy: 'Min',
  policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
  tolerance: '0.1',
};

const grouped = {
  schedulingConstraints: { topology: [{ key: 'zone' }] },
  resourceClaims: [
    { name: 'a', resourceClaimName: 'one' },
    { name: 'b', resourceClaimTemplateName: 'one' },
  ],
  disruptionMode: 'PodGroup',
  priorityClassName: 'high',
  priority: 5,
};

/** By plural and group, without kind and apiVersion; the name where it is not `full`. */
export const fullObjects: Readonly<Record<string, object>> = {
  'controllerrevisions.apps': { data: { a: 1 }, revision: 2 },
  'daemonsets.apps': {
    spec: {
      selector,
      template,
      minReadySeconds: 5,
      revisionHistoryLimit: 3,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
    },
  },
  'deployments.apps': {
    spec: {
      replicas: 3,
      selector,
      template,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 1 } },
      minReadySeconds: 5,
      revisionHistoryLimit: 3,
      paused: true,
      progressDeadlineSeconds: 60,
    },
  },
  'replicasets.apps': { spec: { replicas: 3, minReadySeconds: 5, selector, template } },
  'statefulsets.apps': {
    spec: {
      replicas: 3,
      selector,
      template,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
      serviceName: 'web',
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      revisionHistoryLimit: 3,
      minReadySeconds: 5,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      ordinals: { start: 5 },
    },
  },
  'jobs.batch': { spec: jobSpec },
  'cronjobs.batch': {
    spec: {
      schedule: '*/5 * * * *',
      timeZone: 'Europe/Berlin',
      startingDeadlineSeconds: 30,
      concurrencyPolicy: 'Forbid',
      suspend: true,
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: jobSpec },
      successfulJobsHistoryLimit: 2,
      failedJobsHistoryLimit: 1,
    },
  },
  'horizontalpodautoscalers.autoscaling': {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: percent } },
        { type: 'Pods', pods: { metric: { name: 'hits', selector }, target: { type: 'AverageValue', averageValue: '10' } } },
        {
          type: 'Object',
          object: { describedObject: { apiVersion: 'v1', kind: 'Service', name: 'web' }, metric: { name: 'hits' }, target: { type: 'Value', value: '10' } },
        },
        { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '10' } } },
        { type: 'ContainerResource', containerResource: { name: 'memory', container: 'c', target: percent } },
      ],
      behavior: { scaleUp: scaling, scaleDown: scaling },
    },
  },
  'ingresses.networking.k8s.io': {
    spec: {
      ingressClassName: 'nginx',
      defaultBackend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'files' } },
      tls: [{ hosts: ['a.example'], secretName: 'certificate' }],
      rules: [
        { host: 'a.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] } },
        { host: '*.b.example', http: { paths: [{ path: '/x', pathType: 'Exact', backend: { service: { name: 'web', port: { name: 'http' } } } }] } },
      ],
    },
  },
  'ingressclasses.networking.k8s.io': {
    spec: {
      controller: 'example.com/ingress',
      parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'one', scope: 'Namespace', namespace: 'default' },
    },
  },
  'networkpolicies.networking.k8s.io': {
    spec: {
      podSelector: selector,
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ protocol: 'TCP', port: 80, endPort: 90 }] }],
      egress: [{ to: [{ podSelector: selector, namespaceSelector: selector }], ports: [{ protocol: 'UDP', port: 'dns' }] }],
      policyTypes: ['Ingress', 'Egress'],
    },
  },
  'ipaddresses.networking.k8s.io': {
    metadata: { name: '192.168.7.8' },
    spec: { parentRef: { group: 'example.com', resource: 'things', namespace: 'default', name: 'one' } },
  },
  'servicecidrs.networking.k8s.io': { spec: { cidrs: ['10.200.0.0/16', 'fd00:200::/112'] } },
  'poddisruptionbudgets.policy': { spec: { minAvailable: '50%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
  'roles.rbac.authorization.k8s.io': { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['one'] }] },
  'clusterroles.rbac.authorization.k8s.io': {
    rules: [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['one'] },
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
    ],
    aggregationRule: { clusterRoleSelectors: [selector] },
  },
  'rolebindings.rbac.authorization.k8s.io': { roleRef, subjects },
  'clusterrolebindings.rbac.authorization.k8s.io': { roleRef, subjects },
  'leases.coordination.k8s.io': {
    spec: {
      holderIdentity: 'me',
      leaseDurationSeconds: 10,
      acquireTime: '2030-01-01T00:00:00.000000Z',
      renewTime: '2030-01-01T00:00:00.000000Z',
      leaseTransitions: 1,
      strategy: 'OldestEmulationVersion',
      preferredHolder: 'you',
    },
  },
  'leasecandidates.coordination.k8s.io': {
    spec: {
      leaseName: 'one',
      pingTime: '2030-01-01T00:00:00.000000Z',
      renewTime: '2030-01-01T00:00:00.000000Z',
      binaryVersion: '1.36.0',
      emulationVersion: '1.35.0',
      strategy: 'OldestEmulationVersion',
    },
  },
  'priorityclasses.scheduling.k8s.io': { value: 10, globalDefault: false, description: 'some', preemptionPolicy: 'Never' },
  'workloads.scheduling.k8s.io': {
    spec: {
      controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'one' },
      podGroupTemplates: [
        { name: 'all', schedulingPolicy: { gang: { minCount: 2 } }, ...grouped },
        { name: 'rest', schedulingPolicy: { basic: {} } },
      ],
    },
  },
  'podgroups.scheduling.k8s.io': {
    spec: {
      podGroupTemplateRef: { workload: { workloadName: 'one', podGroupTemplateName: 'all' } },
      schedulingPolicy: { gang: { minCount: 2 } },
      ...grouped,
    },
  },
  'runtimeclasses.node.k8s.io': {
    handler: 'runc',
    overhead: { podFixed: { cpu: '10m' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }] },
  },
  'storageclasses.storage.k8s.io': {
    provisioner: 'example.com/disk',
    parameters: { a: 'b' },
    reclaimPolicy: 'Retain',
    mountOptions: ['ro'],
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
  },
  'csidrivers.storage.k8s.io': {
    metadata: { name: 'full.example.com' },
    spec: {
      attachRequired: true,
      podInfoOnMount: true,
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      storageCapacity: true,
      fsGroupPolicy: 'File',
      tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
      requiresRepublish: true,
      seLinuxMount: true,
      nodeAllocatableUpdatePeriodSeconds: 60,
      serviceAccountTokenInSecrets: true,
    },
  },
  'csinodes.storage.k8s.io': { spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 5 } }] } },
  'csistoragecapacities.storage.k8s.io': { storageClassName: 'fast', nodeTopology: selector, capacity: '1Gi', maximumVolumeSize: '1Gi' },
  'volumeattachments.storage.k8s.io': { spec: { attacher: 'disk.example.com', nodeName: 'node', source: { persistentVolumeName: 'one' } } },
  'volumeattributesclasses.storage.k8s.io': { driverName: 'disk.example.com', parameters: { a: 'b' } },
  'flowschemas.flowcontrol.apiserver.k8s.io': {
    spec: {
      matchingPrecedence: 100,
      distinguisherMethod: { type: 'ByUser' },
      priorityLevelConfiguration: { name: 'global-default' },
      rules: [
        {
          subjects: [
            { kind: 'User', user: { name: 'alice' } },
            { kind: 'Group', group: { name: 'team' } },
            { kind: 'ServiceAccount', serviceAccount: { name: 'default', namespace: 'default' } },
          ],
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], clusterScope: true, namespaces: ['default'] }],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
        },
      ],
    },
  },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': {
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 10,
        lendablePercent: 10,
        borrowingLimitPercent: 10,
        limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 10 } },
      },
    },
  },
  'validatingwebhookconfigurations.admissionregistration.k8s.io': {
    webhooks: [webhook, { ...webhook, name: 'two.hooks.example', clientConfig: { url: 'https://hooks.example/path' } }],
  },
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': {
    webhooks: [
      { ...webhook, reinvocationPolicy: 'IfNeeded' },
      { ...webhook, name: 'two.hooks.example', clientConfig: { url: 'https://hooks.example/path' } },
    ],
  },
  'validatingadmissionpolicies.admissionregistration.k8s.io': {
    spec: {
      failurePolicy: 'Ignore',
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: match,
      matchConditions: [{ name: 'always', expression: 'true' }],
      variables: [{ name: 'n', expression: '1' }],
      validations: [{ expression: 'variables.n == 1', message: 'm', messageExpression: "'m'", reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'k', valueExpression: "'v'" }],
    },
  },
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': {
    spec: {
      policyName: 'none',
      validationActions: ['Deny', 'Audit'],
      paramRef: { name: 'p', namespace: 'default', parameterNotFoundAction: 'Allow' },
      matchResources: match,
    },
  },
  'mutatingadmissionpolicies.admissionregistration.k8s.io': {
    spec: {
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'IfNeeded',
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: match,
      matchConditions: [{ name: 'always', expression: 'true' }],
      variables: [{ name: 'n', expression: '1' }],
      mutations: [
        { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/a", value: 1}]' } },
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
      ],
    },
  },
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': {
    spec: { policyName: 'none', paramRef: { selector, namespace: 'default', parameterNotFoundAction: 'Allow' }, matchResources: match },
  },
  'apiservices.apiregistration.k8s.io': {
    metadata: { name: 'v1.full.example.com' },
    spec: {
      group: 'full.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { name: 'api', namespace: 'default', port: 8443 },
      insecureSkipTLSVerify: true,
    },
  },
  'customresourcedefinitions.apiextensions.k8s.io': {
    metadata: { name: 'things.full.example' },
    spec: {
      group: 'full.example',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', shortNames: ['th'], categories: ['all'] },
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service: { name: 'convert', namespace: 'default', path: '/c', port: 443 } }, conversionReviewVersions: ['v1'] },
      },
      preserveUnknownFields: false,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: 'soon',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { color: { type: 'string', default: 'red' }, replicas: { type: 'integer' } } },
                status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
              },
            },
          },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
          },
          additionalPrinterColumns: [{ name: 'Color', type: 'string', format: 'byte', description: 'd', priority: 1, jsonPath: '.spec.color' }],
          selectableFields: [{ jsonPath: '.spec.color' }],
        },
      ],
    },
  },
  'deviceclasses.resource.k8s.io': {
    spec: {
      selectors: [{ cel: { expression: 'true' } }],
      config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
      extendedResourceName: 'example.com/gpu',
    },
  },
  'resourceclaims.resource.k8s.io': { spec: claim },
  'resourceclaimtemplates.resource.k8s.io': { spec: { metadata: { labels: { a: 'b' } }, spec: claim } },
  'resourceslices.resource.k8s.io': {
    spec: {
      driver: 'gpu.example.com',
      pool: { name: 'node/one', generation: 1, resourceSliceCount: 1 },
      perDeviceNodeSelection: true,
      devices: [
        {
          name: 'gpu-0',
          nodeName: 'node',
          attributes: { model: { string: 'x' }, ver: { version: '1.2.3' }, n: { int: 1 }, b: { bool: true } },
          capacity: {
            memory: { value: '4Gi', requestPolicy: { default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } } },
            cores: { value: '4', requestPolicy: { default: '1', validValues: ['1', '2'] } },
          },
          consumesCounters: [{ counterSet: 'set', counters: { slots: { value: '1' } } }],
          taints: [{ key: 'a', value: 'b', effect: 'NoSchedule', timeAdded: '2030-01-01T00:00:00Z' }],
          bindsToNode: true,
          bindingConditions: ['ready'],
          bindingFailureConditions: ['failed'],
          allowMultipleAllocations: true,
        },
        {
          name: 'gpu-1',
          nodeSelector: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }], matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] },
            ],
          },
        },
        { name: 'gpu-2', allNodes: true },
      ],
    },
  },
  'devicetaintrules.resource.k8s.io': {
    spec: {
      deviceSelector: { driver: 'gpu.example.com', pool: 'node/one', device: 'gpu-0' },
      taint: { key: 'a', value: 'b', effect: 'NoSchedule', timeAdded: '2030-01-01T00:00:00Z' },
    },
  },
  'resourcepoolstatusrequests.resource.k8s.io': { spec: { driver: 'gpu.example.com', poolName: 'node/one', limit: 10 } },
  'storageversionmigrations.storagemigration.k8s.io': { spec: { resource: { group: 'apps', resource: 'deployments' } } },
  'storageversions.internal.apiserver.k8s.io': { metadata: { name: 'full.example.things' }, spec: {} },
};
