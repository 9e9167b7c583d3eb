// Bodies as large as the server takes, each made to be slow in one place. `user` has the rights of an ordinary user of one namespace.
import { crowd, json, many, patch, post, texts } from './large-body.mjs';

const base = '/api/v1/namespaces/team/';
const apps = '/apis/apps/v1/namespaces/team/';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/team/';
const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const reviewOf = (metadata) => post(review, `{"metadata":{${metadata}},"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}`);
const configMap = (metadata, rest = '') => post(`${base}configmaps`, `{"metadata":{"name":"a",${metadata}}${rest}}`);
const pod = (spec, container = '', metadata = '') =>
  post(`${base}pods?dryRun=All`, `{"metadata":{"name":"p"${metadata}},"spec":{"containers":[{"name":"c","image":"i"${container}}]${spec}}}`);
const role = (rules) => post(`${rbac}roles?dryRun=All`, `{"metadata":{"name":"r"},"rules":[${rules}]}`);
const service = (spec, metadata = '') => post(`${base}services?dryRun=All`, `{"metadata":{"name":"s"${metadata}},"spec":{${spec}}}`);

export const cases = {
  'a review with 350,000 annotations': () => reviewOf(`"annotations":{${crowd(230_000, (i) => `"k${i}":""`)}}`),
  'a list of 1,400,000 numbers': () => reviewOf(`"unknown":[${'1,'.repeat(1_400_000)}1]`),
  'a YAML list of 1,400,000 items': () => post(review, `metadata: {}\nunknown: [${'1,'.repeat(1_400_000)}1]\nspec: {}\n`, 'application/yaml'),
  'YAML aliases that unfold to 300,000 items': () =>
    post(review, `a: &a [${'1,'.repeat(1_000)}1]\nb: [${crowd(300, () => '*a')}]\nspec: {}\n`, 'application/yaml'),
  'a merge patch with 350,000 unknown fields': () => patch(`${base}configmaps/target`, 'merge', `{${crowd(250_000, (i) => `"k${i}":1`)}}`),
  'a review with 220,000 annotations': () => reviewOf(`"annotations":{${many(220_000, (i) => `"k${i}":""`)}}`),
  'a review with 220,000 labels': () => reviewOf(`"labels":{${many(220_000, (i) => `"k${i}":""`)}}`),
  'a review with 250,000 finalizers': () => reviewOf(`"finalizers":${texts(250_000, (i) => `a/${i}`)}`),
  'a review with the same finalizer 400,000 times': () => reviewOf(`"finalizers":${texts(400_000, () => 'a/b')}`),
  'a review in YAML with 200,000 annotations': () =>
    post(review, `metadata:\n  annotations:\n${many(200_000, (i) => `    k${i}: ''`, '\n')}\nspec: {}\n`, 'application/yaml'),
  'a review in YAML, one flow list of 700,000 items': () => post(review, `metadata:\n  finalizers: [${'a,a,'.repeat(48_000)}]\nspec: {}\n`, 'application/yaml'),
  'a review in YAML, one block scalar of many lines': () =>
    post(review, `metadata:\n  annotations:\n    a: |\n${'     b\n'.repeat(400_000)}spec: {}\n`, 'application/yaml'),
  'a review in YAML of empty lines': () => post(review, `metadata: {}\n${'\n'.repeat(2_900_000)}spec: {}\n`, 'application/yaml'),
  'a review in YAML of comments': () => post(review, `metadata: {}\n${'#\n'.repeat(1_400_000)}spec: {}\n`, 'application/yaml'),
  'a review in YAML of blanks': () => post(review, `metadata: {}\n${' '.repeat(2_900_000)}\nspec: {}\n`, 'application/yaml'),
  'a review in YAML with one long plain scalar': () =>
    post(review, `metadata:\n  annotations:\n    a: ${'b '.repeat(1_400_000)}\nspec: {}\n`, 'application/yaml'),
  'a review in YAML with one long quoted scalar': () =>
    post(review, `metadata:\n  annotations:\n    a: "${'\\t '.repeat(900_000)}"\nspec: {}\n`, 'application/yaml'),
  'a review in YAML with the same key over and over': () =>
    post(review, `metadata:\n  annotations:\n${'    k: v\n'.repeat(48_000)}spec: {}\n`, 'application/yaml'),
  'a review in YAML with many anchors': () =>
    post(review, `metadata:\n  annotations:\n${many(100_000, (i) => `    k${i}: &a${i} b`, '\n')}\nspec: {}\n`, 'application/yaml'),
  'a number of 2,900,000 digits': () => reviewOf(`"generation":${'9'.repeat(2_900_000)}`),
  'a number of 2,900,000 digits behind the point': () => reviewOf(`"generation":0.${'9'.repeat(2_900_000)}`),
  'a number of 2,900,000 digits in an unknown field': () => reviewOf(`"unknown":${'9'.repeat(2_900_000)}`),
  'a YAML number of 2,900,000 digits': () => post(review, `metadata:\n  generation: ${'9'.repeat(2_900_000)}\nspec: {}\n`, 'application/yaml'),
  '200,000 long numbers': () => reviewOf(`"unknown":[${many(170_000, () => '12345678901234567')}]`),
  'a quantity of 2,900,000 digits': () => pod('', `,"resources":{"limits":{"cpu":"${'9'.repeat(2_900_000)}"}}`),
  'a quantity with many zeros behind the point': () => pod('', `,"resources":{"limits":{"cpu":"0.${'0'.repeat(2_900_000)}1"}}`),
  'a time of 2,900,000 digits': () => reviewOf(`"creationTimestamp":"${'1'.repeat(2_900_000)}"`),
  'a review with 350,000 unknown fields': () => reviewOf(`${many(250_000, (i) => `"k${i}":1`)}`),
  'a review with the same key 500,000 times': () => reviewOf(`${many(500_000, () => '"k":1')}`),
  'a review with managedFields of 60,000 entries': () => reviewOf(`"managedFields":[${many(60_000, (i) => `{"manager":"m${i}","operation":"Update"}`)}]`),
  'a config map with managedFields of many sets': () =>
    configMap(
      `"managedFields":[${many(20_000, (i) => `{"manager":"m${i}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k${i}":{}}}}`)}]`,
    ),
  'a config map with one field set of 200,000 fields': () =>
    configMap(
      `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${many(180_000, (i) => `"f:k${i}":{}`)}}}}]`,
    ),
  'arrays in arrays, 9,000 deep': () => reviewOf(`"unknown":${'['.repeat(9_000)}${']'.repeat(9_000)}`),
  'arrays in arrays, 1,400,000 deep': () => reviewOf(`"unknown":${'['.repeat(1_400_000)}${']'.repeat(1_400_000)}`),
  '1,400 levels, 700 times': () => reviewOf(`"unknown":[${many(700, () => `${'['.repeat(900)}${']'.repeat(900)}`)}]`),
  'a text of escapes': () => reviewOf(`"annotations":{"a":"${'\\u00e9'.repeat(480_000)}"}`),
  'a text of broken surrogates': () => reviewOf(`"annotations":{"a":"${'\\ud800'.repeat(480_000)}"}`),
  'bytes that are no UTF-8': () =>
    post(review, Buffer.concat([Buffer.from('{"metadata":{"annotations":{"a":"'), Buffer.alloc(2_900_000, 0xff), Buffer.from('"}},"spec":{}}')])),
  'a label key of 2,800,000 characters': () => reviewOf(`"labels":{"${'a'.repeat(2_800_000)}":"b"}`),
  'a name of 2,800,000 characters': () => configMap(`"name":"${'a-'.repeat(1_400_000)}_"`),
  'a name with many dots': () => configMap(`"name":"${'a.'.repeat(1_400_000)}_"`),

  '50,000 owner references': () => configMap(`"ownerReferences":[${many(30_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}"}`)}]`),
  '40,000 equal owner references': () => configMap(`"ownerReferences":[${many(40_000, () => '{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u"}')}]`),
  '30,000 owner references of one uid': () =>
    configMap(`"ownerReferences":[${many(40_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a${i}","uid":"u"}`)}]`),
  '30,000 controllers': () =>
    configMap(`"ownerReferences":[${many(30_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}","controller":true}`)}]`),
  'owner references of 50,000 kinds, with no access': () =>
    configMap(`"ownerReferences":[${many(30_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}","blockOwnerDeletion":true}`)}]`),
  'a config map with 200,000 keys': () => configMap('"labels":{}', `,"data":{${many(220_000, (i) => `"k${i}":""`)}}`),
  'a config map with 200,000 bad keys': () => configMap('"labels":{}', `,"data":{${many(220_000, (i) => `"k ${i}":""`)}}`),
  'a config map with 200,000 keys as binary too': () =>
    configMap('"labels":{}', `,"data":{${many(110_000, (i) => `"k${i}":""`)}},"binaryData":{${many(110_000, (i) => `"k${i}":""`)}}`),
  'a secret with much base64': () => post(`${base}secrets`, `{"metadata":{"name":"x"},"data":{"a":"${'A'.repeat(2_900_000)}"}}`),
  'a secret with 200,000 values in base64': () => post(`${base}secrets`, `{"metadata":{"name":"x"},"data":{${many(150_000, (i) => `"k${i}":"QUJD"`)}}}`),
  'a TLS secret of BEGIN lines': () =>
    post(
      `${base}secrets`,
      `{"metadata":{"name":"x"},"type":"kubernetes.io/tls","stringData":{"tls.key":"","tls.crt":"${'-----BEGIN CERTIFICATE-----\\n'.repeat(90_000)}"}}`,
    ),
  'a TLS secret of short blocks': () =>
    post(
      `${base}secrets`,
      `{"metadata":{"name":"x"},"type":"kubernetes.io/tls","stringData":{"tls.key":"","tls.crt":"${'-----BEGIN A-----\\nAA==\\n-----END A-----\\n'.repeat(50_000)}"}}`,
    ),

  'a merge patch with 250,000 unknown fields': () => patch(`${base}configmaps/target`, 'merge', `{${many(250_000, (i) => `"k${i}":1`)}}`),
  'a merge patch with 250,000 unknown fields, strict': () =>
    patch(`${base}configmaps/target?fieldValidation=Strict`, 'merge', `{${many(250_000, (i) => `"k${i}":1`)}}`),
  'a merge patch with 250,000 unknown fields, no kind': () =>
    patch(`${base}configmaps/target`, 'merge', `{"kind":null,"apiVersion":null,${many(250_000, (i) => `"k${i}":1`)}}`),
  'a merge patch with 250,000 nulls': () => patch(`${base}configmaps/target`, 'merge', `{"data":{${many(250_000, (i) => `"k${i}":null`)}}}`),
  'a merge patch with 220,000 annotations': () =>
    patch(`${base}configmaps/target`, 'merge', `{"metadata":{"annotations":{${many(220_000, (i) => `"k${i}":""`)}}}}`),
  'a strategic patch with 220,000 annotations': () =>
    patch(`${base}configmaps/target`, 'strategic-merge', `{"metadata":{"annotations":{${many(220_000, (i) => `"k${i}":""`)}}}}`),
  'a strategic patch with 250,000 unknown fields': () => patch(`${base}configmaps/target`, 'strategic-merge', `{${many(250_000, (i) => `"k${i}":1`)}}`),
  'a strategic patch with 250,000 finalizers': () =>
    patch(`${base}configmaps/target`, 'strategic-merge', `{"metadata":{"finalizers":${texts(250_000, (i) => `a/${i}`)}}}`),
  'a strategic patch with 30,000 containers': () =>
    patch(
      `${apps}deployments/target`,
      'strategic-merge',
      `{"spec":{"template":{"spec":{"containers":[${many(60_000, (i) => `{"name":"c${i}","image":"i"}`)}]}}}}`,
    ),
  'a strategic patch that deletes 60,000 containers': () =>
    patch(
      `${apps}deployments/target`,
      'strategic-merge',
      `{"spec":{"template":{"spec":{"containers":[${many(60_000, (i) => `{"name":"c${i}","$patch":"delete"}`)}]}}}}`,
    ),
  'a strategic patch with an order of 100,000': () =>
    patch(
      `${apps}deployments/target`,
      'strategic-merge',
      `{"spec":{"template":{"spec":{"$setElementOrder/containers":[${many(100_000, (i) => `{"name":"c${i}"}`)}],"containers":[]}}}}`,
    ),
  'a strategic patch that deletes from a primitive list': () =>
    patch(`${base}configmaps/target`, 'strategic-merge', `{"metadata":{"$deleteFromPrimitiveList/finalizers":${texts(200_000, (i) => `a/${i}`)}}}`),
  'a strategic patch nested 9,000 deep': () => patch(`${base}configmaps/target`, 'strategic-merge', `{"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`),
  'a merge patch nested 9,000 deep': () => patch(`${base}configmaps/target`, 'merge', `{"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`),
  'a JSON patch with 10,000 inserts before 1,200,000 items': () =>
    patch(
      `${base}configmaps/target`,
      'json',
      `[{"op":"add","path":"/x","value":[${'1,'.repeat(56_000)}1]},${many(9_900, () => '{"op":"add","path":"/x/0","value":1}')}]`,
    ),
  'a JSON patch with 10,000 removals from 1,000,000 items': () =>
    patch(
      `${base}configmaps/target`,
      'json',
      `[{"op":"add","path":"/x","value":[${'1,'.repeat(56_000)}1]},${many(9_900, () => '{"op":"remove","path":"/x/0"}')}]`,
    ),
  'a JSON patch with 10,000 tests of a large value': () =>
    patch(
      `${base}configmaps/target`,
      'json',
      `[{"op":"add","path":"/x","value":[${'1,'.repeat(60_000)}1]},{"op":"copy","from":"/x","path":"/y"},${many(9_000, () => '{"op":"test","path":"/x","value":[1]}')}]`,
    ),
  'a JSON patch with 10,000 copies': () =>
    patch(
      `${base}configmaps/target`,
      'json',
      `[{"op":"add","path":"/x","value":[${'1,'.repeat(10_000)}1]},${many(9_900, (i) => `{"op":"copy","from":"/x","path":"/y${i}"}`)}]`,
    ),
  'a JSON patch with 10,000 moves': () =>
    patch(
      `${base}configmaps/target`,
      'json',
      `[{"op":"add","path":"/x","value":[${'1,'.repeat(50_000)}1]},${many(9_900, () => `{"op":"move","from":"/x/0","path":"/x/25000"}`)}]`,
    ),
  'a JSON patch that goes down 9,000 levels, often': () =>
    patch(
      `${base}configmaps/target`,
      'json',
      `[{"op":"add","path":"/x","value":${'{"a":'.repeat(900)}1${'}'.repeat(900)}},${many(1_500, () => `{"op":"test","path":"/x${'/a'.repeat(890)}","value":{"a":1}}`)}]`,
    ),
  'an apply with 200,000 annotations': () => ({
    method: 'PATCH',
    path: `${base}configmaps/applied?fieldManager=m`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied","annotations":{${many(200_000, (i) => `"k${i}":""`)}}}}`,
  }),
  'an apply with 200,000 keys in YAML': () => ({
    method: 'PATCH',
    path: `${base}configmaps/applied?fieldManager=m`,
    type: 'application/apply-patch+yaml',
    body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata:\n${many(180_000, (i) => `  k${i}: ""`, '\n')}\n`,
  }),
  'an apply with 200,000 finalizers': () => ({
    method: 'PATCH',
    path: `${base}configmaps/applied?fieldManager=m`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied","finalizers":${texts(200_000, (i) => `a/${i}`)}}}`,
  }),
  'an apply of 30,000 containers': () => ({
    method: 'PATCH',
    path: `${apps}deployments/target?fieldManager=m&force=true`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"target"},"spec":{"template":{"spec":{"containers":[${many(60_000, (i) => `{"name":"c${i}","image":"i"}`)}]}}}}`,
  }),
  'an apply of a list item 40,000 times': () => ({
    method: 'PATCH',
    path: `${apps}deployments/target?fieldManager=m&force=true`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"target"},"spec":{"template":{"spec":{"containers":[{"name":"c","env":[${many(80_000, () => '{"name":"e","value":"v"}')}]}]}}}}`,
  }),
  'an apply of 60,000 ports': () => ({
    method: 'PATCH',
    path: `${apps}deployments/target?fieldManager=m&force=true`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"target"},"spec":{"template":{"spec":{"containers":[{"name":"c","ports":[${many(60_000, (i) => `{"containerPort":${i + 1},"protocol":"TCP"}`)}]}]}}}}`,
  }),
  'an apply nested 9,000 deep': () => ({
    method: 'PATCH',
    path: `${base}configmaps/applied?fieldManager=m`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
  }),

  'a limit range with 100,000 limits': () =>
    post(`${base}limitranges?dryRun=All`, `{"metadata":{"name":"l"},"spec":{"limits":[${many(50_000, () => '{"type":"Pod","max":{"cpu":"9e-4999"}}')}]}}`),
  'a limit range with many resources': () =>
    post(
      `${base}limitranges?dryRun=All`,
      `{"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","max":{${many(100_000, (i) => `"example.com/r${i}":"9e-4999"`)}}}]}}`,
    ),
  'a limit range with all of five maps': () =>
    post(
      `${base}limitranges?dryRun=All`,
      `{"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container",${many(5, (m) => `"${['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'][m]}":{${many(20_000, (i) => `"example.com/r${i}":"9999999999999999${i}"`)}}`)}}]}}`,
    ),
  'a quota with 100,000 resources': () =>
    post(`${base}resourcequotas?dryRun=All`, `{"metadata":{"name":"q"},"spec":{"hard":{${many(100_000, (i) => `"count/r${i}.example.com":"1"`)}}}}`),
  'a quota with 200,000 scopes': () =>
    post(`${base}resourcequotas?dryRun=All`, `{"metadata":{"name":"q"},"spec":{"scopes":${texts(200_000, (i) => `s${i}`)}}}`),
  'a role of 120 x 120 x 120': () =>
    role(`{"verbs":${texts(120, (i) => `v${i}`)},"apiGroups":${texts(120, (i) => `g${i}`)},"resources":${texts(120, (i) => `r${i}`)}}`),
  'a role of 4,000 x 4,000 x 4,000': () =>
    role(
      `{"verbs":${texts(4_000, (i) => `v${i}`)},"apiGroups":${texts(4_000, (i) => `g${i}`)},"resources":${texts(4_000, (i) => `r${i}`)},"resourceNames":${texts(4_000, (i) => `n${i}`)}}`,
    ),
  'a role of 40,000 rules': () => role(many(35_000, (i) => `{"verbs":["get"],"apiGroups":[""],"resources":["r${i}"]}`)),
  'a role of 40,000 rules that alice has': () => role(many(35_000, () => `{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}`)),
  'a role binding with 40,000 subjects': () =>
    post(
      `${rbac}rolebindings?dryRun=All`,
      `{"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"team"},"subjects":[${many(40_000, (i) => `{"kind":"User","name":"u${i}","apiGroup":"rbac.authorization.k8s.io"}`)}]}`,
    ),

  'a pod with 60,000 containers': () =>
    post(`${base}pods?dryRun=All`, `{"metadata":{"name":"p"},"spec":{"containers":[${many(60_000, (i) => `{"name":"c${i}","image":"i"}`)}]}}`),
  'a pod with 60,000 equal containers': () =>
    post(`${base}pods?dryRun=All`, `{"metadata":{"name":"p"},"spec":{"containers":[${many(60_000, () => '{"name":"c","image":"i"}')}]}}`),
  'a pod with 30,000 init containers, each with a volume mount': () =>
    pod(`,"initContainers":[${many(30_000, (i) => `{"name":"i${i}","image":"i","volumeMounts":[{"name":"v","mountPath":"/v"}]}`)}]`),
  'a pod with 100,000 variables': () => pod('', `,"env":[${many(100_000, (i) => `{"name":"E${i}","value":"v"}`)}]`),
  'a pod with 100,000 equal variables': () => pod('', `,"env":[${many(100_000, () => '{"name":"E","value":"v"}')}]`),
  'a pod with 60,000 ports': () => pod('', `,"ports":[${many(60_000, (i) => `{"containerPort":${i + 1},"name":"p${i}"}`)}]`),
  'a pod with 60,000 host ports': () => pod('', `,"ports":[${many(60_000, (i) => `{"containerPort":${i + 1},"hostPort":${i + 1}}`)}]`),
  'a pod with 60,000 equal ports': () => pod('', `,"ports":[${many(60_000, () => '{"containerPort":80,"name":"p"}')}]`),
  'a pod with 60,000 volumes': () => pod(`,"volumes":[${many(60_000, (i) => `{"name":"v${i}","emptyDir":{}}`)}]`),
  'a pod with 60,000 volumes without a source': () => pod(`,"volumes":[${many(100_000, (i) => `{"name":"v${i}"}`)}]`),
  'a pod with 30,000 volumes and 30,000 mounts': () =>
    pod(
      `,"volumes":[${many(30_000, (i) => `{"name":"v${i}","emptyDir":{}}`)}]`,
      `,"volumeMounts":[${many(30_000, (i) => `{"name":"v${i}","mountPath":"/v${i}"}`)}]`,
    ),
  'a pod with 60,000 mounts of one volume': () =>
    pod(',"volumes":[{"name":"v","emptyDir":{}}]', `,"volumeMounts":[${many(60_000, (i) => `{"name":"v","mountPath":"/v${i}"}`)}]`),
  'a pod with 60,000 projected sources': () => pod(`,"volumes":[{"name":"v","projected":{"sources":[${many(40_000, (i) => `{"secret":{"name":"s${i}"}}`)}]}}]`),
  'a pod with 60,000 downward items': () =>
    pod(`,"volumes":[{"name":"v","downwardAPI":{"items":[${many(30_000, (i) => `{"path":"a${i}","fieldRef":{"fieldPath":"metadata.name"}}`)}]}}]`),
  'a pod with 60,000 tolerations': () => pod(`,"tolerations":[${many(60_000, (i) => `{"key":"k${i}","operator":"Exists"}`)}]`),
  'a pod with 60,000 equal tolerations': () => pod(`,"tolerations":[${many(60_000, () => `{"key":"k","operator":"Exists"}`)}]`),
  'a pod with 60,000 host aliases': () => pod(`,"hostAliases":[${many(60_000, (i) => `{"ip":"10.0.0.1","hostnames":["h${i}"]}`)}]`),
  'a pod with 60,000 pull secrets': () => pod(`,"imagePullSecrets":[${many(100_000, (i) => `{"name":"s${i}"}`)}]`),
  'a pod with 60,000 spread constraints': () =>
    pod(`,"topologySpreadConstraints":[${many(25_000, (i) => `{"maxSkew":1,"topologyKey":"k${i}","whenUnsatisfiable":"DoNotSchedule"}`)}]`),
  'a pod with 60,000 affinity terms': () =>
    pod(
      `,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[${many(25_000, (i) => `{"labelSelector":{"matchLabels":{"a":"b"}},"topologyKey":"k${i}"}`)}]}}`,
    ),
  'a pod with a node selector of 100,000 labels': () => pod(`,"nodeSelector":{${many(100_000, (i) => `"k${i}":"v"`)}}`),
  'a pod with 100,000 resource claims': () =>
    pod(
      `,"resourceClaims":[${many(60_000, (i) => `{"name":"c${i}","resourceClaimName":"r"}`)}]`,
      `,"resources":{"claims":[${many(60_000, (i) => `{"name":"c${i}"}`)}]}`,
    ),
  'a pod with 60,000 gates': () => pod(`,"schedulingGates":[${many(100_000, (i) => `{"name":"g${i}"}`)}]`),
  'a pod with 60,000 conditions': () => pod(`,"readinessGates":[${many(60_000, (i) => `{"conditionType":"g${i}"}`)}]`),
  'a pod with 100,000 resources': () =>
    pod('', `,"resources":{"limits":{${many(60_000, (i) => `"example.com/r${i}":"1"`)}},"requests":{${many(30_000, (i) => `"example.com/r${i}":"1"`)}}}`),
  'a pod with 60,000 sysctls': () => pod(`,"securityContext":{"sysctls":[${many(60_000, (i) => `{"name":"a${i}","value":"b"}`)}]}`),
  'a pod with 300,000 groups': () => pod(`,"securityContext":{"supplementalGroups":[${many(300_000, (i) => i)}]}`),
  'a pod with 60,000 capabilities': () =>
    pod('', `,"securityContext":{"capabilities":{"add":${texts(100_000, (i) => `C${i}`)},"drop":${texts(100_000, (i) => `C${i}`)}}}`),
  'a service with 60,000 ports': () => service(`"ports":[${many(60_000, (i) => `{"port":${i + 1},"name":"p${i}"}`)}]`),
  'a service with 60,000 node ports': () =>
    service(`"type":"NodePort","ports":[${many(50_000, (i) => `{"port":${i + 1},"name":"p${i}","nodePort":${(i % 2768) + 30000}}`)}]`),
  'a service with 200,000 external addresses': () =>
    service(`"ports":[{"port":80}],"externalIPs":${texts(150_000, (i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)}`),
  'a service with 100,000 source ranges': () =>
    service(`"type":"LoadBalancer","ports":[{"port":80}],"loadBalancerSourceRanges":${texts(100_000, () => '10.0.0.0/8')}`),
  'a service with 100,000 addresses of its own': () => service(`"ports":[{"port":80}],"clusterIPs":${texts(150_000, () => '10.96.7.7')}`),
  'endpoints with 60,000 addresses': () =>
    post(
      `${base}endpoints?dryRun=All`,
      `{"metadata":{"name":"e"},"subsets":[{"addresses":[${many(60_000, (i) => `{"ip":"10.1.${(i >> 8) & 255}.${i & 255}"}`)}],"ports":[{"port":80}]}]}`,
    ),
  'an endpoint slice with 60,000 endpoints': () =>
    post(
      '/apis/discovery.k8s.io/v1/namespaces/team/endpointslices?dryRun=All',
      `{"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[${many(60_000, (i) => `{"addresses":["10.1.${(i >> 8) & 255}.${i & 255}"]}`)}],"ports":[]}`,
    ),
  'an ingress with 40,000 rules': () =>
    post(
      '/apis/networking.k8s.io/v1/namespaces/team/ingresses?dryRun=All',
      `{"metadata":{"name":"i"},"spec":{"rules":[${many(20_000, (i) => `{"host":"h${i}.example.com","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":80}}}}]}}`)}]}}`,
    ),
  'a network policy with 40,000 rules': () =>
    post(
      '/apis/networking.k8s.io/v1/namespaces/team/networkpolicies?dryRun=All',
      `{"metadata":{"name":"n"},"spec":{"podSelector":{},"ingress":[${many(40_000, () => `{"from":[{"ipBlock":{"cidr":"10.0.0.0/8","except":["10.1.0.0/16"]}}]}`)}]}}`,
    ),
  'a network policy with 100,000 exceptions': () =>
    post(
      '/apis/networking.k8s.io/v1/namespaces/team/networkpolicies?dryRun=All',
      `{"metadata":{"name":"n"},"spec":{"podSelector":{},"ingress":[{"from":[{"ipBlock":{"cidr":"10.0.0.0/8","except":${texts(130_000, (i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}/32`)}}}]}]}}`,
    ),
  'a deployment with a selector of 100,000 requirements': () =>
    post(
      `${apps}deployments?dryRun=All`,
      `{"metadata":{"name":"d"},"spec":{"selector":{"matchExpressions":[${many(60_000, (i) => `{"key":"k${i}","operator":"Exists"}`)}]},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
    ),
  'a deployment with one requirement of 300,000 values': () =>
    post(
      `${apps}deployments?dryRun=All`,
      `{"metadata":{"name":"d"},"spec":{"selector":{"matchExpressions":[{"key":"k","operator":"In","values":${texts(300_000, (i) => `v${i}`)}}]},"template":{"metadata":{"labels":{"k":"v1"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
    ),
  'a job with 40,000 failure rules': () =>
    post(
      '/apis/batch/v1/namespaces/team/jobs?dryRun=All',
      `{"metadata":{"name":"j"},"spec":{"backoffLimitPerIndex":1,"completions":3,"completionMode":"Indexed","podFailurePolicy":{"rules":[${many(30_000, (i) => `{"action":"Ignore","onExitCodes":{"operator":"In","values":[${i + 1}]}}`)}]},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`,
    ),
  'a job whose failure rule has 400,000 exit codes': () =>
    post(
      '/apis/batch/v1/namespaces/team/jobs?dryRun=All',
      `{"metadata":{"name":"j"},"spec":{"podFailurePolicy":{"rules":[{"action":"Ignore","onExitCodes":{"operator":"In","values":[${many(400_000, (i) => i + 1)}]}}]},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`,
    ),
  'an autoscaler with 40,000 metrics': () =>
    post(
      '/apis/autoscaling/v2/namespaces/team/horizontalpodautoscalers?dryRun=All',
      `{"metadata":{"name":"h"},"spec":{"maxReplicas":3,"scaleTargetRef":{"kind":"Deployment","name":"d"},"metrics":[${many(25_000, () => '{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}')}]}}`,
    ),
  'an event with a note of 2,900,000 characters': () =>
    post(`${base}events?dryRun=All`, `{"metadata":{"name":"e"},"involvedObject":{"namespace":"team"},"message":"${'x'.repeat(2_900_000)}"}`),
  'a volume claim with 60,000 access modes': () =>
    post(
      `${base}persistentvolumeclaims?dryRun=All`,
      `{"metadata":{"name":"p"},"spec":{"accessModes":${texts(150_000, () => 'ReadWriteOnce')},"resources":{"requests":{"storage":"1"}}}}`,
    ),
  'a resource claim with 60,000 requests': () =>
    post(
      '/apis/resource.k8s.io/v1/namespaces/team/resourceclaims?dryRun=All',
      `{"metadata":{"name":"r"},"spec":{"devices":{"requests":[${many(30_000, (i) => `{"name":"r${i}","exactly":{"deviceClassName":"c"}}`)}],"constraints":[${many(10_000, (i) => `{"requests":["r${i}"],"matchAttribute":"a/b"}`)}]}}}`,
    ),
  'a service account with 60,000 secrets': () =>
    post(`${base}serviceaccounts?dryRun=All`, `{"metadata":{"name":"s"},"secrets":[${many(100_000, (i) => `{"name":"s${i}"}`)}]}`),
  'a delete with options of 2,900,000 characters': () => ({
    method: 'DELETE',
    path: `${base}configmaps/nothing`,
    type: json,
    body: `{"dryRun":${texts(350_000, () => 'All')}}`,
  }),
  'a certificate request of 200,000 usages': () =>
    post(
      '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All',
      `{"metadata":{"name":"c"},"spec":{"request":"${'A'.repeat(1_000_000)}","signerName":"a.b/c","usages":${texts(150_000, () => 'any')}}}`,
    ),
};
