// What the walk of control-plane.mjs asks of the controllers. A node and its kubelet are played here: pods that are bound run at once.
import https from 'node:https';

const patienceMs = 60_000;
const namespace = 'plane';
const within = `/api/v1/namespaces/${namespace}`;
const apps = `/apis/apps/v1/namespaces/${namespace}`;
const batch = `/apis/batch/v1/namespaces/${namespace}`;
const merge = 'application/merge-patch+json';

export class ClusterWalk {
  #origin;
  #agent = new https.Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });
  #problems = [];
  #stopped = false;

  constructor(origin) {
    this.#origin = origin;
  }

  /** Resolves to what went wrong; afterwards everything is left running for as long as asked. */
  async run(restMs) {
    await this.#makeNode();
    const kubelet = this.#playKubelet();
    for (const [what, act] of this.#steps()) {
      const begin = Date.now();
      try {
        await act();
        console.log(`✔ ${what} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
      } catch (problem) {
        this.#problems.push(`${what}: ${problem.message}`);
      }
    }
    await sleep(restMs);
    this.#stopped = true;
    await kubelet;
    this.#agent.destroy();
    return this.#problems;
  }

  #steps() {
    return [
      ['a namespace gets its service account and certificate', () => this.#startNamespace()],
      ['a deployment becomes a replica set and bound pods', () => this.#deploy()],
      ['a service gets the addresses of its pods', () => this.#serve()],
      ['a new template rolls out', () => this.#rollOut()],
      ['a budget counts its pods', () => this.#budget()],
      ['a job makes its pods and completes', () => this.#job()],
      ['a cron job makes a job', () => this.#cronJob()],
      ['a stateful set makes its pods in order, with claims', () => this.#statefulSet()],
      ['a daemon set puts a pod on the node', () => this.#daemonSet()],
      ['a quota is counted', () => this.#quota()],
      ['an approved request is signed', () => this.#sign()],
      ['a token secret is filled', () => this.#tokenSecret()],
      ['a replica set that is orphaned leaves its pods', () => this.#orphan()],
      ['owned objects go with a deleted deployment', () => this.#collect()],
      ['a job that is deleted in the foreground goes after its pods', () => this.#foreground()],
      ['a deleted namespace goes away', () => this.#endNamespace()],
    ];
  }

  async #startNamespace() {
    await this.#post('/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: namespace } });
    await this.#until(`${within}/serviceaccounts/default`, () => true);
    await this.#until(`${within}/configmaps/kube-root-ca.crt`, ({ data }) => data['ca.crt'].includes('CERTIFICATE'));
  }

  async #deploy() {
    await this.#post(`${apps}/deployments`, {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web' },
      spec: { replicas: 2, ...selecting('web') },
    });
    await this.#until(`${apps}/replicasets?labelSelector=app%3Dweb`, ({ items }) => items.length === 1 && items[0].status.readyReplicas === 2);
    await this.#until(`${within}/pods?labelSelector=app%3Dweb`, ({ items }) => items.length === 2 && items.every(({ spec }) => spec.nodeName === 'by-hand'));
    await this.#until(`${apps}/deployments/web`, ({ status }) => conditionIs(status, 'Available', 'True') && status.readyReplicas === 2);
  }

  async #serve() {
    const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
    await this.#post(`${within}/services`, { kind: 'Service', apiVersion: 'v1', metadata: { name: 'web' }, spec });
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dweb`;
    await this.#until(slices, ({ items }) => items.length === 1 && items[0].endpoints.length === 2);
    await this.#until(`${within}/endpoints/web`, ({ subsets }) => subsets?.[0]?.addresses?.length === 2);
  }

  async #rollOut() {
    await this.#patch(`${apps}/deployments/web`, { spec: { template: { metadata: { annotations: { turn: 'second' } } } } });
    const done = ({ items }) =>
      items.length === 2 && items.some(({ status }) => status.replicas === 0) && items.some(({ status }) => status.readyReplicas === 2);
    await this.#until(`${apps}/replicasets?labelSelector=app%3Dweb`, done);
    await this.#until(`${apps}/deployments/web`, ({ metadata, status }) => status.updatedReplicas === 2 && status.observedGeneration === metadata.generation);
  }

  async #budget() {
    const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
    await this.#post(path, { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', metadata: { name: 'web' }, spec });
    await this.#until(`${path}/web`, ({ status }) => status.disruptionsAllowed === 1 && status.currentHealthy === 2);
  }

  async #job() {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    await this.#post(`${batch}/jobs`, { kind: 'Job', apiVersion: 'batch/v1', metadata: { name: 'job' }, spec: { completions: 3, parallelism: 2, template } });
    await this.#until(`${batch}/jobs/job`, ({ status }) => status.succeeded === 3 && conditionIs(status, 'Complete', 'True'));
  }

  async #cronJob() {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const spec = { schedule: '* * * * *', startingDeadlineSeconds: 120, jobTemplate: { spec: { template } } };
    await this.#post(`${batch}/cronjobs`, { kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'set' }, spec });
    await this.#until(`${batch}/cronjobs/set`, ({ status }) => status.lastScheduleTime !== undefined, 80_000);
    await this.#delete(`${batch}/cronjobs/set`);
  }

  async #statefulSet() {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } } };
    const volume = { accessModes: ['ReadWriteOnce'], storageClassName: '', capacity: { storage: '1Gi' }, hostPath: { path: '/data' } };
    for (const name of ['v-0', 'v-1'])
      await this.#post('/api/v1/persistentvolumes', { kind: 'PersistentVolume', apiVersion: 'v1', metadata: { name }, spec: volume });
    const spec = { serviceName: 'set', replicas: 2, ...selecting('set'), volumeClaimTemplates: [claim] };
    await this.#post(`${apps}/statefulsets`, { kind: 'StatefulSet', apiVersion: 'apps/v1', metadata: { name: 'set' }, spec });
    await this.#until(`${apps}/statefulsets/set`, ({ status }) => status.readyReplicas === 2);
    await this.#until(`${within}/persistentvolumeclaims`, ({ items }) => items.length === 2 && items.every(({ status }) => status.phase === 'Bound'));
  }

  async #daemonSet() {
    await this.#post(`${apps}/daemonsets`, { kind: 'DaemonSet', apiVersion: 'apps/v1', metadata: { name: 'agent' }, spec: selecting('agent') });
    await this.#until(`${apps}/daemonsets/agent`, ({ status }) => status.numberReady === 1 && status.desiredNumberScheduled === 1);
  }

  async #quota() {
    await this.#post(`${within}/resourcequotas`, {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: { name: 'all' },
      spec: { hard: { services: '5', pods: '50' } },
    });
    await this.#until(`${within}/resourcequotas/all`, ({ status }) => status.used?.services === '1' && Number(status.used.pods) >= 5);
  }

  async #sign() {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const spec = { request: certificateRequest, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    const made = await this.#post(path, { kind: 'CertificateSigningRequest', apiVersion: 'certificates.k8s.io/v1', metadata: { name: 'walker' }, spec });
    made.status.conditions = [{ type: 'Approved', status: 'True', reason: 'Walk', message: 'by the walk' }];
    await this.#ask('PUT', `${path}/walker/approval`, made);
    await this.#until(`${path}/walker`, ({ status }) => status.certificate !== undefined);
  }

  async #tokenSecret() {
    const metadata = { name: 'token', annotations: { 'kubernetes.io/service-account.name': 'default' } };
    await this.#post(`${within}/secrets`, { kind: 'Secret', apiVersion: 'v1', metadata, type: 'kubernetes.io/service-account-token' });
    await this.#until(`${within}/secrets/token`, ({ data }) => data?.token !== undefined && data['ca.crt'] !== undefined);
  }

  /** Many at once: what controllers say when they lose the race against the deletion is then seen everywhere. */
  async #orphan() {
    const names = Array.from({ length: 20 }, (_, n) => `one-${n}`);
    await Promise.all(names.map((name) => this.#orphanOne(name)));
  }

  async #orphanOne(name) {
    const path = `${apps}/replicasets/${name}`;
    await this.#post(`${apps}/replicasets`, { kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata: { name }, spec: { replicas: 1, ...selecting(name) } });
    await this.#until(path, ({ status }) => status.readyReplicas === 1);
    await this.#delete(path, { propagationPolicy: 'Orphan' });
    await this.#untilGone(path);
    await this.#until(`${within}/pods?labelSelector=app%3D${name}`, ({ items }) => items.length === 1 && items[0].metadata.ownerReferences === undefined);
  }

  async #collect() {
    await this.#delete(`${apps}/deployments/web`);
    await this.#until(`${apps}/replicasets?labelSelector=app%3Dweb`, ({ items }) => items.length === 0);
    await this.#until(`${within}/pods?labelSelector=app%3Dweb`, ({ items }) => items.length === 0);
  }

  async #foreground() {
    await this.#delete(`${batch}/jobs/job`, { propagationPolicy: 'Foreground' });
    await this.#untilGone(`${batch}/jobs/job`);
    await this.#until(`${within}/pods?labelSelector=job-name%3Djob`, ({ items }) => items.length === 0);
  }

  async #endNamespace() {
    await this.#delete(`/api/v1/namespaces/${namespace}`);
    await this.#untilGone(`/api/v1/namespaces/${namespace}`);
  }

  async #makeNode() {
    const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
    await this.#post('/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'by-hand' }, spec: { taints } });
    const amount = { cpu: '8', memory: '16Gi', pods: '110' };
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const ready = { type: 'Ready', status: 'True', reason: 'ByHand', message: 'ready', lastHeartbeatTime: now, lastTransitionTime: now };
    await this.#patch('/api/v1/nodes/by-hand/status', { status: { capacity: amount, allocatable: amount, conditions: [ready] } });
  }

  async #playKubelet() {
    let address = 0;
    while (!this.#stopped) {
      await this.#renewLease();
      const { items = [] } = await this.#get(`/api/v1/pods?fieldSelector=spec.nodeName%3Dby-hand`);
      for (const pod of items) {
        const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
        if (pod.metadata.deletionTimestamp !== undefined) await this.#ask('DELETE', path, { gracePeriodSeconds: 0 });
        else if (pod.status.phase === 'Pending') await this.#ask('PATCH', `${path}/status`, { status: runningStatus(pod, ++address) }, merge);
      }
      await sleep(200);
    }
  }

  async #renewLease() {
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const spec = { holderIdentity: 'by-hand', leaseDurationSeconds: 40, renewTime: new Date().toISOString().replace('Z', '000Z') };
    const answer = await this.#ask('PATCH', `${path}/by-hand`, { spec }, merge);
    if (answer.status === 404) await this.#post(path, { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'by-hand' }, spec });
  }

  async #post(path, body) {
    return expectFine(await this.#ask('POST', path, body));
  }

  async #patch(path, body) {
    return expectFine(await this.#ask('PATCH', path, body, merge));
  }

  async #delete(path, body = { propagationPolicy: 'Background' }) {
    return expectFine(await this.#ask('DELETE', path, body));
  }

  async #get(path) {
    return (await this.#ask('GET', path)).body;
  }

  async #until(path, claim, patience = patienceMs) {
    const gaveUp = Date.now() + patience;
    for (;;) {
      const { status, body } = await this.#ask('GET', path);
      if (status === 200 && claim(body)) return;
      if (Date.now() > gaveUp) throw new Error(`waited in vain for ${path}: ${status} ${JSON.stringify(body.status ?? body.items?.length ?? body)}`);
      await sleep(200);
    }
  }

  async #untilGone(path) {
    const gaveUp = Date.now() + patienceMs;
    for (;;) {
      const { status, body } = await this.#ask('GET', path);
      if (status === 404) return;
      if (Date.now() > gaveUp) throw new Error(`${path} is still there: ${JSON.stringify([body.metadata?.finalizers, body.status])}`);
      await sleep(200);
    }
  }

  #ask(method, path, body, contentType = 'application/json') {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const sent = body && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
      const headers = { authorization: 'Bearer admin-token', ...sent };
      const request = https.request(new URL(path, this.#origin), { method, headers, agent: this.#agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }));
      });
      request.on('error', reject);
      request.end(text);
    });
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function expectFine({ status, body }) {
  if (status >= 400) throw new Error(`${status} ${body.message}`);
  return body;
}

function conditionIs({ conditions = [] }, type, status) {
  return conditions.some((condition) => condition.type === type && condition.status === status);
}

function selecting(app) {
  const template = {
    metadata: { labels: { app } },
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
  };
  return { selector: { matchLabels: { app } }, template };
}

function runningStatus({ metadata, spec }, address) {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const ends = metadata.ownerReferences?.some(({ kind }) => kind === 'Job');
  const podIP = `10.1.${address >> 8}.${address & 255}`;
  const ready = ends ? 'False' : 'True';
  const conditions = ['Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: type === 'Initialized' ? 'True' : ready,
    lastTransitionTime: now,
  }));
  const state = ends ? { terminated: { exitCode: 0, finishedAt: now, startedAt: now } } : { running: { startedAt: now } };
  const containerStatuses = spec.containers.map(({ name, image }) => ({ name, image, imageID: image, ready: !ends, restartCount: 0, state }));
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: now };
  return {
    phase: ends ? 'Succeeded' : 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    hostIP: '10.0.0.1',
    startTime: now,
    conditions: [scheduled, ...conditions],
    containerStatuses,
  };
}

/** Of a key that nobody has kept. */
const certificateRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZE1JR0VBZ0VBTUNJeER6QU5CZ05WQkFvTUJuUmxZVzB0WVRFUE1BMEdBMVVFQXd3R2Qy',
  'RnNhMlZ5TUZrdwpFd1lIS29aSXpqMENBUVlJS29aSXpqMERBUWNEUWdBRVo4Uy9yaFlIbWl2UVgzeFIyQUxOb0Ivd3hDQmNhaEpTCnBNTmpoMW1RWXYrRnQr',
  'UTZPeGlyRXFzd1oyamRnODMwT2RRVE5sbnlXaHA4VzFhd3Q0NmdvYUFBTUFvR0NDcUcKU000OUJBTUNBMGdBTUVVQ0lEZlExdTRYQTJMQ3BDaERwZjJIeldy',
  'NEgyYXkrV2VxOGNmVTZSVlJTU0FJQWlFQQpwNzlYNS9YSFdZRnFPdlBMMmVETVovNGxBZzJ1amFFSHVXdnpGc2V6Q21JPQotLS0tLUVORCBDRVJUSUZJQ0FU',
  'RSBSRVFVRVNULS0tLS0K',
].join('');
