// What people do with kubectl, as sections of command lines with what each must print or answer.
// A section has a namespace of its own, and files of its own in the working folder (see makeFiles in kubectl.mjs).
//   ok('command line', /stdout/)           ends with 0 and prints this
//   fails('command line', /stderr/, code)  ends with this code (1 unless told) and complains so
// A function in place of a step gets { run, start, namespace } and throws when it is disappointed.
import { strict as assert } from 'node:assert';

const ok = (line, expected, more = {}) => ({ line, out: expected, code: 0, ...more });
const fails = (line, expected, code = 1, more = {}) => ({ line, err: expected, code, ...more });

const configMap = (name, data, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}data: ${JSON.stringify(data)}\n`;
const pod = (name, more = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: ${name}}}\nspec: {${more} containers: [{name: c, image: nginx}]}\n`;
const node = (name) => `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}, labels: {zone: a}}\nstatus: {capacity: {cpu: '4', memory: 8Gi, pods: '110'}}\n`;
const replicaSet = (name) =>
  `apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: nginx}]}}}\n`;

const about = [
  ok('version', /^Server Version: v1\.36\.4$/m),
  ok('cluster-info', /Kubernetes control plane.* is running at/),
  ok('api-versions', /^apps\/v1$/m),
  ok('api-resources --no-headers', /^configmaps +cm +v1 +true +ConfigMap$/m),
  ok('api-resources --namespaced=false --verbs=list -o name', /^clusterroles\.rbac\.authorization\.k8s\.io$/m),
  ok('get --raw /readyz', /^ok$/),
  ok('explain deployment --recursive', /^ {6}rollingUpdate\t<RollingUpdateDeployment>$/m),
  ok('explain pod.spec.containers.ports.protocol', /^ENUM:\n {4}SCTP\n {4}TCP\n {4}UDP$/m),
  fails('explain pod.spec.nothing', /field "nothing" does not exist/),
  ok('get namespaces', /^kube-system +Active/m),
  fails('get nothings', /the server doesn't have a resource type "nothings"/),
];

const generators = [
  ok('create deployment web --image=nginx:1 --replicas=2 --port=80', /^deployment\.apps\/web created$/m),
  ok('get deployment web -o wide', /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nweb +0\/2 +0 +0 +\S+ +nginx +nginx:1 +app=web$/m),
  fails('create deployment web --image=nginx', /deployments\.apps "web" already exists/),
  ok('create job once --image=busybox -- date', /^job\.batch\/once created$/m),
  ok("create cronjob often --image=busybox --schedule='*/5 * * * *' -- date", /^cronjob\.batch\/often created$/m),
  ok('get cronjob often --no-headers', /^often +\*\/5 \* \* \* \* +<none> +False +0 +<none>/m),
  ok('create job again --from=cronjob/often', /^job\.batch\/again created$/m),
  ok("get job again -o jsonpath='{.metadata.ownerReferences[0].kind}'", /^CronJob$/),
  fails("create cronjob never --image=busybox --schedule='when I like'", /spec\.schedule: Invalid value: "when I like"/),
  ok('create configmap settings --from-literal=a=1 --from-file=request.csr', /^configmap\/settings created$/m),
  ok('get configmap settings --no-headers', /^settings +2 /m),
  ok('create secret generic password --from-literal=p=secret', /^secret\/password created$/m),
  ok("get secret password -o jsonpath='{.type} {.data.p}'", /^Opaque c2VjcmV0$/),
  ok('create secret tls certificate --cert=tls.crt --key=tls.key', /^secret\/certificate created$/m),
  ok('get secret certificate --no-headers', /^certificate +kubernetes\.io\/tls +2 /m),
  ok('create secret docker-registry pull --docker-server=r.example.org --docker-username=u --docker-password=p', /^secret\/pull created$/m),
  ok('get secret pull --no-headers', /^pull +kubernetes\.io\/dockerconfigjson +1 /m),
  ok('create service clusterip inside --tcp=80:8080', /^service\/inside created$/m),
  ok('get service inside --no-headers', /^inside +ClusterIP +\d+\.\d+\.\d+\.\d+ +<none> +80\/TCP /m),
  ok('create service nodeport port --tcp=80', /^service\/port created$/m),
  ok('get service port --no-headers', /^port +NodePort +\S+ +<none> +80:3[0-2]\d{3}\/TCP /m),
  ok('create service loadbalancer balanced --tcp=443', /^service\/balanced created$/m),
  ok('get service balanced --no-headers', /^balanced +LoadBalancer +\S+ +<pending> +443:3[0-2]\d{3}\/TCP /m),
  ok('create service externalname outside --external-name=example.org', /^service\/outside created$/m),
  ok('get service outside --no-headers', /^outside +ExternalName +<none> +example\.org +<none> /m),
  ok('create ingress door --class=nginx --rule=example.org/*=web:80,tls=certificate', /^ingress\.networking\.k8s\.io\/door created$/m),
  ok('get ingress door --no-headers', /^door +nginx +example\.org +80, 443 /m),
  ok('create quota limits --hard=pods=5,configmaps=20', /^resourcequota\/limits created$/m),
  ok("get quota limits -o jsonpath='{.spec.hard.pods}'", /^5$/),
  ok('create poddisruptionbudget calm --selector=app=web --min-available=1', /^poddisruptionbudget\.policy\/calm created$/m),
  ok('get pdb calm --no-headers', /^calm +1 +N\/A +0 /m),
  ok('create serviceaccount robot', /^serviceaccount\/robot created$/m),
  ok('create token robot --duration=1h', /^ey[\w-]+\.ey[\w-]+\.[\w-]+$/m),
  fails('create token nobody', /serviceaccounts "nobody" not found/),
  ok('create role reader --verb=get,list --resource=pods,configmaps', /^role\.rbac\.authorization\.k8s\.io\/reader created$/m),
  ok('create rolebinding readers --role=reader --serviceaccount=default:robot', /^rolebinding\.rbac\.authorization\.k8s\.io\/readers created$/m),
  ok('get rolebinding readers -o wide --no-headers', /^readers +Role\/reader +\S+ +default\/robot$/m),
  ok('create clusterrole walk-reader --verb=get --resource=nodes', /^clusterrole\.rbac\.authorization\.k8s\.io\/walk-reader created$/m),
  ok('create clusterrolebinding walk-readers --clusterrole=walk-reader --group=walkers', /clusterrolebinding\S+\/walk-readers created$/m),
  ok('create priorityclass walk-first --value=1000 --description=first', /^priorityclass\.scheduling\.k8s\.io\/walk-first created$/m),
  ok('get priorityclass walk-first --no-headers', /^walk-first +1000 +false /m),
  ok('create namespace walk-made', /^namespace\/walk-made created$/m),
  ok('delete namespace walk-made', /^namespace "walk-made" deleted$/m),
  fails('get namespace walk-made', /namespaces "walk-made" not found/),
  ok('create configmap unseen --from-literal=a=b --dry-run=server', /^configmap\/unseen created \(server dry run\)$/m),
  fails('get configmap unseen', /configmaps "unseen" not found/),
];

const workloads = [
  ok('run one --image=nginx --port=80 --labels=app=one', /^pod\/one created$/m),
  ok('get pod one --no-headers', /^one +0\/1 +Pending +0 /m),
  ok('expose pod one --port=80 --name=front', /^service\/front exposed$/m),
  ok("get service front -o jsonpath='{.spec.selector.app}'", /^one$/),
  ok('create deployment web --image=nginx:1', /created$/m),
  ok('expose deployment web --port=80 --type=NodePort', /^service\/web exposed$/m),
  ok('scale deployment web --replicas=3', /^deployment\.apps\/web scaled$/m),
  ok("get deployment web -o jsonpath='{.spec.replicas}'", /^3$/),
  fails('scale deployment web --current-replicas=7 --replicas=1', /Expected replicas to be 7, was 3/),
  ok('create -f -', /created$/m, { in: replicaSet('pair') }),
  ok('scale replicaset pair --replicas=2', /^replicaset\.apps\/pair scaled$/m),
  ok('expose service front --port=81 --target-port=80 --name=back', /^service\/back exposed$/m),
  ok('autoscale deployment web --min=1 --max=5 --cpu=80%', /^horizontalpodautoscaler\.autoscaling\/web autoscaled$/m),
  ok('get hpa web --no-headers', /^web +Deployment\/web +cpu: <unknown>\/80% +1 +5 +0 /m),
  ok('set image deployment/web nginx=nginx:2', /^deployment\.apps\/web image updated$/m),
  ok('set env deployment/web COLOR=blue', /^deployment\.apps\/web env updated$/m),
  ok('set env deployment/web --list', /^COLOR=blue$/m),
  ok('set resources deployment/web --limits=cpu=200m,memory=64Mi', /^deployment\.apps\/web resource requirements updated$/m),
  ok('set serviceaccount deployment/web default', /serviceaccount updated$/m),
  ok('set selector service/web app=other', /^service\/web selector updated$/m),
  ok(
    "get deployment web -o jsonpath='{.metadata.generation} {.spec.template.spec.containers[0].image} {.spec.template.spec.containers[0].resources.limits.cpu}'",
    /^6 nginx:2 200m$/,
  ),
  ok('rollout pause deployment/web', /paused$/m),
  ok('rollout resume deployment/web', /resumed$/m),
  ok('rollout restart deployment/web', /restarted$/m),
  ok("get deployment web -o jsonpath='{.metadata.generation}'", /^9$/),
  ok(
    'patch deployment web --subresource=status --type=merge -p \'{"status":{"observedGeneration":9,"replicas":3,"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3}}\'',
    /patched$/m,
  ),
  ok('rollout status deployment/web --timeout=10s', /successfully rolled out$/m),
  ok('describe deployment web', /^Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable$/m),
];

const nodes = [
  ok('create -f -', /^node\/walk-node created$/m, { in: node('walk-node') }),
  ok('get node walk-node --no-headers', /^walk-node +Unknown +<none> /m),
  ok('taint node walk-node key=value:NoSchedule', /^node\/walk-node tainted$/m),
  ok('get node walk-node -o jsonpath=\'{.spec.taints[?(@.key=="key")].effect}\'', /^NoSchedule$/),
  ok('taint node walk-node key:NoSchedule-', /^node\/walk-node untainted$/m),
  ok('cordon walk-node', /^node\/walk-node cordoned$/m),
  ok('get node walk-node --no-headers', /^walk-node +Unknown,SchedulingDisabled /m),
  ok('uncordon walk-node', /^node\/walk-node uncordoned$/m),
  ok('create -f -', /^pod\/placed created$/m, { in: pod('placed', 'nodeName: walk-node, terminationGracePeriodSeconds: 0,') }),
  ok('drain walk-node --force --timeout=20s', /^node\/walk-node drained$/m),
  fails('get pod placed', /pods "placed" not found/),
  ok('describe node walk-node', /^Unschedulable: +true$/m),
  ok('delete node walk-node', /^node "walk-node" deleted$/m),
];

const access = [
  ok('auth whoami', /^Groups +\[system:masters system:authenticated\]$/m),
  ok(
    "auth whoami --as=alice --as-group=team-a -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}'",
    /^alice \["team-a","system:authenticated"\]$/,
  ),
  ok('auth can-i create pods', /^yes$/m),
  { line: 'auth can-i list secrets --as=alice', out: /^no$/m, code: 1 },
  ok('auth reconcile -f -', /^role\.rbac\.authorization\.k8s\.io\/helper reconciled$/m, {
    in: [
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: helper, namespace: $NS}\nrules: [{apiGroups: [""], resources: [secrets], verbs: [list]}]',
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: helpers, namespace: $NS}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: helper}\nsubjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]\n',
    ].join('\n---\n'),
  }),
  ok('auth can-i list secrets --as=alice', /^yes$/m),
  ok('auth can-i --list --as=alice', /^secrets +\[\] +\[\] +\[list\]$/m),
  ok('get secrets --as=alice', /^$/),
  fails('get configmaps --as=alice', /User "alice" cannot list resource "configmaps" in API group ""/),
  fails('create rolebinding more --clusterrole=cluster-admin --user=alice --as=alice', /User "alice" cannot create resource "rolebindings"/),
  fails('create role more --verb=* --resource=pods --as=bob --as-group=nobodies', /is forbidden: User "bob" cannot create resource "roles"/),
  { line: 'create -f -', in: { csr: 'walk-approved' }, out: /^certificatesigningrequest\S+\/walk-approved created$/m, code: 0 },
  ok('get csr walk-approved --no-headers', /^walk-approved +\S+ +kubernetes\.io\/kube-apiserver-client +admin +<none> +Pending$/m),
  ok('certificate approve walk-approved', /^certificatesigningrequest\S+\/walk-approved approved$/m),
  ok('get csr walk-approved --no-headers', /Approved(,Issued)?$/m),
  { line: 'create -f -', in: { csr: 'walk-denied' }, out: /created$/m, code: 0 },
  ok('certificate deny walk-denied', /^certificatesigningrequest\S+\/walk-denied denied$/m),
  ok('get csr walk-denied --no-headers', /Denied$/m),
  ok('create serviceaccount robot', /created$/m),
  ok('create rolebinding robots --clusterrole=view --serviceaccount=$NS:robot', /created$/m),
  ok('set subject rolebinding/robots --user=carol', /^rolebinding\S+\/robots subjects updated$/m),
  ok('get pods --as=carol', /^$/),
  ok('create clusterrole walk-urls --verb=get --non-resource-url=/walk', /created$/m),
  ok('create clusterrole walk-sum --aggregation-rule=walk=sum', /created$/m),
  ok("get clusterrole walk-sum -o jsonpath='{.aggregationRule.clusterRoleSelectors[0].matchLabels.walk}'", /^sum$/),
  ok('delete clusterrole walk-urls walk-sum', /deleted/),
  async function tokensWork({ run, namespace }) {
    const token = (await run(['create', 'token', 'robot'])).out.trim();
    const asRobot = (words) => run(words, { user: { token } });
    const said = await asRobot(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}']);
    assert.equal(said.out, `system:serviceaccount:${namespace}:robot`);
    assert.equal((await asRobot(['get', 'pods'])).code, 0);
    assert.match((await asRobot(['get', 'secrets'])).err, /cannot list resource "secrets"/);
    assert.match((await run(['get', 'pods'], { user: { token: 'no-such-token' } })).err, /You must be logged in to the server/);
  },
  async function certificatesWork({ run, namespace }) {
    const get = (what) => run(['get', 'csr', 'walk-approved', '-o', `jsonpath={.${what}}`]);
    const waited = await run(['wait', 'csr/walk-approved', '--for=jsonpath={.status.certificate}', '--timeout=20s']);
    assert.equal(waited.code, 0, waited.err);
    assert.match((await run(['get', 'csr', 'walk-approved', '--no-headers'])).out, /Approved,Issued$/m);
    const user = { cert: Buffer.from((await get('status.certificate')).out, 'base64').toString() };
    const said = await run(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'], { user });
    assert.equal(said.out, 'walker ["team-a","system:authenticated"]');
    assert.match((await run(['get', 'pods'], { user })).err, /User "walker" cannot list resource "pods"/);
    await run(['create', 'rolebinding', 'walkers', '--clusterrole=view', '--group=team-a']);
    assert.equal((await run(['get', 'pods', '-n', namespace], { user })).code, 0);
    assert.match((await run(['auth', 'can-i', '--list'], { user })).out, /^pods +\[\] +\[\] +\[get list watch\]$/m);
  },
];

const apply = [
  ok('apply -f -', /^configmap\/a created$/m, { in: configMap('a', { x: '1', y: '1' }) }),
  ok('apply -f -', /^configmap\/a unchanged$/m, { in: configMap('a', { x: '1', y: '1' }) }),
  { line: 'diff -f -', in: configMap('a', { x: '2' }), code: 1, out: /^- {2}"y": "1"$/m },
  ok('apply -f -', /^configmap\/a configured$/m, { in: configMap('a', { x: '2' }) }),
  ok("get configmap a -o jsonpath='{.data}'", /^\{"x":"2"\}$/),
  ok('diff -f -', /^$/, { in: configMap('a', { x: '2' }) }),
  ok('apply view-last-applied configmap/a', /^ {2}x: "2"$/m),
  fails('apply --server-side --field-manager=other -f -', /conflict with "kubectl-client-side-apply" using v1: \.data\.x/, 1, {
    in: configMap('a', { x: '3' }),
  }),
  ok('apply --server-side --field-manager=other --force-conflicts -f -', /^configmap\/a serverside-applied$/m, { in: configMap('a', { x: '3' }) }),
  ok('get configmap a --show-managed-fields -o jsonpath=\'{.metadata.managedFields[?(@.manager=="other")].operation}\'', /^Apply$/),
  ok('apply --server-side -f -', /^configmap\/b serverside-applied$/m, { in: configMap('b', { x: '1', y: '1' }) }),
  ok('apply --server-side -f -', /serverside-applied$/m, { in: configMap('b', { y: '1' }) }),
  ok("get configmap b -o jsonpath='{.data}'", /^\{"y":"1"\}$/),
  fails('apply --server-side --field-manager=other -f -', /Apply failed with 1 conflict/, 1, { in: configMap('b', { y: '2' }) }),
  fails('apply -f -', /unknown field "nothing"/, 1, { in: configMap('c', {}, 'nothing: 1\n') }),
  ok('apply --prune -l walk=pruned -f -', /^configmap\/p created$/m, { in: configMap('p', { a: 'b' }, '  labels: {walk: pruned}\n') }),
  ok('apply --prune -l walk=pruned -f -', /^configmap\/p pruned$/m, { in: configMap('q', { a: 'b' }, '  labels: {walk: pruned}\n') }),
  ok('replace -f -', /^configmap\/b replaced$/m, { in: configMap('b', { z: '1' }) }),
  ok('replace --force -f -', /^configmap\/b replaced$/m, { in: configMap('b', { z: '2' }) }),
  fails('replace -f -', /configmaps "none" not found/, 1, { in: configMap('none', {}) }),
  fails('replace -f -', /the object has been modified; please apply your changes to the latest version/, 1, {
    in: configMap('b', {}, '  resourceVersion: "1"\n'),
  }),
  ok('patch configmap b --type=merge -p \'{"data":{"z":null,"m":"1"}}\'', /^configmap\/b patched$/m),
  ok('patch configmap b --type=json -p \'[{"op":"add","path":"/data/j","value":"1"}]\'', /^configmap\/b patched$/m),
  ok('patch configmap b -p \'{"data":{"s":"1"}}\'', /^configmap\/b patched$/m),
  ok('patch configmap b -p \'{"data":{"s":"1"}}\'', /^configmap\/b patched \(no change\)$/m),
  ok("get configmap b -o jsonpath='{.data}'", /^\{"j":"1","m":"1","s":"1"\}$/),
  fails('patch configmap b --type=json -p \'[{"op":"remove","path":"/data/none"}]\'', /the server rejected our request due to an error in our request/),
  ok('edit configmap b', /^configmap\/b edited$/m, { env: { EDITOR: 'sed -i s/j:.*/j:\\ edited/' } }),
  ok("get configmap b -o jsonpath='{.data.j}'", /^edited$/),
  ok('edit configmap b', /Edit cancelled, no changes made/, { env: { EDITOR: 'true' }, both: true }),
  ok('label configmap b tier=front', /^configmap\/b labeled$/m),
  fails('label configmap b tier=back', /'tier' already has a value \(front\), and --overwrite is false/),
  ok('label configmap b tier=back --overwrite', /^configmap\/b labeled$/m),
  ok('label configmap b tier-', /^configmap\/b unlabeled$/m),
  ok('annotate configmap b note=hello', /^configmap\/b annotated$/m),
  ok("get configmap b -o jsonpath='{.metadata.annotations.note}{.metadata.labels}'", /^hello$/),
];

const reading = [
  ok('create -f -', /^configmap\/n5 created$/m, {
    in: [1, 2, 3, 4, 5].map((n) => configMap(`n${n}`, { n: `${n}` }, '  labels: {walk: many}\n')).join('---\n'),
  }),
  ok('get configmaps -l walk=many --chunk-size=2 -o name', /^configmap\/n1\nconfigmap\/n2\nconfigmap\/n3\nconfigmap\/n4\nconfigmap\/n5\n$/),
  { line: 'get configmaps -l walk=many --chunk-size=2 -v=6', err: /continue=\S+limit=2|limit=2\S+continue=/, code: 0 },
  ok("get configmaps -l 'walk in (many),walk!=few' --no-headers", /^n1 +1 +\S+\nn2 /),
  ok('get configmaps --field-selector=metadata.name=n3 -o name', /^configmap\/n3\n$/),
  fails('get configmaps --field-selector=data=n3', /"data" is not a known field selector: only "metadata.name", "metadata.namespace"/),
  ok('get configmap n1 -o json', /^ {4}"kind": "ConfigMap",$/m),
  ok('get configmap n1 -o yaml', /^kind: ConfigMap$/m),
  ok('get configmaps -l walk=many -o wide --show-labels', /^NAME +DATA +AGE +LABELS\nn1 +1 +\S+ +walk=many$/m),
  ok("get configmaps -l walk=many -o jsonpath='{range .items[*]}{.data.n},{end}'", /^1,2,3,4,5,$/),
  ok('get configmaps -l walk=many --no-headers -o custom-columns=N:.metadata.name,V:.data.n', /^n1 +1\nn2 +2\n/),
  ok("get configmaps -l walk=many --sort-by='{.data.n}' -o go-template='{{range .items}}{{.data.n}}{{end}}'", /^12345$/),
  ok('get configmaps -A -L walk', /^NAMESPACE +NAME +DATA +AGE +WALK$/m),
  ok('get configmaps,secrets -l walk=many', /^configmap\/n1 +1 /m),
  ok('get configmap none --ignore-not-found', /^$/),
  ok('get all', /^$/),
  async function watchesFollow({ run, start }) {
    const watch = start(['get', 'configmaps', '-l', 'walk=watched', '-w', '--output-watch-events', '--no-headers']);
    try {
      // The watch may begin before or after the object is made: it must tell of it either way.
      assert.equal((await run(['create', '-f', '-'], { input: configMap('w', { a: '1' }, '  labels: {walk: watched}\n') })).code, 0);
      await watch.prints(/^ADDED +w +1 /m);
      await run(['patch', 'configmap', 'w', '--type=merge', '-p', '{"data":{"b":"2"}}']);
      await watch.prints(/^MODIFIED +w +2 /m);
      await run(['delete', 'configmap', 'w']);
      await watch.prints(/^DELETED +w +2 /m);
    } finally {
      watch.stop();
    }
  },
  ok('create -f -', /^pod\/p created$/m, { in: pod('p') }),
  fails('wait pod/p --for=condition=Ready --timeout=1s', /timed out waiting for the condition on pods\/p/),
  async function waitsEnd({ run, start }) {
    const wait = start(['wait', 'pod/p', '--for=condition=Ready', '--timeout=30s']);
    const ready = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
    assert.equal((await run(['patch', 'pod', 'p', '--subresource=status', '--type=merge', '-p', JSON.stringify(ready)])).code, 0);
    await wait.prints(/^pod\/p condition met$/m);
    wait.stop();
  },
  ok("wait pod/p --for=jsonpath='{.status.phase}'=Running --timeout=10s", /^pod\/p condition met$/m),
  ok('describe pod p', /^Status: +Running$/m),
  ok('delete pod p --wait=false', /deleted from \S+ namespace$/m),
  ok('wait pod/p --for=delete --timeout=10s', /^pod\/p condition met$|^$/m),
  ok('create -f -', /^event\/happened created$/m, {
    in: 'apiVersion: v1\nkind: Event\nmetadata: {name: happened}\ninvolvedObject: {apiVersion: v1, kind: Pod, name: p, namespace: $NS}\nreason: Tested\nmessage: it was\ntype: Normal\ncount: 1\n',
  }),
  ok('get events --no-headers', /Normal +Tested +pod\/p +it was$/m),
  ok('events --for=pod/p --no-headers', /Normal +Tested +Pod\/p +it was$/m),
];

const deleting = [
  ok('create configmap a --from-literal=k=v', /created$/m),
  ok('delete configmap a --dry-run=server', /^configmap "a" deleted from \S+ namespace \(server dry run\)$/m),
  ok('delete configmap a --wait', /^configmap "a" deleted from \S+ namespace$/m),
  fails('delete configmap a', /configmaps "a" not found/),
  ok('delete configmap a --ignore-not-found', /^$/),
  ok('create -f -', /created$/m, { in: replicaSet('orphaning') }),
  // The garbage collector takes the finalizers away: kubectl waits for it.
  ok('delete replicaset orphaning --cascade=orphan --timeout=20s', /deleted/),
  fails('get replicaset orphaning', /not found/),
  ok('create -f -', /created$/m, { in: replicaSet('foreground') }),
  ok('delete replicaset foreground --cascade=foreground --timeout=20s', /deleted/),
  fails('get replicaset foreground', /not found/),
  ok('create -f -', /created$/m, { in: replicaSet('background') }),
  ok('delete replicaset background --cascade=background', /deleted/),
  fails('get replicaset background', /not found/),
  ok('create -f -', /created$/m, { in: [1, 2, 3].map((n) => configMap(`l${n}`, {}, '  labels: {walk: gone}\n')).join('---\n') }),
  ok('delete configmaps -l walk=gone', /"l1" deleted[^]*"l2" deleted[^]*"l3" deleted/),
  ok('create -f -', /created$/m, { in: pod('slow') }),
  ok('delete pod slow --now', /deleted/, { both: true }),
  ok('create -f -', /created$/m, { in: pod('forced') }),
  ok('delete pod forced --force --grace-period=0', /force deleted/, { both: true }),
  ok('create configmap kept --from-literal=k=v', /created$/m),
  ok('delete configmaps --all', /"kept" deleted/),
];

export const sections = { about, generators, workloads, nodes, access, apply, reading, deleting };
