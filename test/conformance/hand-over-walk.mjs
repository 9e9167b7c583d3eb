// The objects of hand-over.mjs: workloads of every sort, rolled out more than once, with texts that Go and JavaScript escape differently.
import { Walk } from './walk.mjs';

const namespace = 'plane';
const core = `/api/v1/namespaces/${namespace}`;
const apps = `/apis/apps/v1/namespaces/${namespace}`;
const batch = `/apis/batch/v1/namespaces/${namespace}`;
/** What must stay: by kind, with what of it may not change. */
const kept = {
  pods: [`${core}/pods`, ({ spec, status }) => `${spec.nodeName} ${status.startTime} ${status.containerStatuses?.[0].restartCount}`],
  replicasets: [`${apps}/replicasets`, ({ spec, metadata }) => `${spec.replicas} ${metadata.annotations['deployment.kubernetes.io/revision']}`],
  revisions: [`${apps}/controllerrevisions`, ({ revision }) => revision],
  deployments: [`${apps}/deployments`, ({ metadata, status }) => `${metadata.generation} ${status.collisionCount} ${status.readyReplicas}`],
  statefulsets: [`${apps}/statefulsets`, ({ status }) => `${status.currentRevision} ${status.updateRevision} ${status.readyReplicas}`],
  daemonsets: [`${apps}/daemonsets`, ({ status }) => `${status.updatedNumberScheduled} ${status.numberReady}`],
  replicationcontrollers: [`${core}/replicationcontrollers`, ({ status }) => status.readyReplicas],
  jobs: [`${batch}/jobs`, ({ status }) => `${status.active} ${status.succeeded} ${status.completedIndexes}`],
  cronjobs: [`${batch}/cronjobs`, ({ status }) => `${status.active?.length} ${status.lastScheduleTime}`],
  claims: [`${core}/persistentvolumeclaims`, ({ spec }) => spec.volumeName],
  slices: [`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, ({ endpoints }) => (endpoints ?? []).length],
};
/** Nothing of what is kept has changed for so long: whoever took over has looked at everything. */
const restMs = 5_000;

const texts = { annotations: { note: 'a < b && c > d, \u2028 and é' } };
const env = [{ name: 'TEXT', value: '<>&"\'\\ \u2029' }];
const longJob = { 'nodes.binnacle.dev/exit-after': '1h' };

export class HandOverWalk extends Walk {
  #before = new Map();

  constructor(origin) {
    super(origin, namespace, {});
  }

  get kept() {
    return this.#before.size;
  }

  async make() {
    await this.until(async () => (await this.list('/api/v1/nodes')).length === 3);
    await this.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    for (const [resource, names] of Object.entries({
      deployments: ['web', 'fresh'],
      daemonsets: ['agent'],
      statefulsets: ['db', 'split'],
      replicasets: ['set'],
    })) {
      for (const name of names) await this.ask('POST', `${apps}/${resource}`, { metadata: { name, ...texts }, spec: specOf(resource, name) });
    }
    await this.ask('POST', kept.replicationcontrollers[0], {
      metadata: { name: 'old' },
      spec: { replicas: 2, selector: { app: 'old' }, template: template('old', 'i:1') },
    });
    await this.ask('POST', `${core}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
    await this.#jobs();
    await this.#ready();
    for (const name of ['deployments/web', 'daemonsets/agent', 'statefulsets/db', 'statefulsets/split']) await this.#rollOut(name, 'i:2');
    await this.#ready();
    this.#before = await this.#settled();
  }

  async #jobs() {
    const never = { restartPolicy: 'Never' };
    const running = template('running', 'i:1', never, longJob);
    await this.ask('POST', `${batch}/jobs`, { metadata: { name: 'running', ...texts }, spec: { completions: 3, parallelism: 2, template: running } });
    const ended = { completionMode: 'Indexed', completions: 2, parallelism: 2, template: template('ended', 'i:1', never) };
    await this.ask('POST', `${batch}/jobs`, { metadata: { name: 'ended' }, spec: ended });
    await this.ask('POST', `${batch}/jobs`, { metadata: { name: 'held' }, spec: { suspend: true, template: template('held', 'i:1', never) } });
    const spec = { schedule: '0 0 1 1 *', timeZone: 'Etc/UTC', jobTemplate: { metadata: texts, spec: { template: template('timed', 'i:1', never, longJob) } } };
    await this.ask('POST', kept.cronjobs[0], { metadata: { name: 'timed' }, spec });
    // Due once since then: at the beginning of this year.
    const lastScheduleTime = `${new Date().getUTCFullYear() - 1}-12-31T12:00:00Z`;
    await this.merge(`${kept.cronjobs[0]}/timed/status`, { status: { lastScheduleTime } });
    await this.until(async () => (await this.ask('GET', `${kept.cronjobs[0]}/timed`)).status.active?.length === 1);
  }

  /** What became of what there was: nothing, it is hoped. */
  async replaced() {
    const after = await this.#settled();
    const problems = [];
    for (const [key, text] of this.#before) {
      if (after.get(key) !== text) problems.push(`${key}: ${text} became ${after.get(key)}`);
    }
    for (const key of after.keys()) if (!this.#before.has(key)) problems.push(`${key}: it is new`);
    return problems;
  }

  /** Whoever is at work now can go on with it. */
  async change(by) {
    const image = by === 'theirs' ? 'i:3' : 'i:4';
    for (const name of ['deployments/web', 'daemonsets/agent', 'statefulsets/db']) await this.#rollOut(name, image);
    await this.merge(`${apps}/deployments/fresh`, { spec: { replicas: by === 'theirs' ? 4 : 2 } });
    await this.merge(`${batch}/jobs/running`, { spec: { parallelism: by === 'theirs' ? 1 : 3 } });
    await this.#ready();
    this.#before = await this.#settled();
  }

  #rollOut(name, image) {
    return this.merge(`${apps}/${name}`, { spec: { template: { spec: { containers: [{ name: 'c', image, env }] } } } });
  }

  async #ready() {
    await this.until(async () => {
      const [deployments, sets, daemons] = await Promise.all(['deployments', 'statefulsets', 'daemonsets'].map((kind) => this.list(kept[kind][0])));
      const counts = [...deployments, ...sets].flatMap(({ metadata, spec, status }) => [
        status.observedGeneration === metadata.generation,
        status.readyReplicas === spec.replicas,
        status.updatedReplicas === spec.replicas || metadata.name === 'split',
        status.replicas === spec.replicas,
      ]);
      const all = daemons.flatMap(({ metadata, status }) => [
        status.observedGeneration === metadata.generation,
        status.numberReady === 3,
        status.updatedNumberScheduled === 3,
      ]);
      const { parallelism } = (await this.ask('GET', `${batch}/jobs/running`)).spec;
      const running = (await this.list(`${core}/pods?labelSelector=app%3Drunning`)).filter(({ status }) => status.phase === 'Running');
      const rest = [(await this.ask('GET', `${batch}/jobs/ended`)).status.succeeded === 2, running.length === parallelism];
      return [...counts, ...all, ...rest].every(Boolean);
    });
  }

  async #settled() {
    let last = await this.#state();
    for (let since = Date.now(); Date.now() - since < restMs; ) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const now = await this.#state();
      if (!isSame(now, last)) since = Date.now();
      last = now;
    }
    return last;
  }

  async #state() {
    const state = new Map();
    for (const [kind, [path, textOf]] of Object.entries(kept)) {
      for (const item of await this.list(path)) state.set(`${kind}/${item.metadata.name} ${item.metadata.uid}`, String(textOf(item)));
    }
    return state;
  }
}

function isSame(a, b) {
  return a.size === b.size && [...a].every(([key, text]) => b.get(key) === text);
}

function specOf(resource, name) {
  const spec = { selector: { matchLabels: { app: name } }, template: template(name, 'i:1') };
  if (resource === 'daemonsets') return spec;
  const partition = name === 'split' ? { updateStrategy: { rollingUpdate: { partition: 2 } } } : {};
  return resource === 'statefulsets' ? { ...spec, ...partition, replicas: 3, serviceName: 'peers' } : { ...spec, replicas: 3 };
}

function template(app, image, more = {}, annotations = {}) {
  const containers = [{ name: 'c', image, env }];
  return {
    metadata: { labels: { app }, annotations: { ...texts.annotations, ...annotations } },
    spec: { terminationGracePeriodSeconds: 1, containers, ...more },
  };
}
