// Puts a generated cluster on a server and its pods to the scheduler that runs there, and says what came of each.
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../../fault/hostile-client.mjs';
import { classes, deviceClasses, namespaces, priorities } from './generate.mjs';

const merge = 'application/merge-patch+json';
const patienceMs = 20_000;
const refused = { node: '', nominated: '', message: 'refused by the server', isClaimed: false };

export class Target {
  #url;
  #agent = new https.Agent({ keepAlive: true, maxSockets: 32 });
  /** (pod) => scores by node, as the scheduler has told them; undefined: it has not. */
  #scoresOf;

  constructor(url, scoresOf) {
    this.#url = url;
    this.#scoresOf = scoresOf;
  }

  close() {
    this.#agent.destroy();
  }

  /** What all clusters have. */
  async prepare() {
    for (const { name, labels } of namespaces) await this.#make('/api/v1/namespaces', { metadata: { name, labels } });
    for (const { name, ...rest } of priorities) await this.#make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, ...rest });
    for (const { name, ...rest } of classes) await this.#make('/apis/storage.k8s.io/v1/storageclasses', { metadata: { name }, ...rest });
    for (const { name, selectors } of deviceClasses) await this.#make('/apis/resource.k8s.io/v1/deviceclasses', { metadata: { name }, spec: { selectors } });
    for (const { name: namespace } of namespaces) await this.#makeWorkloads(namespace);
  }

  /** The outcomes of its incoming pods, until one has removed others. */
  async run({ nodes, pods, budgets, csiNodes, slices, incoming }) {
    await Promise.all(budgets.map((budget) => this.#makeBudget(budget)));
    await Promise.all(csiNodes.map((csiNode) => this.#makeCsiNode(csiNode)));
    await Promise.all(slices.map(({ name, spec }) => this.#make('/apis/resource.k8s.io/v1/resourceslices', { metadata: { name }, spec })));
    await Promise.all(nodes.map((node) => this.#makeNode(node)));
    await Promise.all(pods.map((pod, index) => this.#makePlaced(pod, index)));
    await Promise.all(pods.filter(({ isLeaving }) => isLeaving).map((pod) => this.#ask('DELETE', this.#path(pod), { gracePeriodSeconds: 30 })));
    await this.#untilSeen(nodes.length);
    const outcomes = [];
    for (const [index, one] of incoming.entries()) {
      const outcome = await this.#try(one, index, pods);
      outcomes.push(outcome);
      if (outcome.victims.length > 0) break;
    }
    await Promise.all(slices.map(({ name }) => this.#ask('DELETE', `/apis/resource.k8s.io/v1/resourceslices/${name}`)));
    await this.#clear(nodes, csiNodes);
    return outcomes;
  }

  async #try(one, index, pods) {
    for (const volume of one.volumes) await this.#makeVolume(volume, one);
    for (const claim of one.claims) await this.#makeClaim(claim);
    if (one.devices)
      await this.#make(`/apis/resource.k8s.io/v1/namespaces/${one.namespace}/resourceclaims`, { metadata: { name: one.devices.name }, spec: one.devices.spec });
    const spec = this.#withClaims(one);
    const seen = (await this.#makePod({ ...one, spec })) ? await this.#settled(one) : refused;
    const victims = seen.isClaimed || (seen.node === '' && seen.nominated === '') ? [] : await this.#victims(one, seen, pods);
    const scores = this.#scoresOf(`${one.namespace}/${one.name}`);
    await this.#remove(one);
    if (one.devices) await this.#delete(`/apis/resource.k8s.io/v1/namespaces/${one.namespace}/resourceclaims/${one.devices.name}`);
    for (const { namespace, name } of one.claims) await this.#delete(`/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`);
    for (const { name } of one.volumes) await this.#delete(`/api/v1/persistentvolumes/${name}`);
    return { index, ...seen, victims, scores: await scores };
  }

  #withClaims({ spec, claimName, devices }) {
    return {
      ...spec,
      ...(claimName && { volumes: [...(spec.volumes ?? []), { name: 'data', persistentVolumeClaim: { claimName } }] }),
      ...(devices && { resourceClaims: [{ name: 'devices', resourceClaimName: devices.name }] }),
    };
  }

  /** Where it went, or why it did not. */
  async #settled(pod) {
    let last;
    try {
      return await this.#decided(pod, (seen) => (last = seen));
    } catch (problem) {
      return { ...refused, message: `${problem.message}: ${JSON.stringify(last)}` };
    }
  }

  async #decided(pod, onSeen) {
    return this.#until(`what becomes of ${pod.name}`, async () => {
      const { spec, status } = (await this.#ask('GET', this.#path(pod))).json;
      onSeen(status);
      const condition = status.conditions?.find(({ type }) => type === 'PodScheduled');
      const nominated = status.nominatedNodeName ?? '';
      const isClaimed = pod.claims.some((claim) => ['local', 'made', 'zoned'].includes(claim.class)) && nominated !== '' && condition?.status !== 'False';
      if (!spec.nodeName && !isClaimed && condition?.status !== 'False') return undefined;
      const message = condition?.status === 'False' ? condition.message : '';
      // The scheduler has heard of the pod before it has of its claim or volume: it looks again.
      const isEarly =
        (pod.claims.length > 0 && /persistentvolumeclaim "[^"]+" not found/.test(message)) ||
        (pod.volumes?.length > 0 && /persistentvolume "|non-existent pv/.test(message));
      if (isEarly) return undefined;
      return { node: spec.nodeName ?? (isClaimed ? nominated : ''), nominated, message, isClaimed };
    });
  }

  /** The pods that a more important one has removed, by what they are worth. */
  async #victims(pod, seen, pods) {
    if (seen.nominated !== '') seen.node = await this.#placed(pod);
    const left = new Set();
    for (const { name: namespace } of namespaces) {
      for (const { metadata } of (await this.#ask('GET', `/api/v1/namespaces/${namespace}/pods`)).json.items) left.add(`${namespace}/${metadata.name}`);
    }
    const gone = pods.filter(({ namespace, name }) => !left.has(`${namespace}/${name}`));
    return gone.map(({ spec }) => spec.priorityClassName ?? 'none').toSorted();
  }

  /** Where a pod goes that others make room for, if they are gone soon. */
  async #placed(pod) {
    try {
      return await this.#until(`the place of ${pod.name}`, async () => (await this.#ask('GET', this.#path(pod))).json.spec.nodeName, 2_000);
    } catch {
      return '';
    }
  }

  /** Nodes are told apart from pods: the scheduler may hear of them later. */
  async #untilSeen(nodes) {
    await this.#until('the scheduler to know the nodes', async (attempt) => {
      const pod = {
        namespace: 'first',
        name: `probe-${attempt}`,
        labels: {},
        claims: [],
        spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { no: 'where' } },
      };
      await this.#makePod(pod);
      const { message } = await this.#settled(pod);
      await this.#remove(pod);
      return message.startsWith(`0/${nodes} `) || undefined;
    });
  }

  async #clear(nodes, csiNodes) {
    for (const { name: namespace } of namespaces) {
      await this.#ask('DELETE', `/api/v1/namespaces/${namespace}/pods`, { gracePeriodSeconds: 0 });
      await this.#ask('DELETE', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`);
    }
    await Promise.all(csiNodes.map(({ name }) => this.#ask('DELETE', `/apis/storage.k8s.io/v1/csinodes/${name}`)));
    await Promise.all(nodes.map(({ name }) => this.#ask('DELETE', `/api/v1/nodes/${name}`)));
  }

  async #makeNode({ name, labels, taints, unschedulable, status }) {
    await this.#make('/api/v1/nodes', { metadata: { name, labels }, spec: { unschedulable }, status });
    // Admission has tainted it as not ready.
    await this.#ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints } }, merge);
  }

  /** One that runs for longer is more important; the original takes those without a start for the newest, in any order. */
  async #makePlaced(pod, index) {
    const startTime = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString().replace('.000', '');
    if (await this.#makePod(pod)) await this.#ask('PATCH', `${this.#path(pod)}/status`, { status: { startTime } }, merge);
  }

  async #makePod({ name, namespace, labels, spec, workload }) {
    const owner = workload && this.#workloads.get(`${namespace}/${workload}`);
    const ownerReferences = owner ? [{ ...owner, controller: true }] : [];
    const { code, json } = await this.#ask('POST', `/api/v1/namespaces/${namespace}/pods`, { metadata: { name, labels, ownerReferences }, spec });
    // Not everything that is generated is valid.
    if (code !== 201 && code !== 422) throw new Error(`${name}: ${code} ${json.message}`);
    return code === 201;
  }

  #workloads = new Map();

  async #makeWorkloads(namespace) {
    await this.#make(`/api/v1/namespaces/${namespace}/services`, { metadata: { name: 's' }, spec: { selector: { app: 'x' }, ports: [{ port: 80 }] } });
    const template = (labels) => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    const selecting = (labels) => ({ replicas: 0, selector: { matchLabels: labels }, template: template(labels) });
    const made = [
      ['ReplicaSet', 'apps/v1', 'replicasets', selecting({ app: 'x' })],
      ['StatefulSet', 'apps/v1', 'statefulsets', { ...selecting({ app: 'y' }), serviceName: 's' }],
      ['ReplicationController', 'v1', 'replicationcontrollers', { replicas: 0, selector: { app: 'z' }, template: template({ app: 'z' }) }],
    ];
    for (const [kind, apiVersion, resource, spec] of made) {
      const path = `${apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`}/namespaces/${namespace}/${resource}`;
      const { metadata } = await this.#make(path, { metadata: { name: 'w' }, spec });
      this.#workloads.set(`${namespace}/${kind}`, { apiVersion, kind, name: 'w', uid: metadata.uid });
    }
  }

  async #makeBudget({ namespace, selector, allowed }) {
    const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
    await this.#make(path, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector } });
    const status = { disruptionsAllowed: allowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 };
    await this.#ask('PATCH', `${path}/b/status`, { status }, merge);
  }

  async #makeCsiNode({ name, driver, count }) {
    await this.#make('/apis/storage.k8s.io/v1/csinodes', { metadata: { name }, spec: { drivers: [{ name: driver, nodeID: name, allocatable: { count } }] } });
  }

  async #makeVolume({ name, size, class: storageClassName, labels, nodeAffinity, claim, modes = ['ReadWriteOnce'] }, { namespace }) {
    const claimRef = claim && { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claim };
    const spec = { capacity: { storage: size }, accessModes: modes, storageClassName, nodeAffinity, claimRef };
    const csi = { driver: 'made.example.com', volumeHandle: name };
    await this.#make('/api/v1/persistentvolumes', { metadata: { name, labels }, spec: { ...spec, csi, persistentVolumeReclaimPolicy: 'Retain' } });
    await this.#ask('PATCH', `/api/v1/persistentvolumes/${name}/status`, { status: { phase: claim ? 'Bound' : 'Available' } }, merge);
  }

  async #makeClaim({ name, namespace, size, class: storageClassName, bound, modes }) {
    const annotations = bound ? { 'pv.kubernetes.io/bind-completed': 'yes' } : {};
    const spec = { accessModes: modes, resources: { requests: { storage: size } }, storageClassName, ...(bound && { volumeName: bound }) };
    await this.#make(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`, { metadata: { name, annotations }, spec });
  }

  #path({ namespace, name }) {
    return `/api/v1/namespaces/${namespace}/pods/${name}`;
  }

  async #remove(pod) {
    await this.#ask('DELETE', this.#path(pod), { gracePeriodSeconds: 0 });
    await this.#until(`${pod.name} to go`, async () => (await this.#ask('GET', this.#path(pod))).code === 404 || undefined);
  }

  async #delete(path) {
    await this.#ask('PATCH', path, { metadata: { finalizers: null } }, merge);
    await this.#ask('DELETE', path);
  }

  async #make(path, object) {
    const { code, json } = await this.#ask('POST', path, object);
    if (code !== 201) throw new Error(`POST ${path}: ${code} ${json.message}`);
    return json;
  }

  async #ask(method, path, body, type = 'application/json') {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    const answer = await ask({ url: this.#url }, { method, path, agent: this.#agent, headers, body: text });
    return { code: answer.code, json: JSON.parse(answer.body.toString()) };
  }

  async #until(what, look, withinMs = patienceMs) {
    const end = Date.now() + withinMs;
    for (let attempt = 0; Date.now() < end; attempt++) {
      const found = await look(attempt);
      if (found !== undefined) return found;
      await wait(10);
    }
    throw new Error(`waited in vain for ${what}`);
  }
}
