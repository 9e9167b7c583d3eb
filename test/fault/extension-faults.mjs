#!/usr/bin/env node
// An extension server, and a webhook beside it, that are killed, come back, hang and go on, alone and both at once, while 16 clients read through the
// aggregator and 8 write under the webhook.
// - No request takes longer than its time: --request-timeout for what is passed on, the webhook's timeout for a write.
// - What is passed on to a server that is gone is 503; what hangs is 503 or 504; writes are answered as failurePolicy says.
// - Whatever concerns neither (a list, discovery) is answered all the time, and at once.
// - A second after their return both answer again, and the server's memory stays level.
//   node test/fault/extension-faults.mjs [--rounds 10] [--bundle]
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { OtherServer } from './other-server.mjs';
import { configMaps, recoveryMs, rounds, RoundsOfFaults, slowMachineMs } from './rounds-of-faults.mjs';

const readers = 16;
const writers = 8;
const requestTimeoutMs = 3000;
const hookTimeoutMs = 1000;
/** Beyond their time, for a machine that does something else too. */
const patienceMs = 1500;
const group = 'faults.example.com';
const things = `/apis/${group}/v1/things`;
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] }];

const faults = await RoundsOfFaults.start({
  flags: ['--enable-aggregator-routing=false', `--request-timeout=${requestTimeoutMs / 1000}s`],
  connections: readers + writers + 2,
});
const extension = new OtherServer(faults.server);
const hook = new OtherServer(faults.server);
await Promise.all([extension.start(), hook.start()]);
try {
  await prepare();
  for (let round = 0; round < rounds; round++) {
    await walk(round % 2 === 0 ? 'Fail' : 'Ignore');
    await faults.endRound();
  }
  faults.judgeMemory();
  console.log(`ok   ${rounds} times an extension server, and both it and a webhook, killed, back, hanging and back`);
} finally {
  await Promise.all([extension.kill(), hook.kill()]);
  await faults.stop();
}

async function prepare() {
  await faults.fillHistory();
  const service = { metadata: { name: 'faults' }, spec: { type: 'ExternalName', externalName: 'localhost' } };
  await faults.expect(201, 'POST', '/api/v1/namespaces/default/services', service);
  const reference = { namespace: 'default', name: 'faults', port: extension.port };
  const spec = { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15, service: reference, insecureSkipTLSVerify: true };
  await faults.expect(201, 'POST', '/apis/apiregistration.k8s.io/v1/apiservices', { metadata: { name: `v1.${group}` }, spec });
  for (let writer = 0; writer < writers; writer++) await faults.expect(201, 'POST', configMaps, { metadata: { name: `updated-${writer}` } });
  const until = performance.now() + slowMachineMs;
  while ((await faults.timed('GET', things)).code !== 200) assert.ok(performance.now() < until, 'the extension server was never available');
}

async function walk(failurePolicy) {
  const answers = { read: [], written: [], other: [] };
  let done = false;
  const loop = async (list, once) => {
    for (let i = 0; !done; i++) list.push(await once(i));
  };
  await faults.addWebhook(hook.port, { rules, failurePolicy, timeoutSeconds: hookTimeoutMs / 1000 });
  const load = [
    ...Array.from({ length: readers }, () => loop(answers.read, () => faults.timed('GET', things))),
    ...Array.from({ length: writers }, (_, writer) => loop(answers.written, (i) => write(writer, i))),
    loop(answers.other, (i) => faults.timed('GET', i % 2 === 0 ? '/apis' : '/api/v1/namespaces')),
  ];
  const phases = [];
  const phase = async (state, ms) => {
    const isUp = state.extension === 'up' && state.hook === 'up';
    const began = performance.now() + (isUp ? recoveryMs : 0);
    await Promise.race([sleep(ms + (isUp ? recoveryMs : 0)), Promise.all(load)]);
    const enough = () => answers.read.some(({ sent }) => sent > began) && answers.written.some(({ sent }) => sent > began);
    while (!enough() && performance.now() < began + slowMachineMs) await sleep(20);
    phases.push({ ...state, began, ended: performance.now() });
  };
  const up = { extension: 'up', hook: 'up' };
  await phase(up, 300);
  for (const both of [false, true]) {
    await Promise.all([extension.kill(), both && hook.kill()]);
    await phase({ extension: 'gone', hook: both ? 'gone' : 'up' }, 700);
    await Promise.all([extension.start(), both && hook.start()]);
    await phase(up, 300);
    extension.hang();
    if (both) hook.hang();
    await phase({ extension: 'hanging', hook: both ? 'hanging' : 'up' }, requestTimeoutMs + patienceMs);
    extension.goOn();
    if (both) hook.goOn();
    await phase(up, 300);
  }
  done = true;
  await Promise.all(load);
  await faults.removeWebhook();
  judge(failurePolicy, answers, phases);
}

function judge(failurePolicy, { read, written, other }, phases) {
  const slowest = (answers) => Math.max(...answers.map(({ sent, ended }) => ended - sent));
  assert.ok(slowest(read) < requestTimeoutMs + patienceMs, `a request that is passed on took ${slowest(read).toFixed(0)} ms`);
  assert.ok(slowest(written) < hookTimeoutMs + patienceMs, `a write took ${slowest(written).toFixed(0)} ms`);
  assert.ok(slowest(other) < patienceMs, `what concerns neither took ${slowest(other).toFixed(0)} ms`);
  for (const { code, path } of other) assert.equal(code, 200, path);
  const wanted = { up: [200], gone: [503], hanging: [503, 504] };
  for (const [index, { began, ended, ...state }] of phases.entries()) {
    const within = (answers) => answers.filter((answer) => answer.sent > began && answer.ended < ended);
    const what = `${failurePolicy}, phase ${index} ${JSON.stringify(state)}`;
    assert.ok(within(read).length > 0 && within(written).length > 0, `${what}: nothing was answered`);
    for (const { code, body } of within(read)) assert.ok(wanted[state.extension].includes(code), `${what}: ${code} ${body}`);
    const refused = state.hook !== 'up' && failurePolicy === 'Fail';
    for (const { code, body } of within(written)) assert.equal(code, refused ? 500 : 200, `${what}: ${body}`);
  }
}

function write(writer, i) {
  const name = `updated-${writer}`;
  return faults.timed('PUT', `${configMaps}/${name}`, { metadata: { name }, data: { v: `yes ${i}` } });
}
