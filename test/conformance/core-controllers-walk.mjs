// The operations of core-controllers.mjs, and what is compared afterwards: namespaces, owners, service accounts, quotas and roles.
import { comparable } from './controllers-walk.mjs';

export const controllers = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
];

const merge = 'application/merge-patch+json';
const core = '/api/v1/namespaces';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
/** Nothing has changed for this long: the original waits five seconds before it looks at a namespace, and eight for finalizers. */
const restMs = 12_000;
const kept = ['accounts', 'owners', 'quotas', 'other'];
const ending = ['held', 'ordered', 'undiscovered', 'empty'];

export class CoreWalk {
  #ask;

  constructor(ask) {
    this.#ask = ask;
  }

  /** Resolves to everything that is left, by its path, comparable between two servers. */
  async run() {
    for (const name of [...kept, ...ending]) await this.#must('POST', core, { metadata: { name } });
    await this.#must('POST', `${core}/other/configmaps`, { metadata: { name: 'foreign' } });
    await Promise.all([this.#accounts(), this.#owners(), this.#quotas(), this.#roles()]);
    await this.#namespaces();
    return await this.#settled();
  }

  async #accounts() {
    const path = `${core}/accounts`;
    await this.#until(async () => (await this.#get(`${path}/serviceaccounts/default`)) && (await this.#get(`${path}/configmaps/kube-root-ca.crt`)));
    await this.#must('DELETE', `${path}/serviceaccounts/default`);
    await this.#must('PATCH', `${path}/configmaps/kube-root-ca.crt`, { data: { 'ca.crt': 'broken', more: 'x' } }, merge);
    for (const name of ['a', 'b', 'c']) await this.#must('POST', `${path}/serviceaccounts`, { metadata: { name }, secrets: [{ name: `${name}-token` }] });
    for (const name of ['a', 'b', 'c', 'never']) await this.#token(path, name);
    for (const name of ['a', 'b', 'c']) await this.#until(async () => (await this.#get(`${path}/secrets/${name}-token`))?.data?.token);
    await this.#must('DELETE', `${path}/serviceaccounts/b`);
    await this.#must('DELETE', `${path}/secrets/c-token`);
    await this.#must('PATCH', `${path}/secrets/a-token`, { data: { 'ca.crt': null } }, merge);
  }

  async #token(path, account) {
    const annotations = { 'kubernetes.io/service-account.name': account };
    await this.#must('POST', `${path}/secrets`, { metadata: { name: `${account}-token`, annotations }, type: 'kubernetes.io/service-account-token' });
  }

  async #owners() {
    const path = `${core}/owners/configmaps`;
    const make = async (name, ...owners) => {
      const ownerReferences = owners.map(([owner, block]) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...owner, ...(block && { blockOwnerDeletion: true }) }));
      const { metadata } = await this.#must('POST', path, { metadata: { name, ownerReferences }, data: { key: 'value' } });
      return { name, uid: metadata.uid };
    };
    const foreign = (await this.#get(`${core}/other/configmaps/foreign`)).metadata;
    const [parent, orphaned, stays] = [await make('parent'), await make('orphaning'), await make('stays')];
    await make('child', [parent, true]);
    await make('grandchild', [await make('middle', [parent, true]), true]);
    await make('orphan', [orphaned]);
    await make('half-orphan', [orphaned], [stays]);
    await make('released', [parent], [stays]);
    await make('abroad', [{ name: 'foreign', uid: foreign.uid }]);
    await make('abroad-and-here', [{ name: 'foreign', uid: foreign.uid }], [stays]);
    await make('unknown', [{ apiVersion: 'nowhere.example.com/v1', kind: 'Nothing', name: 'x', uid: 'x' }]);
    await this.#must('DELETE', `${path}/parent`, { propagationPolicy: 'Foreground' });
    await this.#must('DELETE', `${path}/orphaning`, { propagationPolicy: 'Orphan' });
  }

  async #quotas() {
    const path = `${core}/quotas`;
    await this.#must('POST', `${path}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { secrets: '5', 'count/leases.coordination.k8s.io': '2', pods: '3' } },
    });
    await this.#until(async () => (await this.#get(`${path}/resourcequotas/q`)).status?.used?.secrets === '0');
    for (const name of ['s1', 's2', 's3']) await this.#must('POST', `${path}/secrets`, { metadata: { name } });
    await this.#must('DELETE', `${path}/secrets/s1`);
    await this.#must('PATCH', `${path}/resourcequotas/q`, { spec: { hard: { pods: null, secrets: '7' } } }, merge);
  }

  async #roles() {
    const rule = (resource) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: 'one' } }, { matchLabels: { part: 'two' } }] };
    await this.#must('POST', roles, { metadata: { name: 'walk-sum' }, aggregationRule, rules: [rule('nodes')] });
    for (const [name, part, resource] of [
      ['walk-b', 'one', 'pods'],
      ['walk-a', 'one', 'secrets'],
      ['walk-c', 'two', 'pods'],
      ['walk-d', 'two', 'services'],
    ])
      await this.#must('POST', roles, { metadata: { name, labels: { part } }, rules: [rule(resource)] });
    await this.#must('DELETE', `${roles}/walk-d`);
  }

  async #namespaces() {
    const finalizers = ['example.com/held'];
    for (const name of ['x', 'y']) await this.#must('POST', `${core}/held/configmaps`, { metadata: { name, finalizers } });
    await this.#must('POST', `${core}/held/secrets`, { metadata: { name: 'z', finalizers: [...finalizers, 'example.com/too'] } });
    const spec = { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false };
    await this.#until(() => this.#get(`${core}/ordered/serviceaccounts/default`));
    await this.#must('POST', `${core}/ordered/pods`, { metadata: { name: 'p', finalizers }, spec });
    await this.#must('POST', `${core}/ordered/configmaps`, { metadata: { name: 'waits' } });
    for (const name of ['held', 'ordered', 'empty']) await this.#must('DELETE', `${core}/${name}`);
    await this.#until(async () => (await this.#get(`${core}/empty`)) === undefined);
    const service = { namespace: 'default', name: 'nowhere' };
    const far = { group: 'far.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service };
    await this.#must('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { metadata: { name: 'v1.far.example.com' }, spec: far });
    await this.#must('DELETE', `${core}/undiscovered`);
  }

  async #settled() {
    let [last, since] = ['', Date.now()];
    for (;;) {
      const state = await this.#state();
      const text = JSON.stringify(state);
      if (text !== last) [last, since] = [text, Date.now()];
      if (Date.now() - since >= restMs) return state;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async #state() {
    const state = {};
    for (const namespace of [...kept, ...ending]) {
      const path = `${core}/${namespace}`;
      const object = await this.#get(path);
      state[path] = object === undefined ? 'gone' : told(object);
      for (const plural of ['serviceaccounts', 'configmaps', 'secrets', 'resourcequotas', 'pods'])
        for (const item of (await this.#must('GET', `${path}/${plural}`)).items) state[`${path}/${plural}/${item.metadata.name}`] = told(item);
      for (const { involvedObject, reason, type, message, source, count } of (await this.#must('GET', `${path}/events`)).items)
        state[`event ${namespace}/${involvedObject.kind}/${involvedObject.name} ${reason}`] = comparable({ involvedObject, type, message, source, count });
    }
    for (const item of (await this.#must('GET', roles)).items) if (item.metadata.name.startsWith('walk-')) state[`${roles}/${item.metadata.name}`] = told(item);
    return state;
  }

  async #until(holds) {
    for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) if (await holds()) return;
    throw new Error(`waited a minute in vain for ${holds}`);
  }

  async #get(path) {
    const { code, text } = await this.#ask('GET', path);
    return code === 404 ? undefined : JSON.parse(text);
  }

  async #must(method, path, body, type) {
    const { code, text } = await this.#ask(method, path, body, type);
    if (code >= 300) throw new Error(`${method} ${path}: ${code} ${text}`);
    return JSON.parse(text);
  }
}

/** Authorities and tokens differ from server to server: what counts is that they are there, and what a token says. */
function told(object) {
  const data = object.data && Object.fromEntries(Object.entries(object.data).map(([key, value]) => [key, toldOf(key, value)]));
  const { time: _, ...rest } = comparable({ ...object, ...(data && { data }) });
  return rest;
}

function toldOf(key, value) {
  if (key === 'ca.crt') return value.length > 100 ? 'a certificate' : value;
  if (key === 'token') return comparable(JSON.parse(Buffer.from(Buffer.from(value, 'base64').toString().split('.')[1], 'base64url')));
  return value;
}
