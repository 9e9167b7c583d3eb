// One scenario of random-rules.mjs, drawn from a seed: configurations about a namespace of its own, and requests in it.
const group = '/apis/admissionregistration.k8s.io/v1';

const ruleParts = {
  // Not `*`: what other scenarios make in no namespace would be judged, too.
  apiGroups: [[''], ['', 'apps'], ['apps']],
  apiVersions: [['v1'], ['*']],
  operations: [['CREATE'], ['*'], ['UPDATE', 'DELETE'], ['CREATE', 'UPDATE']],
  resources: [['configmaps'], ['*'], ['deployments'], ['*/*'], ['deployments/scale', 'secrets'], ['configmaps', 'deployments/*']],
};
const selectors = [{ matchLabels: { app: 'a' } }, { matchExpressions: [{ key: 'app', operator: 'Exists' }] }];
const conditions = [
  [{ name: 'is-a', expression: "object != null && has(object.metadata.labels) && object.metadata.labels.app == 'a'" }],
  [{ name: 'fails', expression: "object.metadata.labels.nope == 'x'" }],
  [
    { name: 'update', expression: "request.operation != 'DELETE'" },
    { name: 'dry', expression: '!request.dryRun' },
  ],
];
/** Of ../shared/oracle/webhook-server.mjs, with their arguments. */
const behaviours = {
  validating: [
    ['allow'],
    ['allow', { warnings: ['careful'] }],
    ...[403, 422, 200, 599].map((code) => ['deny', { status: { message: 'no', code } }]),
    ['deny'],
    ['deny', { status: { reason: 'Gone', code: 410 } }],
    ...[404, 500, 429].map((code) => ['code', code]),
    ...['text', 'empty', 'wrong-uid', 'no-kind', 'beta-version', 'unknown-field'].map((name) => [name]),
    ['require', 'must'],
  ],
  mutating: [
    ['append', 'a'],
    ['append', 'b'],
    ['patch', [{ op: 'add', path: '/metadata/labels', value: { app: 'b' } }]],
    ['patch', [{ op: 'remove', path: '/data/nope' }]],
    ['patch', [{ op: 'replace', path: '/metadata/uid', value: 'x' }]],
    ['patch', [{ op: 'add', path: '/data', value: { x: 1 } }]],
    ['patch-no-type', []],
    ...['patch-not-json', 'type-without-patch', 'allow', 'deny'].map((name) => [name]),
  ],
};
const validations = [
  'false',
  'true',
  "object.metadata.name != 'one'",
  'size(object.data) < 2',
  'variables.n > 0',
  "request.userInfo.username == 'admin'",
  'oldObject == null',
  'object.spec.replicas < 3',
  'namespaceObject.metadata.name == request.namespace',
  "authorizer.requestResource.check('delete').allowed()",
];
const messages = ["'n is ' + string(variables.n)", "'line\\nbreak'", 'string(object.nope)', "''"];
const applied = [
  "Object{metadata: Object.metadata{labels: {'by': 'policy'}}}",
  "Object{metadata: Object.metadata{annotations: {'n': string(variables.n)}}}",
  "Object{nothing: 'x'}",
  'Object{}',
  'Object{spec: Object.spec{replicas: 2}}',
  "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'app': 'z'}}}}",
];
const patches = [
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'p': 'q'}}]",
  "[JSONPatch{op: 'remove', path: '/data/nope'}]",
  "[JSONPatch{op: 'test', path: '/metadata/name', value: 'one'}, JSONPatch{op: 'add', path: '/metadata/labels', value: {'t': 'u'}}]",
  "[JSONPatch{op: 'add', path: '/kind', value: 'Secret'}]",
  '[]',
];

/** `made`: what is created first; `requests`: what follows. Each step says its method, path and body. */
export function scenario(seed, hook) {
  const draw = new Draw(seed, hook);
  const count = 1 + draw.below(3);
  const made = [{ path: '/api/v1/namespaces', body: { metadata: { name: draw.namespace } } }];
  for (let index = 0; index < count; index++) made.push(...draw.configuration(index));
  const complete = (step) => ({ seed, method: 'POST', ...step });
  return { made: made.map(complete), requests: draw.requests().map(complete) };
}

class Draw {
  #state;
  #hook;
  #seed;

  constructor(seed, hook) {
    this.#seed = seed;
    this.#hook = hook;
    this.#state = (seed * 2654435761) >>> 0;
    this.namespace = `random-${seed}`;
  }

  below(count) {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return (this.#state >>> 3) % count;
  }

  configuration(index) {
    const kind = this.#pick(['webhook', 'webhook', 'validating', 'mutating']);
    if (kind === 'webhook') return [this.#webhooks(this.#pick(['validating', 'mutating']), index)];
    const actions = [['Deny'], ['Warn'], ['Audit', 'Warn'], ['Deny', 'Audit']];
    if (kind === 'validating')
      return this.#policy(kind, index, { validations: [this.#validation(), this.#validation()] }, { validationActions: this.#pick(actions) });
    return this.#policy(kind, index, { mutations: [this.#mutation(), this.#mutation()], reinvocationPolicy: this.#pick(['Never', 'IfNeeded']) }, {});
  }

  requests() {
    const maps = `/api/v1/namespaces/${this.namespace}/configmaps`;
    const deployments = `/apis/apps/v1/namespaces/${this.namespace}/deployments`;
    const dry = () => this.#pick(['', '', '?dryRun=All']);
    const merge = { method: 'PATCH', type: 'application/merge-patch+json' };
    const apply = { method: 'PATCH', type: 'application/apply-patch+yaml' };
    return [
      { path: `${maps}${dry()}`, body: this.#configMap('one') },
      { path: maps, body: this.#configMap('two') },
      { method: 'PUT', path: `${maps}/two${dry()}`, body: this.#configMap('two') },
      { ...merge, path: `${maps}/two`, body: { metadata: { labels: { app: this.#pick(['a', 'c']) } } } },
      { ...apply, path: `${maps}/three?fieldManager=f&force=true`, body: { apiVersion: 'v1', kind: 'ConfigMap', ...this.#configMap('three') } },
      { path: deployments, body: this.#deployment('one') },
      { ...merge, path: `${deployments}/one/scale`, body: { spec: { replicas: this.below(4) } } },
      { method: 'DELETE', path: `${maps}/two${dry()}` },
      { method: 'DELETE', path: maps },
    ];
  }

  #pick(list) {
    return list[this.below(list.length)];
  }

  #maybe(key, list) {
    return this.below(2) === 0 ? {} : { [key]: this.#pick(list) };
  }

  #rule() {
    const parts = Object.entries(ruleParts).map(([name, choices]) => [name, this.#pick(choices)]);
    return { ...Object.fromEntries(parts), ...this.#maybe('scope', ['*', 'Namespaced', 'Cluster']) };
  }

  /** What webhooks and policies both have: where they look, and what becomes of failures. */
  #scope() {
    return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.namespace } }, ...this.#maybe('objectSelector', selectors) };
  }

  #failing() {
    return { failurePolicy: this.#pick(['Fail', 'Ignore']), ...this.#maybe('matchConditions', conditions) };
  }

  #webhooks(kind, index) {
    const webhooks = Array.from({ length: 1 + this.below(2) }, (_, each) => this.#webhook(kind, each));
    return { path: `${group}/${kind}webhookconfigurations`, body: { metadata: { name: `h${index}.s${this.#seed}` }, webhooks } };
  }

  #webhook(kind, index) {
    const [behaviour, argument] = this.#pick(behaviours[kind]);
    const last = argument === undefined ? '' : `/${Buffer.from(JSON.stringify(argument)).toString('base64url')}`;
    const { hookUrl, caBundle } = this.#hook;
    const clientConfig = { url: `${hookUrl}/admit/-/${behaviour}${last}`, caBundle };
    const told = { sideEffects: this.#pick(['None', 'NoneOnDryRun']), admissionReviewVersions: ['v1'], timeoutSeconds: 5 };
    const again = kind === 'mutating' ? this.#maybe('reinvocationPolicy', ['IfNeeded', 'Never']) : {};
    const match = this.#maybe('matchPolicy', ['Exact', 'Equivalent']);
    return { name: `w${index}.s${this.#seed}.test.io`, clientConfig, rules: [this.#rule()], ...this.#scope(), ...this.#failing(), ...told, ...again, ...match };
  }

  #policy(flavour, index, spec, binding) {
    const name = `p${index}.s${this.#seed}`;
    const matchConstraints = { resourceRules: [this.#rule()], ...this.#scope(), ...this.#maybe('matchPolicy', ['Exact', 'Equivalent']) };
    const variables = [{ name: 'n', expression: 'has(object.metadata.labels) ? size(object.metadata.labels) : 0' }];
    return [
      { path: `${group}/${flavour}admissionpolicies`, body: { metadata: { name }, spec: { matchConstraints, variables, ...this.#failing(), ...spec } } },
      { path: `${group}/${flavour}admissionpolicybindings`, body: { metadata: { name }, spec: { policyName: name, ...binding } } },
    ];
  }

  #validation() {
    return {
      expression: this.#pick(validations),
      ...this.#maybe('message', ['said so', '  padded  ']),
      ...this.#maybe('messageExpression', messages),
      ...this.#maybe('reason', ['Forbidden', 'Unauthorized', 'RequestEntityTooLarge']),
    };
  }

  #mutation() {
    if (this.below(2) === 0) return { patchType: 'ApplyConfiguration', applyConfiguration: { expression: this.#pick(applied) } };
    return { patchType: 'JSONPatch', jsonPatch: { expression: this.#pick(patches) } };
  }

  #configMap(name) {
    const metadata = { name, ...this.#maybe('labels', [{ app: 'a' }, { app: 'b' }]), ...this.#maybe('annotations', [{ must: 'x' }]) };
    return { metadata, data: this.#pick([{}, { a: '1' }, { a: '1', b: '2' }]) };
  }

  #deployment(name) {
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const metadata = { name, ...this.#maybe('labels', [{ app: 'a' }, { app: 'b' }]) };
    return { metadata, spec: { replicas: this.below(5), selector: { matchLabels: { app: 'x' } }, template } };
  }
}
