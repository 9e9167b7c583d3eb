// What webhooks and policies cost a create of a ConfigMap. What is compared takes turns in one run; CPU of the server processes (of the whole stack, etcd
// included, for the reference) per create; the loudest quarter of all rounds does not count.
//   npx tsx test/bench/rules.ts [rounds, default 12] [creates per turn, default 300] [kubeconfig of a reference server that runs]
// - a webhook that nothing matches, and 50 of them, beside none: on one server, since two processes of the same build differ by more than what is looked for
// - one validating webhook on loopback, and 20 policies with 3 rules each, beside the reference with the same (left out where there is none)
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../support/server-under-test.mjs';
import { concurrently } from './reading.ts';
import { cpuOfThreadsMs } from './server-processes.ts';
import { Target } from './target.ts';

const [rounds = '12', perTurn = '300', reference] = process.argv.slice(2);
const writers = 16;
/** V8 has compiled what a create runs through after about 5,000 of them. */
const warmUp = 6000;
const group = '/apis/admissionregistration.k8s.io/v1';
const apiVersion = 'admissionregistration.k8s.io/v1';
const rule = (resource: string) => ({ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] });
/** After a change of configurations V8 optimizes some functions anew, which is no part of what they cost a request. */
const settle = 2000;
/** A reference that runs may have objects of an earlier run. */
const run = Date.now().toString(36);
let serial = 0;

interface Subject {
  readonly target: Target;
  readonly micros: number[];
  /** Before each of its turns. */
  readonly prepare: () => Promise<void>;
}

async function compare(subjects: readonly Subject[]): Promise<void> {
  for (const target of new Set(subjects.map((subject) => subject.target))) await cpuPerCreate(target, warmUp);
  for (let round = 0; round < Number(rounds); round++) {
    // Each comes after each other one as often as before it.
    const shifted = subjects.map((_, index) => subjects[(index + (round >> 1)) % subjects.length] as Subject);
    for (const { target, micros, prepare } of round % 2 === 0 ? shifted : shifted.toReversed()) {
      await prepare();
      micros.push(await cpuPerCreate(target, Number(perTurn)));
    }
  }
}

async function cpuPerCreate(target: Target, creates: number): Promise<number> {
  const before = cpuOfThreadsMs(target.pids);
  await concurrently(writers, creates, async () => {
    await target.expect(201, {
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { metadata: { name: `o-${run}-${serial++}` }, data: { a: '1' } },
    });
  });
  return ((cpuOfThreadsMs(target.pids) - before) * 1000) / creates;
}

function quietMean(micros: readonly number[]): number {
  const quiet = micros.toSorted((a, b) => a - b).slice(0, micros.length - (micros.length >> 2));
  return quiet.reduce((sum, value) => sum + value, 0) / quiet.length;
}

function report(what: string, one: Subject, other: Subject, bar: number): void {
  const [a, b] = [quietMean(one.micros), quietMean(other.micros)];
  const ratio = a / b;
  console.log(`${what}: ${a.toFixed(0)} against ${b.toFixed(0)} µs = ${ratio.toFixed(3)} (bar ${bar.toFixed(3)}) ${ratio <= bar ? 'ok' : 'MISSED'}`);
}

async function addWebhooks(target: Target, count: number, resource: string, url: string, caBundle?: string): Promise<void> {
  const clientConfig = { url, ...(caBundle && { caBundle }) };
  const webhook = { clientConfig, rules: [rule(resource)], sideEffects: 'None', admissionReviewVersions: ['v1'] };
  for (let index = 0; index < count; index++) {
    const body = {
      apiVersion,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `w${index}` },
      webhooks: [{ ...webhook, name: `w${index}.bench.test` }],
    };
    await target.expect(201, { method: 'POST', path: `${group}/validatingwebhookconfigurations`, body });
  }
}

async function addPolicies(target: Target): Promise<void> {
  const expressions = ["object.metadata.name != 'x'", 'size(object.data) < 10', "object.data.all(k, k != 'secret')"];
  for (let index = 0; index < 20; index++) {
    const name = `p${index}`;
    const spec = { matchConstraints: { resourceRules: [rule('configmaps')] }, validations: expressions.map((expression) => ({ expression })) };
    await target.expect(201, {
      method: 'POST',
      path: `${group}/validatingadmissionpolicies`,
      body: { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec },
    });
    const binding = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } };
    await target.expect(201, { method: 'POST', path: `${group}/validatingadmissionpolicybindings`, body: binding });
  }
}

const nothing = async () => {};
const subject = (target: Target, prepare: () => Promise<void> = nothing): Subject => ({ target, micros: [], prepare });

{
  await using target = await Target.startBinnacle();
  const unmatched = (count: number) =>
    subject(target, async () => {
      await clear(target);
      await addWebhooks(target, count, 'secrets', 'https://127.0.0.1:1/');
      await cpuPerCreate(target, settle);
    });
  const [none, one, many] = [unmatched(0), unmatched(1), unmatched(50)];
  await compare([none, one, many]);
  report('a webhook that nothing matches', one, none, 1.02);
  report('50 webhooks of which none matches', many, none, 1.1);
}

const oracle = resolve(process.env['ORACLE'] ?? '../shared/oracle');
if (reference !== undefined && existsSync(oracle)) await besideReference(reference);
else console.log('SKIPPED: what costs are beside the reference, for which no kubeconfig was given');

async function besideReference(kubeconfig: string): Promise<void> {
  const port = await freePort();
  const hook = spawn(process.execPath, [join(oracle, 'webhook-server.mjs'), String(port)], { stdio: 'ignore' });
  try {
    await pair(kubeconfig, 'one validating webhook on loopback', 1 / 3, async (target) =>
      addWebhooks(target, 1, 'configmaps', `https://127.0.0.1:${port}/admit/-/allow`, await bundle(port)),
    );
    await pair(kubeconfig, '20 policies with 3 rules each', 1 / 5, addPolicies);
  } finally {
    hook.kill();
  }
}

async function pair(kubeconfig: string, what: string, bar: number, prepare: (target: Target) => Promise<void>): Promise<void> {
  await using ours = await Target.startBinnacle();
  await using theirs = Target.running(kubeconfig);
  await clear(theirs);
  for (const target of [ours, theirs]) await prepare(target);
  const [a, b] = [subject(ours), subject(theirs)];
  await compare([a, b]);
  report(what, a, b, bar);
  await clear(theirs);
}

async function clear(target: Target): Promise<void> {
  for (const resource of ['validatingwebhookconfigurations', 'validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
    await target.expect(200, { method: 'DELETE', path: `${group}/${resource}` });
}

async function bundle(port: number): Promise<string> {
  const { request } = await import('node:https');
  for (;;) {
    const text = await new Promise<string | undefined>((done) => {
      const asked = request({ host: '127.0.0.1', port, path: '/ca', rejectUnauthorized: false }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        answer.on('end', () => done(body.trim()));
      });
      asked.on('error', () => done(undefined));
      asked.end();
    });
    if (text !== undefined) return text;
    await new Promise((wait) => setTimeout(wait, 50));
  }
}
