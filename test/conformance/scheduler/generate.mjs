// Clusters and pods to put to two schedulers: random, but the same for the same seed.
import { randomFrom } from '../../support/random.mjs';

export const namespaces = [
  { name: 'first', labels: { team: 'a' } },
  { name: 'second', labels: { team: 'b', open: 'yes' } },
];
export const priorities = [
  { name: 'low', value: 100 },
  { name: 'middle', value: 1_000 },
  { name: 'high', value: 10_000 },
  { name: 'patient', value: 10_000, preemptionPolicy: 'Never' },
];
export const classes = [
  { name: 'local', provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' },
  { name: 'made', provisioner: 'made.example.com', volumeBindingMode: 'WaitForFirstConsumer' },
  {
    name: 'zoned',
    provisioner: 'zoned.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a', 'b'] }] }],
  },
  { name: 'now', provisioner: 'now.example.com', volumeBindingMode: 'Immediate' },
];

/** An image is as large on every node: which of several sizes counts would depend on the order in which nodes are heard of. */
const imagesOfNodes = ['app:latest', 'app:v1', 'registry.example.com/tool:latest', 'registry.example.com/tool:v1', 'base:latest', 'base:v1'].map(
  (name, index) => ({
    names: [name],
    sizeBytes: (15 + 170 * index) * 1024 * 1024,
  }),
);

export const deviceClasses = [
  { name: 'gpu', selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  { name: 'new-gpu', selectors: [{ cel: { expression: 'device.attributes["gpu.example.com"].model == "new"' } }] },
];

export class Generator {
  #random;

  constructor(seed) {
    this.#random = randomFrom(seed);
  }

  /** { nodes, pods (with a node), workloads, budgets, incoming: cases of { pod, claims, volumes } } */
  cluster(cases) {
    const nodes = Array.from({ length: 1 + this.#below(9) }, (_, index) => this.#node(index));
    const pods = nodes.flatMap((node) => Array.from({ length: this.#below(4) }, (_, index) => this.#placed(node, index)));
    const budgets = this.#chance(0.3) ? [this.#budget()] : [];
    const csiNodes = nodes.filter(() => this.#chance(0.4)).map(({ name }) => ({ name, driver: 'made.example.com', count: this.#below(3) }));
    const slices = nodes.filter(() => this.#chance(0.4)).map((node) => this.#slice(node));
    return { nodes, pods, budgets, csiNodes, slices, incoming: Array.from({ length: cases }, (_, index) => this.#incoming(index, nodes)) };
  }

  #below(limit) {
    return Math.floor(this.#random() * limit);
  }

  #chance(share) {
    return this.#random() < share;
  }

  #pick(list) {
    return list[this.#below(list.length)];
  }

  /** `make` so often, where it happens at all. */
  #some(share, most, make) {
    return this.#chance(share) ? Array.from({ length: 1 + this.#below(most) }, make) : [];
  }

  #node(index) {
    const name = `node-${index}`;
    const labels = {
      ...(this.#chance(0.95) && { 'kubernetes.io/hostname': name }),
      ...(this.#chance(0.8) && { 'topology.kubernetes.io/zone': this.#pick(['a', 'b', 'c']), 'topology.kubernetes.io/region': 'r' }),
      ...(this.#chance(0.5) && { disk: this.#pick(['ssd', 'hdd']) }),
      ...(this.#chance(0.5) && { rack: String(this.#below(10)) }),
    };
    const effects = ['NoSchedule', 'PreferNoSchedule', 'PreferNoSchedule', 'NoExecute'];
    const taints = this.#some(0.3, 2, () => ({ key: this.#pick(['k', 'l']), value: this.#pick(['v', 'w']), effect: this.#pick(effects) }));
    const unique = taints.filter(({ key, effect }, at) => taints.findIndex((other) => other.key === key && other.effect === effect) === at);
    const allocatable = {
      cpu: this.#pick(['1', '2', '3500m', '8', '16']),
      memory: this.#pick(['1Gi', '4Gi', '7Gi', '16Gi']),
      pods: this.#pick(['2', '5', '10', '110']),
      ...(this.#chance(0.8) && { 'ephemeral-storage': this.#pick(['1Gi', '50Gi']) }),
      ...(this.#chance(0.3) && { 'example.com/gpu': this.#pick(['1', '4']) }),
      ...(this.#chance(0.2) && { 'hugepages-2Mi': '64Mi' }),
    };
    const images = this.#some(0.5, 3, () => this.#pick(imagesOfNodes));
    return { name, labels, taints: unique, unschedulable: this.#chance(0.06), status: { allocatable, capacity: allocatable, images } };
  }

  #placed(node, index) {
    const spec = { ...this.#spec(0.5), nodeName: node.name };
    // Whatever would keep it from being stored there says nothing about where it is.
    return { ...this.#named(`placed-${node.name}-${index}`, spec), workload: this.#workload(), isLeaving: this.#chance(0.08) };
  }

  #incoming(index, nodes) {
    // Half of them want little, so that there is something to choose from.
    const spec = this.#spec(this.#chance(0.5) ? 0.3 : 1, nodes);
    const pod = { ...this.#named(`incoming-${index}`, spec), workload: this.#workload() };
    const devices = this.#chance(0.15) ? this.#deviceClaim(pod) : undefined;
    return { ...pod, devices, ...(this.#chance(0.2) ? this.#storage(pod, nodes) : { claims: [], volumes: [] }) };
  }

  #named(name, spec) {
    const labels = { ...(this.#chance(0.9) && { app: this.#pick(['x', 'y', 'z']) }), ...(this.#chance(0.4) && { tier: this.#pick(['front', 'back']) }) };
    return { name, namespace: this.#chance(0.8) ? 'first' : 'second', labels, spec };
  }

  #workload() {
    return this.#chance(0.3) ? this.#pick(['ReplicaSet', 'StatefulSet', 'ReplicationController']) : undefined;
  }

  #spec(share, nodes = []) {
    const affinity = { ...this.#nodeAffinity(share, nodes), ...this.#podAffinity(share) };
    const priority = this.#chance(0.5) ? this.#pick(priorities).name : undefined;
    return {
      containers: Array.from({ length: 1 + this.#below(2) }, (_, index) => this.#container(`c${index}`)),
      initContainers: this.#some(0.2, 2, (_, index) => ({
        ...this.#container(`i${index}`),
        ...(this.#chance(0.5) && { restartPolicy: 'Always' }),
      })),
      ...(Object.keys(affinity).length > 0 && { affinity }),
      ...(this.#chance(0.15 * share) && { nodeSelector: { disk: this.#pick(['ssd', 'hdd']) } }),
      tolerations: this.#some(0.4, 3, () => this.#toleration()),
      ...(priority && { priorityClassName: priority }),
      ...(this.#chance(0.3 * share) && { topologySpreadConstraints: this.#spread() }),
      ...(this.#chance(0.1) && { resources: { requests: { cpu: this.#pick(['2', '7']) } } }),
      ...(this.#chance(0.05) && { hostNetwork: true, hostUsers: false }),
      ...(this.#chance(0.08) && { volumes: [{ name: 'd', gcePersistentDisk: { pdName: this.#pick(['one', 'two']), readOnly: this.#chance(0.5) } }] }),
      terminationGracePeriodSeconds: 0,
    };
  }

  #container(name) {
    const requests = {
      ...(this.#chance(0.7) && { cpu: this.#pick(['50m', '100m', '200m', '500m', '1', '3']) }),
      ...(this.#chance(0.6) && { memory: this.#pick(['64Mi', '128Mi', '300Mi', '1Gi', '4Gi']) }),
      ...(this.#chance(0.1) && { 'ephemeral-storage': this.#pick(['500Mi', '2Gi']) }),
    };
    const extended = { ...(this.#chance(0.08) && { 'example.com/gpu': '1' }), ...(this.#chance(0.04) && { 'hugepages-2Mi': '32Mi' }) };
    const resources = { requests: { ...requests, ...extended }, ...(Object.keys(extended).length > 0 && { limits: extended }) };
    if (extended['hugepages-2Mi']) resources.requests.memory ??= '64Mi';
    const ports = this.#some(0.12, 2, (_, index) => ({
      containerPort: 8000 + index,
      hostPort: this.#pick([80, 443]),
      protocol: this.#pick(['TCP', 'UDP']),
      ...(this.#chance(0.5) && { hostIP: this.#pick(['127.0.0.1', '10.0.0.1']) }),
    }));
    const unique = ports.filter(({ hostPort, protocol }, at) => ports.findIndex((other) => other.hostPort === hostPort && other.protocol === protocol) === at);
    return { name, image: this.#pick(['app', 'app:v1', 'registry.example.com/tool:v1', 'base:latest', 'unknown']), resources, ports: unique };
  }

  #toleration() {
    const key = this.#pick(['k', 'l', '']);
    const effect = this.#chance(0.5) ? { effect: this.#pick(['NoSchedule', 'PreferNoSchedule', 'NoExecute']) } : {};
    if (key === '' || this.#chance(0.4)) return { ...(key && { key }), operator: 'Exists', ...effect };
    return { key, operator: 'Equal', value: this.#pick(['v', 'w']), ...effect };
  }

  #requirement() {
    const operator = this.#pick(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']);
    if (operator === 'Gt' || operator === 'Lt') return { key: 'rack', operator, values: [String(this.#below(10))] };
    const key = this.#pick(['disk', 'topology.kubernetes.io/zone', 'rack']);
    if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
    const values = { disk: ['ssd', 'hdd'], rack: ['1', '2', '3'] }[key] ?? ['a', 'b', 'c'];
    return { key, operator, values: [...new Set([this.#pick(values), this.#pick(values)])] };
  }

  #nodeTerm(nodes) {
    const matchExpressions = this.#some(0.9, 2, () => this.#requirement());
    const named = nodes.length > 0 && (matchExpressions.length === 0 || this.#chance(0.15));
    const matchFields = named ? [{ key: 'metadata.name', operator: this.#pick(['In', 'NotIn']), values: [this.#pick(nodes).name] }] : [];
    return matchExpressions.length + matchFields.length === 0 ? { matchExpressions: [this.#requirement()] } : { matchExpressions, matchFields };
  }

  #nodeAffinity(share, nodes) {
    if (!this.#chance(0.35 * share)) return {};
    const required = this.#some(0.6, 2, () => this.#nodeTerm(nodes));
    return {
      nodeAffinity: {
        ...(required.length > 0 && { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: required } }),
        preferredDuringSchedulingIgnoredDuringExecution: this.#some(0.6, 3, () => ({ weight: 1 + this.#below(100), preference: this.#nodeTerm(nodes) })),
      },
    };
  }

  #podTerm() {
    return {
      ...(this.#chance(0.95) && { labelSelector: this.#selector() }),
      topologyKey: this.#pick(['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack']),
      ...(this.#chance(0.2) && { namespaces: [this.#pick(namespaces).name] }),
      ...(this.#chance(0.2) && {
        namespaceSelector: this.#pick([{}, { matchLabels: { team: 'b' } }, { matchExpressions: [{ key: 'open', operator: 'Exists' }] }]),
      }),
    };
  }

  #selector() {
    if (this.#chance(0.1)) return {};
    if (this.#chance(0.3)) return { matchExpressions: [{ key: 'app', operator: this.#pick(['In', 'NotIn']), values: [this.#pick(['x', 'y'])] }] };
    return { matchLabels: this.#chance(0.8) ? { app: this.#pick(['x', 'y', 'z']) } : { tier: this.#pick(['front', 'back']) } };
  }

  #podAffinity(share) {
    const side = (most) => ({
      requiredDuringSchedulingIgnoredDuringExecution: this.#some(0.5, most, () => this.#podTerm()),
      preferredDuringSchedulingIgnoredDuringExecution: this.#some(0.5, 2, () => ({ weight: 1 + this.#below(100), podAffinityTerm: this.#podTerm() })),
    });
    return { ...(this.#chance(0.2 * share) && { podAffinity: side(1) }), ...(this.#chance(0.3 * share) && { podAntiAffinity: side(2) }) };
  }

  #spread() {
    const keys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'];
    const first = this.#below(3);
    return Array.from({ length: 1 + this.#below(2) }, (_, index) => {
      const whenUnsatisfiable = this.#pick(['DoNotSchedule', 'ScheduleAnyway']);
      return {
        maxSkew: 1 + this.#below(3),
        topologyKey: keys[(first + index) % 3],
        whenUnsatisfiable,
        ...(this.#chance(0.95) && { labelSelector: this.#selector() }),
        ...(whenUnsatisfiable === 'DoNotSchedule' && this.#chance(0.3) && { minDomains: 1 + this.#below(4) }),
        ...(this.#chance(0.3) && { nodeAffinityPolicy: this.#pick(['Honor', 'Ignore']) }),
        ...(this.#chance(0.3) && { nodeTaintsPolicy: this.#pick(['Honor', 'Ignore']) }),
      };
    });
  }

  #budget() {
    const { name: namespace } = this.#pick(namespaces);
    return { namespace, selector: { matchLabels: { app: this.#pick(['x', 'y']) } }, allowed: this.#below(2) };
  }

  #slice({ name }) {
    const devices = Array.from({ length: 1 + this.#below(3) }, (_, index) => ({
      name: `device-${index}`,
      attributes: { model: { string: this.#pick(['old', 'new']) }, slot: { int: this.#below(3) }, driverVersion: { version: this.#pick(['1.0.0', '2.1.0']) } },
      capacity: { memory: { value: this.#pick(['4Gi', '16Gi']) } },
      taints: this.#some(0.15, 1, () => ({ key: 'k', value: 'v', effect: 'NoSchedule' })),
    }));
    const spec = { driver: 'gpu.example.com', pool: { name, generation: 1, resourceSliceCount: this.#chance(0.9) ? 1 : 2 }, devices };
    return { name: `${name}-gpus`, spec: { ...spec, ...(this.#chance(0.8) ? { nodeName: name } : { allNodes: true }) } };
  }

  #deviceClaim({ name, namespace }) {
    const expressions = [
      'device.attributes["gpu.example.com"].model == "new"',
      'device.capacity["gpu.example.com"].memory.compareTo(quantity("8Gi")) >= 0',
      'device.attributes["gpu.example.com"].driverVersion.isGreaterThan(semver("1.5.0"))',
      'device.driver == "other.example.com"',
      '"nothing" in device.attributes["elsewhere.example.com"]',
    ];
    const asked = () => ({
      deviceClassName: this.#chance(0.95) ? this.#pick(['gpu', 'new-gpu']) : 'absent',
      selectors: this.#some(0.5, 1, () => ({ cel: { expression: this.#pick(expressions) } })),
      ...(this.#chance(0.8) ? { allocationMode: 'ExactCount', count: 1 + this.#below(2) } : { allocationMode: 'All' }),
      tolerations: this.#some(0.3, 1, () => ({ key: 'k', operator: 'Exists' })),
    });
    const exact = (index) => ({ name: `r${index}`, exactly: asked() });
    const either = (index) => ({
      name: `r${index}`,
      firstAvailable: [
        { name: 'first', ...asked() },
        { name: 'second', ...asked() },
      ],
    });
    const requests = Array.from({ length: 1 + this.#below(2) }, (_, index) => (this.#chance(0.7) ? exact(index) : either(index)));
    const constraints = this.#some(0.2, 1, () => ({ requests: [], matchAttribute: 'gpu.example.com/model' }));
    return { name: `${name}-devices`, namespace, spec: { devices: { requests, constraints } } };
  }

  /** Claims of an incoming pod, and volumes that they are bound to or could be. */
  #storage({ name, namespace }, nodes) {
    const kind = this.#pick(['bound', 'bound', 'gone', 'missing', 'unbound', 'local', 'local', 'made', 'zoned', 'single']);
    const claim = `${name}-data`;
    const volume = `${name}-${kind}`;
    const size = this.#pick(['1Gi', '5Gi']);
    const required = this.#chance(0.7) ? { required: { nodeSelectorTerms: [this.#nodeTerm([])] } } : undefined;
    const zone = this.#chance(0.4) ? { 'topology.kubernetes.io/zone': this.#pick(['a', 'b', 'a__b']) } : {};
    const claims = [
      {
        name: claim,
        namespace,
        size,
        class: { unbound: 'now', local: 'local', made: 'made', zoned: 'zoned' }[kind] ?? '',
        bound: false,
        modes: ['ReadWriteOnce'],
      },
    ];
    const volumes = [];
    if (kind === 'bound' || kind === 'single') volumes.push({ name: volume, size, class: '', labels: zone, nodeAffinity: required, claim });
    if (kind === 'bound' || kind === 'single' || kind === 'gone') Object.assign(claims[0], { bound: volume });
    if (kind === 'single') volumes[0].modes = claims[0].modes = ['ReadWriteOncePod'];
    if (kind === 'local') {
      for (let index = 0; index < 1 + this.#below(3); index++) {
        const on = {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [this.#pick(nodes).name] }] }] },
        };
        volumes.push({ name: `${volume}-${index}`, size: this.#pick(['1Gi', '3Gi', '10Gi']), class: 'local', labels: {}, nodeAffinity: on });
      }
    }
    return { claims: kind === 'missing' ? [] : claims, volumes, claimName: claim };
  }
}
