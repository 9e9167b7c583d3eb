// What walks beside the original have in common: requests to one server, waiting, and the state that is left, comparable between two servers.
import https from 'node:https';

const patienceMs = 60_000;
/** Nothing has changed for this long: the controllers are done. */
const restMs = 4_000;

export class Walk {
  #origin;
  #namespace;
  #compared;
  #agent = new https.Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });

  /** `compared`: the paths of what is compared, by kind. */
  constructor(origin, namespace, compared) {
    this.#origin = origin;
    this.#namespace = namespace;
    this.#compared = compared;
  }

  async settledState() {
    let last = '';
    let since = Date.now();
    for (;;) {
      const state = await this.#state();
      const text = JSON.stringify(state);
      if (text !== last) since = Date.now();
      if (Date.now() - since >= restMs) {
        this.#agent.destroy();
        return state;
      }
      last = text;
      await sleep(500);
    }
  }

  async #state() {
    const state = {};
    for (const [kind, path] of Object.entries(this.#compared)) {
      const items = (await this.list(path)).filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === this.#namespace);
      for (const item of items.sort(byText)) {
        const object = comparable(withoutPassedCounts(item));
        let name = `${kind}/${kind === 'slices' ? `${item.metadata.labels['kubernetes.io/service-name']} ${item.addressType}` : (item.metadata.generateName ?? item.metadata.name)}`;
        while (state[name] !== undefined) name += '+';
        state[name] = object;
      }
    }
    // Events of what belongs to no namespace lie in `default`, beside those of others.
    const ofVolumes = (await this.list('/api/v1/namespaces/default/events')).filter(({ involvedObject }) => involvedObject.kind === 'PersistentVolume');
    for (const event of [...(await this.list(`/api/v1/namespaces/${this.#namespace}/events`)), ...ofVolumes]) {
      const { involvedObject, reason, type } = event;
      state[`event/${involvedObject.kind}/${involvedObject.name} ${reason} ${type}`] = this.eventOf(event);
    }
    return state;
  }

  /** What of an Event is no chance. */
  eventOf({ message, source }) {
    return { message, source };
  }

  merge(path, patch) {
    return this.ask('PATCH', path, patch, 'application/merge-patch+json');
  }

  async list(path) {
    return (await this.ask('GET', path)).items;
  }

  async until(holds) {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100)) if (await holds()) return;
    throw new Error(`waited ${patienceMs / 1000} s in vain for ${holds}`);
  }

  ask(method, path, body, type = 'application/json') {
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

/**
 * A count of the status that is zero in the end leaves its field with the controller if a write has seen it differ from zero in between (a Pod that
 * is where it should not be, for a moment): how often a controller looks is chance.
 */
function withoutPassedCounts(item) {
  const managedFields = item.metadata.managedFields?.map((entry) => {
    const counted = entry.subresource === 'status' ? entry.fieldsV1['f:status'] : undefined;
    if (counted === undefined) return entry;
    const lasting = Object.entries(counted).filter(([field]) => item.status?.[field.slice(2)] !== 0);
    return { ...entry, fieldsV1: { ...entry.fieldsV1, 'f:status': Object.fromEntries(lasting) } };
  });
  return managedFields === undefined ? item : { ...item, metadata: { ...item.metadata, managedFields } };
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
  'lastUpdateTime',
  'f:lastTransitionTime',
  'clusterIP',
  'clusterIPs',
  'generation',
  'observedGeneration',
];
/** Names that the server makes up end with five letters. */
const madeUp = /-[a-z0-9]{5}$/;

/** Without what differs from run to run; lists whose order is chance are sorted. */
export function comparable(value, key = '') {
  if (['name', 'resourceClaimName'].includes(key) && typeof value === 'string') return value.replace(madeUp, '-*');
  if (key === 'message' && typeof value === 'string') return comparableMessage(value);
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

/** Sentences name objects whose names the server made up, of which it is chance who came first. */
export function comparableMessage(message) {
  return message
    .replace(uid, '*')
    .replace(time, '*')
    .replace(/(-\d)?-[a-z0-9]{5}\b/g, '-*');
}

/** Annotations of which only the trigger was left. */
function isBareAnnotations(name, value) {
  return /^(f:)?annotations$/.test(name) && Object.keys(value).every((key) => key === '.');
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
