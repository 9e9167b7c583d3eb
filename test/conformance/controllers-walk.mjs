// The operations of controllers.mjs, and what is compared afterwards. Kubelets are played here: the walk itself writes the status of pods.
import https from 'node:https';
import { comparedDevices, deviceControllers, walkDevices } from './device-walk.mjs';
import { comparedVolumes, volumeControllers, walkVolumes } from './volume-walk.mjs';

export const controllers = [
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'disruption-controller',
  'ttl-after-finished-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'service-cidr-controller',
  'garbage-collector-controller',
  'ttl-controller',
  ...volumeControllers,
  ...deviceControllers,
];

const namespace = 'walk';
const core = `/api/v1/namespaces/${namespace}`;
const policy = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
const apps = `/apis/apps/v1/namespaces/${namespace}`;
const merge = 'application/merge-patch+json';
const patienceMs = 60_000;
/** Nothing has changed for this long: the controllers are done. */
const restMs = 4_000;

const compared = {
  services: `${core}/services`,
  endpoints: `${core}/endpoints`,
  slices: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
  budgets: policy,
  jobs: `/apis/batch/v1/namespaces/${namespace}/jobs`,
  ...comparedVolumes,
  ...comparedDevices,
  nodes: '/api/v1/nodes',
  networks: '/apis/networking.k8s.io/v1/servicecidrs',
  pods: `${core}/pods`,
};

export class ControllerWalk {
  #origin;
  #agent = new https.Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });

  constructor(origin) {
    this.#origin = origin;
  }

  /** Resolves to everything that is left, by kind and name, comparable between two servers. */
  async run() {
    await this.#ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await this.#ask('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
    await this.#ask('POST', '/api/v1/nodes', { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'east' } } });
    for (const zone of ['north', 'south']) await this.#readyNode(zone);
    await this.#endpoints();
    await this.#budgets();
    await this.#keptObjects();
    const [ask, list, until] = [this.#ask.bind(this), this.#list.bind(this), this.#until.bind(this)];
    await walkVolumes({ ask, list, until });
    await walkDevices({ ask, list, until });
    const state = await this.#settledState();
    this.#agent.destroy();
    return state;
  }

  async #endpoints() {
    const ports = [
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'metrics', port: 9090 },
    ];
    const selector = { app: 'web' };
    await this.#pod('web-1', { ip: '10.1.0.1' });
    await this.#pod('web-2', { ip: '10.1.0.2', ready: false });
    await this.#pod('web-going', { ip: '10.1.0.3', finalizers: ['example.com/held'] });
    await this.#pod('web-done', { ip: '10.1.0.4', phase: 'Succeeded' });
    await this.#pod('web-named', { ip: '10.1.0.5', labels: { app: 'named' }, spec: { hostname: 'one', subdomain: 'named' } });
    await this.#service('web', { selector, ports }, { team: 'a' });
    await this.#service('all', { selector, ports, publishNotReadyAddresses: true });
    await this.#service('near', { selector, ports: ports.slice(0, 1), trafficDistribution: 'PreferSameNode' });
    await this.#zones(ports.slice(0, 1));
    await this.#service('named', { clusterIP: 'None', selector: { app: 'named' } });
    await this.#service('nobody', { selector: { app: 'nobody' }, ports });
    await this.#service('hand', { ports: ports.slice(1) });
    const addresses = [{ ip: '10.3.0.1', hostname: 'h' }, { ip: '2001:db8::1' }];
    const subsets = [{ addresses, notReadyAddresses: [{ ip: '10.3.0.2' }], ports: [{ name: 'metrics', port: 9090 }] }];
    await this.#ask('POST', `${core}/endpoints`, { metadata: { name: 'hand', labels: { by: 'hand' }, annotations: { note: 'kept' } }, subsets });
    await this.#ask('DELETE', `${core}/pods/web-going`);
    await this.#service('short', { selector, ports });
    await this.#until(async () => (await this.#list(compared.slices)).some(({ metadata }) => metadata.labels['kubernetes.io/service-name'] === 'short'));
    await this.#ask('DELETE', `${core}/services/short`);
    await this.#ask('PATCH', `${core}/services/web`, { metadata: { labels: { team: 'b', more: 'x' } } }, merge);
  }

  /** Two endpoints in each of two equal zones, and too few endpoints for two zones. */
  async #zones(ports) {
    for (let i = 0; i < 4; i++) await this.#pod(`zoned-${i}`, { ip: `10.6.0.${i}`, labels: { app: 'zoned' }, spec: { nodeName: i < 2 ? 'north' : 'south' } });
    await this.#pod('few', { ip: '10.6.0.9', labels: { app: 'few' }, spec: { nodeName: 'north' } });
    const auto = { 'service.kubernetes.io/topology-mode': 'Auto' };
    await this.#service('zoned', { selector: { app: 'zoned' }, ports }, {}, auto);
    await this.#service('few', { selector: { app: 'few' }, ports }, {}, auto);
  }

  async #budgets() {
    const labels = { app: 'guarded' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = await this.#ask('POST', `${apps}/replicasets`, {
      metadata: { name: 'rs' },
      spec: { replicas: 4, selector: { matchLabels: labels }, template },
    });
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: set.metadata.uid, controller: true };
    for (const name of ['g1', 'g2', 'g3']) await this.#pod(name, { ip: '10.4.0.1', labels, owner });
    await this.#pod('lonely', { ip: '10.4.0.9', labels: { app: 'lonely' } });
    const foreign = { apiVersion: 'example.com/v1', kind: 'Thing', name: 't', uid: 'u', controller: true };
    await this.#pod('foreign', { ip: '10.4.0.8', labels: { app: 'foreign' }, owner: foreign, finalizers: ['example.com/held'] });
    const budget = (name, spec, app) => this.#ask('POST', policy, { metadata: { name }, spec: { ...spec, selector: { matchLabels: { app } } } });
    await budget('most', { maxUnavailable: '50%' }, 'guarded');
    await budget('least', { minAvailable: 1 }, 'guarded');
    await budget('share', { minAvailable: '30%' }, 'guarded');
    await budget('none', { minAvailable: 1 }, 'nobody');
    await budget('unmanaged', { maxUnavailable: 1 }, 'lonely');
  }

  async #keptObjects() {
    const claim = { storageClassName: 'none', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (const name of ['used', 'free']) await this.#ask('POST', compared.claims, { metadata: { name }, spec: claim });
    await this.#pod('user', { ip: '10.5.0.1', labels: {}, spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }] } });
    for (const name of ['used', 'free']) await this.#ask('DELETE', `${compared.claims}/${name}`);
    await this.#job('ended', { ttlSecondsAfterFinished: 0 });
    await this.#job('kept', {});
    await this.#ask('POST', compared.networks, { metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } });
    await this.#until(async () => (await this.#ask('GET', `${compared.networks}/more`)).status?.conditions?.[0]?.status === 'True');
    await this.#service('far', { clusterIP: '10.200.0.7', ports: [{ port: 80 }] });
    await this.#ask('DELETE', `${compared.networks}/more`);
  }

  async #service(name, spec, labels = {}, annotations = {}) {
    await this.#ask('POST', `${core}/services`, { metadata: { name, labels, annotations }, spec });
  }

  async #readyNode(zone) {
    await this.#ask('POST', '/api/v1/nodes', { metadata: { name: zone, labels: { 'topology.kubernetes.io/zone': zone } } });
    const status = { allocatable: { cpu: '2' }, capacity: { cpu: '2' }, conditions: [{ type: 'Ready', status: 'True' }] };
    await this.#ask('PATCH', `/api/v1/nodes/${zone}/status`, { status }, merge);
  }

  async #pod(name, { ip, ready = true, phase = 'Running', labels = { app: 'web' }, spec = {}, owner, finalizers }) {
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }];
    const metadata = { name, labels, ...(owner && { ownerReferences: [owner] }), ...(finalizers && { finalizers }) };
    await this.#ask('POST', `${core}/pods`, { metadata, spec: { nodeName: 'n1', containers, ...spec } });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    await this.#ask('PATCH', `${core}/pods/${name}/status`, { status: { phase, podIP: ip, podIPs: [{ ip }], conditions } }, merge);
  }

  async #job(name, spec) {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const now = new Date().toISOString();
    await this.#ask('POST', compared.jobs, { metadata: { name }, spec: { template, ...spec } });
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', lastTransitionTime: now, lastProbeTime: now }));
    await this.#ask('PATCH', `${compared.jobs}/${name}/status`, { status: { startTime: now, completionTime: now, succeeded: 1, conditions } }, merge);
  }

  async #settledState() {
    let last = '';
    let since = Date.now();
    for (;;) {
      const state = await this.#state();
      const text = JSON.stringify(state);
      if (text !== last) since = Date.now();
      if (Date.now() - since >= restMs) return state;
      last = text;
      await sleep(500);
    }
  }

  async #state() {
    const state = {};
    for (const [kind, path] of Object.entries(compared)) {
      const items = (await this.#list(path)).filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === namespace);
      for (const item of items.sort(byText)) {
        const object = comparable(item);
        let name = `${kind}/${kind === 'slices' ? `${item.metadata.labels['kubernetes.io/service-name']} ${item.addressType}` : (item.metadata.generateName ?? item.metadata.name)}`;
        while (state[name] !== undefined) name += '+';
        state[name] = object;
      }
    }
    // Events of what belongs to no namespace lie in `default`, beside those of others.
    const ofVolumes = (await this.#list('/api/v1/namespaces/default/events')).filter(({ involvedObject }) => involvedObject.kind === 'PersistentVolume');
    for (const { involvedObject, reason, type, message, source } of [...(await this.#list(`${core}/events`)), ...ofVolumes]) {
      state[`event/${involvedObject.kind}/${involvedObject.name} ${reason} ${type}`] = { message, source };
    }
    return state;
  }

  async #list(path) {
    return (await this.#ask('GET', path)).items;
  }

  async #until(holds) {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100)) if (await holds()) return;
    throw new Error(`waited ${patienceMs / 1000} s in vain for ${holds}`);
  }

  #ask(method, path, body, type = 'application/json') {
    const headers = { authorization: 'Bearer admin-token', 'content-type': type };
    return new Promise((resolve, reject) => {
      const request = https.request(`${this.#origin}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response
          .on('data', (chunk) => (text += chunk))
          .on('end', () => {
            if (response.statusCode >= 300) reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
            else resolve(JSON.parse(text));
          });
      });
      request.on('error', reject).end(body && JSON.stringify(body));
    });
  }
}

function byText(a, b) {
  return JSON.stringify(comparable(a)) < JSON.stringify(comparable(b)) ? -1 : 1;
}

const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const uid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
/** How often a controller looks is chance, and with it whether it names the trigger of the last change. */
const trigger = 'endpoints.kubernetes.io/last-change-trigger-time';
const chance = [
  trigger,
  `f:${trigger}`,
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'lastTransitionTime',
  'f:lastTransitionTime',
  'clusterIP',
  'clusterIPs',
  'generation',
];
/** Names that the server makes up end with five letters. */
const madeUp = /-[a-z0-9]{5}$/;

/** Without what differs from run to run; lists whose order is chance are sorted. */
export function comparable(value, key = '') {
  if (['name', 'resourceClaimName'].includes(key) && typeof value === 'string') return value.replace(madeUp, '-*');
  if (typeof value === 'string') return value.replace(uid, '*').replace(time, '*');
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([name]) => !chance.includes(name));
  const rest = entries.map(([name, of]) => [name.replace(uid, '*'), comparable(of, name)]).filter(([name, of]) => !isBareAnnotations(name, of));
  return Object.fromEntries(rest.sort());
}

/** Annotations of which only the trigger was left. */
function isBareAnnotations(name, value) {
  return /^(f:)?annotations$/.test(name) && Object.keys(value).every((key) => key === '.');
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
