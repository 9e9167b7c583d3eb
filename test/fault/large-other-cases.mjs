// Large bodies that come another way than as a new object of a kind: updates of what is large already, applies by a second manager, subresources,
// options of deletions, protobuf, and lists that rules compare with each other. A case of several requests: all but the last one prepare it.
import { crowd, json, many, patch, post, texts } from './large-body.mjs';

const base = '/api/v1/namespaces/team/';
const apps = '/apis/apps/v1/namespaces/team/';
const put = (path, body) => ({ method: 'PUT', path, type: json, body });
const apply = (path, body) => ({ method: 'PATCH', path, type: 'application/apply-patch+yaml', body });
const gone = (path) => ({ method: 'DELETE', path });
const asAdmin = (request) => ({ ...request, token: 'admin-token' });
const annotations = (count) => `"annotations":{${many(count, (i) => `"k${i}":""`)}}`;
const configMap = (name, value, letter = 'k') =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{${many(60_000, (i) => `"${letter}${i}":"${value}"`)}}}`;
const pod = (spec, container = '', status = '') =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"other"},"spec":{"containers":[{"name":"c","image":"i"${container}}]${spec}}${status}}`;
const deployment = (rest) =>
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"env"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i",${rest}}]}}}}`;

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const initial = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3';
/** Of each little is told, but all of it has to be parsed. */
const twelve = Array.from({ length: 12 }, (_, i) => i);
const largeSecret = (i) => `{"metadata":{"name":"large-${i}"},"data":{${many(60_000, (key) => `"k${key}":"eA=="`)}}}`;

/** Fields of protobuf: a length before bytes, all of them below a tag. */
const field = (number, content) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
};
function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
const repeated = (count, of) => Buffer.concat(Array.from({ length: count }, (_, i) => of(i)));
const protobuf = (path, kind, raw) =>
  post(
    path,
    Buffer.concat([Buffer.from('k8s\0'), field(1, Buffer.concat([field(1, 'v1'), field(2, kind)])), field(2, raw)]),
    'application/vnd.kubernetes.protobuf',
  );

export const otherCases = {
  'other: an update of all of 60,000 values': () => [
    gone(`${base}configmaps/large`),
    post(`${base}configmaps`, configMap('large', '')),
    put(`${base}configmaps/large?fieldManager=m`, configMap('large', 'x')),
  ],
  'other: an update to 60,000 other keys': () => [
    gone(`${base}configmaps/large`),
    post(`${base}configmaps`, configMap('large', '')),
    put(`${base}configmaps/large`, configMap('large', '', 'z')),
  ],
  'other: an apply in conflict about 60,000 values': () => [
    gone(`${base}configmaps/shared`),
    apply(`${base}configmaps/shared?fieldManager=a`, configMap('shared', '')),
    apply(`${base}configmaps/shared?fieldManager=b`, configMap('shared', 'x')),
  ],
  'other: an apply over what somebody has made': () => [
    gone(`${base}configmaps/shared`),
    post(`${base}configmaps`, configMap('shared', '')),
    apply(`${base}configmaps/shared?fieldManager=a`, configMap('shared', '')),
  ],
  'other: an apply in conflict about 12,000 variables': () => [
    apply(`${apps}deployments/env?fieldManager=a&force=true`, deployment(`"env":[${many(12_000, (i) => `{"name":"E${i}","value":"v"}`)}]`)),
    apply(`${apps}deployments/env?fieldManager=b`, deployment(`"env":[${many(30_000, (i) => `{"name":"E${i}","value":"w"}`)}]`)),
  ],
  'other: large objects as a Table': () => ({ method: 'GET', path: `${base}configmaps`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  'other: large objects in protobuf': () => ({ method: 'GET', path: `${base}configmaps`, accept: 'application/vnd.kubernetes.protobuf' }),
  ...Object.fromEntries(
    Object.entries({
      'in YAML': { path: '', accept: 'application/yaml' },
      'as a Table': { path: '', accept: table },
      'as a Table in YAML': { path: '', accept: table.replace('json', 'yaml') },
      'as metadata': { path: '', accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
      'that a field is selected by': { path: '?fieldSelector=type%3Dother' },
      'that a field is selected by, watched': { path: `?fieldSelector=type%3Dother&${initial}` },
      'as Tables, watched': { path: `?${initial}`, accept: table },
      'as metadata, watched': { path: `?${initial}`, accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    }).map(([form, { path, accept }]) => [
      `other: 12 secrets of 60,000 keys ${form}`,
      () => [...twelve.map((i) => post(`${base}secrets`, largeSecret(i))), { method: 'GET', path: `${base}secrets${path}`, accept }],
    ]),
  ),
  'other: a scale with 97,000 annotations': () =>
    put(
      `${apps}deployments/target/scale?dryRun=All`,
      `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"target","namespace":"team",${annotations(96_000)}},"spec":{"replicas":1}}`,
    ),
  'other: a merge patch of a scale': () => patch(`${apps}deployments/target/scale?dryRun=All`, 'merge', `{${many(97_000, (i) => `"k${i}":1`)}}`),
  'other: an autoscaler of the first version with 97,000 annotations': () =>
    post(
      '/apis/autoscaling/v1/namespaces/team/horizontalpodautoscalers?dryRun=All',
      `{"metadata":{"name":"h",${annotations(96_000)}},"spec":{"maxReplicas":3,"scaleTargetRef":{"kind":"Deployment","name":"d"}}}`,
    ),
  'other: a binding with 97,000 annotations': () => [
    post(`${base}pods`, pod('')),
    post(`${base}pods/other/binding?dryRun=All`, `{"metadata":{"name":"other",${annotations(96_000)}},"target":{"kind":"Node","name":"n"}}`),
  ],
  'other: an eviction with 97,000 annotations': () => post(`${base}pods/other/eviction?dryRun=All`, `{"metadata":{"name":"other",${annotations(96_000)}}}`),
  'other: 32,000 conditions of a pod': () =>
    put(`${base}pods/other/status?dryRun=All`, pod('', '', `,"status":{"conditions":[${many(32_000, (i) => `{"type":"t${i}","status":"True"}`)}]}`)),
  'other: a token for 97,000 audiences': () => post(`${base}serviceaccounts/default/token`, `{"spec":{"audiences":${texts(96_000, (i) => `a${i}`)}}}`),
  'other: a review of a user with 48,000 extras': () =>
    asAdmin(
      post(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        `{"spec":{"user":"a","extra":{${many(48_000, (i) => `"k${i}":["v"]`)}},"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
      ),
    ),
  'other: options of a deletion with 97,000 unknown fields': () => ({
    method: 'DELETE',
    path: `${base}configmaps/target?dryRun=All`,
    type: json,
    body: `{"dryRun":["All"],${many(96_000, (i) => `"k${i}":1`)}}`,
  }),
  'other: protobuf with 97,000 finalizers': () =>
    protobuf(`${base}configmaps?dryRun=All`, 'ConfigMap', field(1, Buffer.concat([field(1, 'p'), repeated(97_000, (i) => field(14, `a/${i}`))]))),
  'other: protobuf with 66,000 annotations': () =>
    protobuf(
      `${base}configmaps?dryRun=All`,
      'ConfigMap',
      field(1, Buffer.concat([field(1, 'p'), repeated(66_000, (i) => field(12, Buffer.concat([field(1, `k${i}`), field(2, '')])))])),
    ),
  'other: a secret of 97,000 texts': () => post(`${base}secrets?dryRun=All`, `{"metadata":{"name":"x"},"stringData":{${many(97_000, (i) => `"k${i}":"v"`)}}}`),
  'other: a schedule of 2,900,000 characters': () =>
    post(
      '/apis/batch/v1/namespaces/team/cronjobs?dryRun=All',
      `{"metadata":{"name":"c"},"spec":{"schedule":"${crowd(290_000, (i) => `1/${i + 1}`)} * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}}`,
    ),
  'other: 12,000 mounts beside 12,000 devices': () =>
    post(
      `${base}pods?dryRun=All`,
      pod(
        ',"volumes":[{"name":"v","emptyDir":{}},{"name":"d","persistentVolumeClaim":{"claimName":"c"}}]',
        `,"volumeMounts":[${many(12_000, (i) => `{"name":"v","mountPath":"/v${i}"}`)}],"volumeDevices":[${many(12_000, (i) => `{"name":"v${i}","devicePath":"/d${i}"}`)}]`,
      ),
    ),
  'other: 24,000 claims of a pod, all of them used': () =>
    post(
      `${base}pods?dryRun=All`,
      pod(
        `,"resourceClaims":[${many(19_000, (i) => `{"name":"c${i}","resourceClaimName":"r"}`)}]`,
        `,"resources":{"claims":[${many(19_000, (i) => `{"name":"c${i}"}`)}]}`,
      ),
    ),
  'other: 30,000 claims of a pod, none of those that are used': () =>
    post(
      `${base}pods?dryRun=All`,
      pod(
        `,"resourceClaims":[${many(24_000, (i) => `{"name":"c${i}","resourceClaimName":"r"}`)}]`,
        `,"resources":{"claims":[${many(2_000, (i) => `{"name":"d${i}"}`)}]}`,
      ),
    ),
  'other: a quota of 40,000 resources in 40,000 scopes': () =>
    post(
      `${base}resourcequotas?dryRun=All`,
      `{"metadata":{"name":"q"},"spec":{"hard":{${many(40_000, (i) => `"example.com/r${i}":"1"`)}},"scopes":${texts(40_000, () => 'Terminating')}}}`,
    ),
  'other: 24,000 readiness gates beside 16,000 conditions, as a Table': () => [
    gone(`${base}pods/gates`),
    post(`${base}pods`, pod(`,"readinessGates":[${many(20_000, (i) => `{"conditionType":"g${i}"}`)}]`).replace('"name":"other"', '"name":"gates"')),
    patch(`${base}pods/gates/status`, 'merge', `{"status":{"conditions":[${many(15_000, (i) => `{"type":"t${i}","status":"True"}`)}]}}`),
    { method: 'GET', path: `${base}pods`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  ],
};
