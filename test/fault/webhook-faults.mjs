#!/usr/bin/env node
// Webhooks and policies that come, hang and go while 16 writers write.
// - One that is created counts for every write that is sent after the answer to its creation; one that is deleted, for none after the answer to its deletion.
//   No write is lost or doubled, and the webhook is asked once about each.
// - A webhook whose server is killed, comes back, hangs and goes on: no write takes longer than its timeout, each is answered as failurePolicy says, a second
//   later the webhook is asked again, and the server's memory stays level.
//   node test/fault/webhook-faults.mjs [--rounds 10] [--bundle]
import assert from 'node:assert/strict';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './hostile-client.mjs';
import { OtherServer } from './other-server.mjs';
import { configMaps, recoveryMs, rounds, RoundsOfFaults, slowMachineMs } from './rounds-of-faults.mjs';

const writers = 16;
/** Writes of all writers before and after a configuration comes or goes. */
const enough = 400;
const timeoutSeconds = 1;
/** Beyond the webhook's timeout, for a machine that does something else too. */
const patienceMs = 1000;
const group = '/apis/admissionregistration.k8s.io/v1';
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }];

const faults = await RoundsOfFaults.start({ connections: writers });
const hookAgent = new https.Agent({ keepAlive: true });
const hook = new OtherServer(faults.server);
await hook.start();
try {
  for (let round = 0; round < rounds; round++) {
    await comesAndGoes(`webhook-${round}`, { add: () => addWebhook('Fail'), remove: () => faults.removeWebhook(), isAsked: true });
    await comesAndGoes(`policy-${round}`, { add: addPolicy, remove: removePolicy, isAsked: false });
  }
  console.log(`ok   ${rounds} webhooks and ${rounds} policies that come and go under ${writers} writers`);
  await failures();
} finally {
  await hook.kill();
  hookAgent.destroy();
  await faults.stop();
}

/** All writes would be refused; the order of sending and of answers says which must be, and which must not. */
async function comesAndGoes(name, { add, remove, isAsked }) {
  const writes = [];
  let done = false;
  const load = Array.from({ length: writers }, async (_, writer) => {
    for (let i = 0; !done; i++) writes.push(await create(`${name}-w${writer}-${i}`));
  });
  const more = async () => {
    const before = writes.length;
    while (writes.length < before + enough) await Promise.race([sleep(5), Promise.all(load)]);
  };
  await more();
  const adding = performance.now();
  await add();
  const active = performance.now();
  await more();
  const removing = performance.now();
  await remove();
  const gone = performance.now();
  await more();
  done = true;
  await Promise.all(load);

  for (const { name: object, code, sent, ended, body } of writes) {
    const what = `${object}: ${code} ${body}, sent ${(sent - active).toFixed(0)} ms after ${name} was there`;
    if (ended < adding || sent > gone) assert.equal(code, 201, what);
    else if (sent > active && ended < removing) assert.ok(code !== 201 && body.includes('denied'), what);
  }
  const made = writes.filter(({ code }) => code === 201).map((write) => write.name);
  assert.deepEqual(await stored(name), made.toSorted(), `${name}: what is stored is what was acknowledged`);
  if (isAsked) await checkAsked(writes, { active, removing });
  await deleteAll();
}

async function checkAsked(writes, { active, removing }) {
  const asked = await askedByHook();
  assert.equal(new Set(asked).size, asked.length, 'the webhook was asked twice about the same write');
  const known = new Set(asked);
  for (const { name, code, sent, ended } of writes) {
    if (sent > active && ended < removing) assert.ok(known.has(`no ${name}`), `the webhook was not asked about ${name}`);
    else if (code === 201) assert.ok(!known.has(`no ${name}`), `${name} was let through although the webhook refused it`);
  }
}

async function failures() {
  await faults.fillHistory();
  for (let writer = 0; writer < writers; writer++) {
    await faults.expect(201, 'POST', configMaps, { metadata: { name: `updated-${writer}` } });
  }
  for (let round = 0; round < rounds; round++) {
    for (const failurePolicy of ['Fail', 'Ignore']) await failing(failurePolicy);
    await faults.endRound();
  }
  faults.judgeMemory();
  console.log(`ok   ${rounds} times killed, back, hanging and back, with Fail and with Ignore`);
}

async function failing(failurePolicy) {
  const writes = [];
  const phases = [];
  let done = false;
  const load = Array.from({ length: writers }, async (_, writer) => {
    for (let i = 0; !done; i++) writes.push(await update(`updated-${writer}`, `yes ${failurePolicy} ${writer} ${i}`));
  });
  const phase = async (isUp, ms) => {
    const began = performance.now() + (isUp ? recoveryMs : 0);
    await Promise.race([sleep(ms), Promise.all(load)]);
    // A machine that does something else too takes longer for as many writes.
    while (writes.filter(({ sent }) => sent > began).length < writers && performance.now() < began + slowMachineMs) await sleep(20);
    phases.push({ isUp, began, ended: performance.now(), asked: isUp ? new Set(await askedByHook()) : undefined });
  };
  await addWebhook(failurePolicy);
  await phase(true, recoveryMs + 200);
  await hook.kill();
  await phase(false, 500);
  await hook.start();
  await phase(true, recoveryMs + 200);
  hook.hang();
  await phase(false, timeoutSeconds * 1000 * 2 + patienceMs);
  hook.goOn();
  await phase(true, recoveryMs + 200);
  done = true;
  await Promise.all(load);
  await faults.removeWebhook();
  judge(failurePolicy, writes, phases);
}

function judge(failurePolicy, writes, phases) {
  const slowest = Math.max(...writes.map(({ sent, ended }) => ended - sent));
  assert.ok(slowest < timeoutSeconds * 1000 + patienceMs, `${failurePolicy}: a write took ${slowest.toFixed(0)} ms`);
  for (const [index, { isUp, began, ended, asked }] of phases.entries()) {
    const judged = writes.filter((write) => write.sent > began && write.ended < ended);
    assert.ok(judged.length >= writers, `${failurePolicy}: only ${judged.length} writes in phase ${index}`);
    for (const { code, body, value } of judged) {
      const what = `${failurePolicy}, phase ${index}: ${code} ${body}`;
      if (isUp || failurePolicy === 'Ignore') assert.equal(code, 200, what);
      else assert.ok(code === 500 && body.includes('failed calling webhook'), what);
      if (isUp) assert.ok(asked.has(value), `${failurePolicy}, phase ${index}: the webhook was not asked about ${value}`);
    }
  }
}

function create(name) {
  return write('POST', configMaps, name, `no ${name}`);
}

async function update(name, value) {
  return { ...(await write('PUT', `${configMaps}/${name}`, name, value)), value };
}

async function write(method, path, name, value) {
  const answer = await faults.timed(method, path, { metadata: { name }, data: { v: value } });
  return { ...answer, name, body: answer.body && JSON.parse(answer.body).message };
}

function addWebhook(failurePolicy) {
  return faults.addWebhook(hook.port, { rules, failurePolicy, timeoutSeconds });
}

/** It counts when its binding is there. */
async function addPolicy() {
  const spec = { matchConstraints: { resourceRules: rules }, validations: [{ expression: "!object.data.v.startsWith('no')", message: 'denied' }] };
  await faults.expect(201, 'POST', `${group}/validatingadmissionpolicies`, { metadata: { name: 'faults' }, spec });
  const binding = { metadata: { name: 'faults' }, spec: { policyName: 'faults', validationActions: ['Deny'] } };
  await faults.expect(201, 'POST', `${group}/validatingadmissionpolicybindings`, binding);
}

async function removePolicy() {
  await faults.expect(200, 'DELETE', `${group}/validatingadmissionpolicybindings/faults`);
  await faults.expect(200, 'DELETE', `${group}/validatingadmissionpolicies/faults`);
}

async function stored(prefix) {
  const { items } = await faults.expect(200, 'GET', configMaps);
  const names = items.map(({ metadata }) => metadata.name);
  return names.filter((name) => name.startsWith(`${prefix}-`)).toSorted();
}

function deleteAll() {
  return faults.expect(200, 'DELETE', configMaps);
}

async function askedByHook() {
  const { body } = await ask({ url: `https://127.0.0.1:${hook.port}` }, { path: '/asked', token: '', agent: hookAgent });
  return JSON.parse(body);
}
