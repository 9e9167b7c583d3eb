// The operations of workloads.mjs: what people do with Deployments, ReplicaSets, ReplicationControllers, StatefulSets and DaemonSets, and with the
// nodes below them. The scheduler and the kubelets are played here: the walk binds pods and writes their status.
import { comparable, Walk } from './walk.mjs';

export const controllers = [
  'daemonset-controller',
  'deployment-controller',
  'disruption-controller',
  'garbage-collector-controller',
  'persistentvolumeclaim-protection-controller',
  'replicaset-controller',
  'replicationcontroller-controller',
  'statefulset-controller',
];

const namespace = 'walk';
const core = `/api/v1/namespaces/${namespace}`;
const apps = `/apis/apps/v1/namespaces/${namespace}`;

const compared = {
  deployments: `${apps}/deployments`,
  replicasets: `${apps}/replicasets`,
  replicationcontrollers: `${core}/replicationcontrollers`,
  statefulsets: `${apps}/statefulsets`,
  daemonsets: `${apps}/daemonsets`,
  revisions: `${apps}/controllerrevisions`,
  claims: `${core}/persistentvolumeclaims`,
  budgets: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
  pods: `${core}/pods`,
};

export function walkOn(origin) {
  return new WorkloadWalk(origin).run();
}

class WorkloadWalk extends Walk {
  constructor(origin) {
    super(origin, namespace, compared);
  }

  /** Pods are numbered and named by chance, and in how many steps a rollout goes on depends on who is faster. */
  eventOf({ source }) {
    return { source };
  }

  async run() {
    await this.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await this.ask('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
    for (const [name, zone] of Object.entries({ n1: 'a', n2: 'a', n3: 'b' })) {
      await this.ask('POST', '/api/v1/nodes', { metadata: { name, labels: { zone } } });
      await this.merge(`/api/v1/nodes/${name}`, { spec: { taints: null } });
    }
    await this.#deployments();
    await this.#replicas();
    await this.#statefulSets();
    await this.#daemonSets();
    const refusal = await this.#drain();
    return { ...(await this.settledState()), 'refused eviction': comparable(refusal) };
  }

  async #deployments() {
    const rolling = { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
    for (const [name, spec] of Object.entries({ web: rolling, back: {}, short: { revisionHistoryLimit: 1 }, fresh: { strategy: { type: 'Recreate' } } })) {
      await this.#make('deployments', name, { replicas: 2, ...spec });
      await this.#rolledOut(name);
    }
    await this.#image('deployments', 'web', 'i:2', { note: 'changed' });
    await this.#rolledOut('web');
    await this.merge(`${apps}/deployments/web`, { spec: { replicas: 4 } });
    await this.#rolledOut('web');
    await this.#image('deployments', 'back', 'i:2');
    await this.#rolledOut('back');
    await this.#image('deployments', 'back', 'i:1');
    await this.#rolledOut('back');
    for (const image of ['i:2', 'i:3', 'i:4']) {
      await this.#image('deployments', 'short', image);
      await this.#rolledOut('short');
    }
    await this.#image('deployments', 'fresh', 'i:2');
    await this.#rolledOut('fresh');
    await this.#make('deployments', 'paused', { replicas: 1, paused: true });
    await this.#make('deployments', 'resumed', { replicas: 1 });
    await this.#rolledOut('resumed');
    await this.merge(`${apps}/deployments/resumed`, { spec: { paused: true } });
    await this.until(async () => progressOf(await this.ask('GET', `${apps}/deployments/resumed`)) === 'DeploymentPaused');
    await this.merge(`${apps}/deployments/resumed`, { spec: { paused: false } });
    await this.#image('deployments', 'resumed', 'i:2');
    await this.#rolledOut('resumed');
    await this.#make('deployments', 'stuck', { replicas: 2, progressDeadlineSeconds: 2 }, 'bad');
    await this.until(async () => progressOf(await this.ask('GET', `${apps}/deployments/stuck`)) === 'ProgressDeadlineExceeded');
    await this.#proportions();
    for (const propagationPolicy of ['Foreground', 'Background', 'Orphan']) {
      const name = propagationPolicy.toLowerCase();
      await this.#make('deployments', name, { replicas: 1 });
      await this.#rolledOut(name);
      await this.ask('DELETE', `${apps}/deployments/${name}?propagationPolicy=${propagationPolicy}`);
    }
  }

  async #proportions() {
    await this.#make('deployments', 'shared', { replicas: 6, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } } });
    await this.#rolledOut('shared');
    await this.#image('deployments', 'shared', 'bad');
    const sizes = async () =>
      (await this.list(`${apps}/replicasets`)).filter(({ metadata }) => metadata.labels.app === 'shared').map(({ spec }) => spec.replicas);
    await this.until(async () => (await sizes()).toSorted().join() === '3,6');
    await this.merge(`${apps}/deployments/shared`, { spec: { replicas: 12 } });
    await this.until(async () => (await sizes()).reduce((sum, size) => sum + size, 0) === 15);
  }

  async #replicas() {
    await this.ask('POST', `${core}/pods`, { metadata: { name: 'orphan', labels: { app: 'rs' } }, spec: podSpec('i:1') });
    await this.#make('replicasets', 'rs', { replicas: 3, minReadySeconds: 1 });
    await this.#ready('rs', 3);
    await this.merge(`${core}/pods/orphan`, { metadata: { labels: { app: 'alone' } } });
    await this.#ready('rs', 3);
    await this.merge(`${apps}/replicasets/rs`, { spec: { replicas: 1 } });
    await this.until(async () => (await this.#pods('rs')).length === 1);
    const [pod] = await this.#pods('rs');
    await this.merge(`${core}/pods/${pod.metadata.name}/status`, { status: { phase: 'Failed' } });
    await this.#ready('rs', 1);
    const rc = { replicas: 2, selector: { app: 'rc' }, template: template('rc', 'i:1') };
    await this.ask('POST', compared.replicationcontrollers, { metadata: { name: 'rc' }, spec: rc });
    await this.#ready('rc', 2);
  }

  async #statefulSets() {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    const policy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
    const sets = {
      ordered: { replicas: 2 },
      parallel: { replicas: 2, podManagementPolicy: 'Parallel', ordinals: { start: 3 } },
      split: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
      disks: { replicas: 2, volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy: policy },
      kept: { replicas: 1, volumeClaimTemplates: [claim] },
    };
    for (const [name, spec] of Object.entries(sets)) {
      await this.#make('statefulsets', name, { serviceName: 'peers', ...spec });
      await this.#ready(name, spec.replicas);
    }
    for (const name of ['ordered', 'parallel']) {
      await this.#image('statefulsets', name, 'i:2');
      await this.#played(async () => (await this.#pods(name)).every((pod) => imageOf(pod) === 'i:2' && isReady(pod)));
      await this.#ready(name, 2);
    }
    await this.#image('statefulsets', 'split', 'i:2');
    await this.#played(async () => (await this.#pods('split')).filter((pod) => imageOf(pod) === 'i:2' && isReady(pod)).length === 1);
    await this.#ready('split', 3);
    await this.#image('statefulsets', 'ordered', 'i:1');
    await this.#played(async () => (await this.#pods('ordered')).every((pod) => imageOf(pod) === 'i:1' && isReady(pod)));
    await this.merge(`${apps}/statefulsets/disks`, { spec: { replicas: 1 } });
    await this.until(async () => (await this.list(compared.claims)).filter(({ metadata }) => metadata.labels?.app === 'disks').length === 1);
    await this.merge(`${apps}/statefulsets/parallel`, { spec: { replicas: 1 } });
    await this.until(async () => (await this.#pods('parallel')).length === 1);
    await this.merge(`${core}/pods/kept-0/status`, { status: { phase: 'Failed' } });
    await this.#ready('kept', 1);
  }

  async #daemonSets() {
    const sets = {
      agent: {},
      zoned: { template: template('zoned', 'i:1', { nodeSelector: { zone: 'a' } }) },
      surged: { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      manual: { updateStrategy: { type: 'OnDelete' } },
    };
    for (const [name, spec] of Object.entries(sets)) {
      await this.#make('daemonsets', name, spec);
      await this.#ready(name, name === 'zoned' ? 2 : 3);
    }
    for (const name of ['agent', 'surged']) {
      await this.#image('daemonsets', name, 'i:2');
      await this.#played(async () => {
        const pods = await this.#pods(name);
        return pods.length === 3 && pods.every((pod) => imageOf(pod) === 'i:2' && isReady(pod));
      });
    }
    await this.#image('daemonsets', 'manual', 'i:2');
    await this.merge('/api/v1/nodes/n1', { spec: { taints: [{ key: 'down', effect: 'NoExecute' }] } });
    await this.until(async () => (await this.#pods('zoned')).length === 1);
    await this.merge('/api/v1/nodes/n3', { spec: { taints: [{ key: 'full', effect: 'NoSchedule' }] } });
    // Of a node that may keep its pod the original counts anew only when it looks at the set for another reason: whether one comes later is chance.
    for (const name of Object.keys(sets)) await this.merge(`${apps}/daemonsets/${name}`, { metadata: { annotations: { touched: 'yes' } } });
    const [failing] = (await this.#pods('zoned')).filter(isReady);
    await this.merge(`${core}/pods/${failing.metadata.name}/status`, { status: { phase: 'Failed' } });
    await this.#played(async () => {
      const pods = await this.#pods('zoned');
      return pods.length === 1 && pods.every((pod) => pod.metadata.uid !== failing.metadata.uid && isReady(pod));
    });
  }

  /** As `kubectl drain` does it: the node takes no more pods, and those on it are evicted when their budget allows it. Resolves to how it refuses. */
  async #drain() {
    const budget = `${compared.budgets}/drained`;
    const allowed = (count) => this.until(async () => (await this.ask('GET', budget)).status.disruptionsAllowed === count);
    await this.#make('deployments', 'drained', { replicas: 2 });
    await this.until(async () => (await this.#pods('drained')).length === 2);
    const going = (await this.#pods('drained')).map(({ metadata }) => metadata.name);
    for (const name of going) await this.#bind(name, 'n2');
    await this.#rolledOut('drained');
    const spec = { minAvailable: 2, selector: { matchLabels: { app: 'drained' } } };
    await this.ask('POST', compared.budgets, { metadata: { name: 'drained' }, spec });
    await this.until(async () => (await this.ask('GET', budget)).status?.currentHealthy === 2);
    await this.merge('/api/v1/nodes/n2', { spec: { unschedulable: true } });
    const refusal = await this.#evict(going[0]);
    await this.merge(budget, { spec: { minAvailable: 1 } });
    for (const name of going) {
      await allowed(1);
      const answer = await this.#evict(name);
      if (answer.status !== 'Success') throw new Error(`the eviction of ${name} was refused: ${answer.message}`);
      const isNew = ({ metadata, spec: { nodeName } }) => !going.includes(metadata.name) && nodeName === undefined;
      await this.until(async () => (await this.#pods('drained')).some(isNew));
      for (const { metadata } of (await this.#pods('drained')).filter(isNew)) await this.#bind(metadata.name, 'n3');
      await this.#rolledOut('drained');
    }
    await allowed(1);
    await this.merge('/api/v1/nodes/n2', { spec: { unschedulable: null } });
    return refusal;
  }

  /** Resolves to the Status that answers. */
  async #evict(name) {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    try {
      return await this.ask('POST', `${core}/pods/${name}/eviction`, eviction);
    } catch (problem) {
      const [, status] = /: 429 (.*)$/s.exec(problem.message) ?? [];
      if (status === undefined) throw problem;
      return JSON.parse(status);
    }
  }

  async #make(resource, name, spec, image = 'i:1') {
    const selector = { matchLabels: { app: name } };
    await this.ask('POST', compared[resource], { metadata: { name }, spec: { selector, template: template(name, image), ...spec } });
  }

  async #image(resource, name, image, annotations) {
    await this.merge(`${compared[resource]}/${name}`, { metadata: { annotations }, spec: { template: template(name, image) } });
  }

  /** Those that are not about to go. */
  async #pods(app) {
    const pods = await this.list(`${core}/pods?labelSelector=app%3D${app}`);
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  async #ready(app, count) {
    await this.#played(async () => (await this.#pods(app)).filter((pod) => isReady(pod)).length === count);
  }

  async #rolledOut(name) {
    await this.#played(async () => {
      const { metadata, spec, status } = await this.ask('GET', `${apps}/deployments/${name}`);
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      return status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas) && status.terminatingReplicas === 0;
    });
  }

  /** Binds and readies every pod of a good image, until `holds`. */
  async #played(holds) {
    await this.until(async () => {
      for (const pod of await this.list(compared.pods)) if (pod.status.phase === 'Pending' && imageOf(pod) !== 'bad') await this.#play(pod);
      return holds();
    });
  }

  async #bind(name, node) {
    await this.ask('POST', `${core}/pods/${name}/binding`, { metadata: { name }, target: { apiVersion: 'v1', kind: 'Node', name: node } });
  }

  async #play(pod) {
    const { name } = pod.metadata;
    const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
    const node = terms?.[0].matchFields[0].values[0];
    try {
      if (node && !pod.spec.nodeName) await this.#bind(name, node);
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }];
      await this.merge(`${core}/pods/${name}/status`, { status: { phase: 'Running', conditions } });
      // A kubelet would let it go at once.
      if (pod.metadata.deletionTimestamp) await this.ask('DELETE', `${core}/pods/${name}?gracePeriodSeconds=0`);
    } catch (problem) {
      if (!/: (404|409) /.test(problem.message)) throw problem;
    }
  }
}

function podSpec(image, more = {}) {
  return { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image }], ...more };
}

function template(app, image, more) {
  return { metadata: { labels: { app } }, spec: podSpec(image, more) };
}

function imageOf({ spec }) {
  return spec.containers[0].image;
}

function isReady({ status }) {
  return status.phase === 'Running' && status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
}

function progressOf({ status }) {
  return status.conditions?.find(({ type }) => type === 'Progressing')?.reason;
}
