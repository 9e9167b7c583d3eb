// The operations of controllers.mjs, and what is compared afterwards. Kubelets are played here: the walk itself writes the status of pods.
import { comparedDevices, deviceControllers, walkDevices } from './device-walk.mjs';
import { comparedVolumes, volumeControllers, walkVolumes } from './volume-walk.mjs';
import { Walk } from './walk.mjs';

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

export function walkOn(origin) {
  return new ControllerWalk(origin).run();
}

class ControllerWalk extends Walk {
  constructor(origin) {
    super(origin, namespace, compared);
  }

  /** Resolves to everything that is left, by kind and name, comparable between two servers. */
  async run() {
    await this.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await this.ask('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
    await this.ask('POST', '/api/v1/nodes', { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'east' } } });
    for (const zone of ['north', 'south']) await this.#readyNode(zone);
    await this.#endpoints();
    await this.#budgets();
    await this.#keptObjects();
    const [ask, list, until] = [this.ask.bind(this), this.list.bind(this), this.until.bind(this)];
    await walkVolumes({ ask, list, until });
    await walkDevices({ ask, list, until });
    const state = await this.settledState();
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
    await this.ask('POST', `${core}/endpoints`, { metadata: { name: 'hand', labels: { by: 'hand' }, annotations: { note: 'kept' } }, subsets });
    await this.ask('DELETE', `${core}/pods/web-going`);
    await this.#service('short', { selector, ports });
    await this.until(async () => (await this.list(compared.slices)).some(({ metadata }) => metadata.labels['kubernetes.io/service-name'] === 'short'));
    await this.ask('DELETE', `${core}/services/short`);
    await this.ask('PATCH', `${core}/services/web`, { metadata: { labels: { team: 'b', more: 'x' } } }, merge);
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
    const set = await this.ask('POST', `${apps}/replicasets`, {
      metadata: { name: 'rs' },
      spec: { replicas: 4, selector: { matchLabels: labels }, template },
    });
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: set.metadata.uid, controller: true };
    for (const name of ['g1', 'g2', 'g3']) await this.#pod(name, { ip: '10.4.0.1', labels, owner });
    await this.#pod('lonely', { ip: '10.4.0.9', labels: { app: 'lonely' } });
    const foreign = { apiVersion: 'example.com/v1', kind: 'Thing', name: 't', uid: 'u', controller: true };
    await this.#pod('foreign', { ip: '10.4.0.8', labels: { app: 'foreign' }, owner: foreign, finalizers: ['example.com/held'] });
    const budget = (name, spec, app) => this.ask('POST', policy, { metadata: { name }, spec: { ...spec, selector: { matchLabels: { app } } } });
    await budget('most', { maxUnavailable: '50%' }, 'guarded');
    await budget('least', { minAvailable: 1 }, 'guarded');
    await budget('share', { minAvailable: '30%' }, 'guarded');
    await budget('none', { minAvailable: 1 }, 'nobody');
    await budget('unmanaged', { maxUnavailable: 1 }, 'lonely');
  }

  async #keptObjects() {
    const claim = { storageClassName: 'none', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (const name of ['used', 'free']) await this.ask('POST', compared.claims, { metadata: { name }, spec: claim });
    await this.#pod('user', { ip: '10.5.0.1', labels: {}, spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }] } });
    for (const name of ['used', 'free']) await this.ask('DELETE', `${compared.claims}/${name}`);
    await this.#job('ended', { ttlSecondsAfterFinished: 0 });
    await this.#job('kept', {});
    await this.ask('POST', compared.networks, { metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } });
    await this.until(async () => (await this.ask('GET', `${compared.networks}/more`)).status?.conditions?.[0]?.status === 'True');
    await this.#service('far', { clusterIP: '10.200.0.7', ports: [{ port: 80 }] });
    await this.ask('DELETE', `${compared.networks}/more`);
  }

  async #service(name, spec, labels = {}, annotations = {}) {
    await this.ask('POST', `${core}/services`, { metadata: { name, labels, annotations }, spec });
  }

  async #readyNode(zone) {
    await this.ask('POST', '/api/v1/nodes', { metadata: { name: zone, labels: { 'topology.kubernetes.io/zone': zone } } });
    const status = { allocatable: { cpu: '2' }, capacity: { cpu: '2' }, conditions: [{ type: 'Ready', status: 'True' }] };
    await this.ask('PATCH', `/api/v1/nodes/${zone}/status`, { status }, merge);
  }

  async #pod(name, { ip, ready = true, phase = 'Running', labels = { app: 'web' }, spec = {}, owner, finalizers }) {
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }];
    const metadata = { name, labels, ...(owner && { ownerReferences: [owner] }), ...(finalizers && { finalizers }) };
    await this.ask('POST', `${core}/pods`, { metadata, spec: { nodeName: 'n1', containers, ...spec } });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    await this.ask('PATCH', `${core}/pods/${name}/status`, { status: { phase, podIP: ip, podIPs: [{ ip }], conditions } }, merge);
  }

  async #job(name, spec) {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const now = new Date().toISOString();
    await this.ask('POST', compared.jobs, { metadata: { name }, spec: { template, ...spec } });
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', lastTransitionTime: now, lastProbeTime: now }));
    await this.ask('PATCH', `${compared.jobs}/${name}/status`, { status: { startTime: now, completionTime: now, succeeded: 1, conditions } }, merge);
  }
}
