// What the walks over faults of other servers (webhook-faults.mjs, extension-faults.mjs) have in common: their options, a server that keeps its objects on
// disk, requests that are timed, and the verdict on memory after all rounds.
//   --rounds 10   how often everything fails     --bundle   the built server instead of the sources
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { keptBytes } from './kept-memory.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' }, bundle: { type: 'boolean' } } });

export const rounds = Number(values.rounds);
export const configMaps = '/api/v1/namespaces/default/configmaps';
/** After the other server is back. */
export const recoveryMs = 1000;
/** For what waits until something has happened. */
export const slowMachineMs = 10_000;
/** From the first rounds, in which caches and code find their size, to the last. */
const mostGrowthMb = 8;
const settlingRounds = 3;
const historyBytes = 34 << 20;
const fillerBytes = 200_000;
const json = { 'content-type': 'application/json' };

export class RoundsOfFaults {
  #agent;
  #keptMb = [];

  constructor(server, connections) {
    this.server = server;
    this.#agent = new https.Agent({ keepAlive: true, maxSockets: connections });
  }

  /** On disk: what a store in memory keeps of each update would hide what is lost. */
  static async start({ flags = [], connections }) {
    const server = await startServer({ from: values.bundle ? 'bundle' : 'sources', flags: ['--memory=false', ...flags] });
    return new RoundsOfFaults(server, connections);
  }

  async stop() {
    this.#agent.destroy();
    await this.server.stop();
  }

  /** `sent` and `ended` say when, `body` what a refusal says. */
  async timed(method, path, object) {
    const sent = performance.now();
    const { code, body } = await ask(this.server, { method, path, headers: json, body: object && JSON.stringify(object), agent: this.#agent });
    return { path, code, sent, ended: performance.now(), body: code < 300 ? '' : String(body) };
  }

  async expect(code, method, path, object) {
    const answer = await ask(this.server, { method, path, headers: json, body: object && JSON.stringify(object), agent: this.#agent });
    assert.equal(answer.code, code, `${method} ${path}: ${answer.body}`);
    return JSON.parse(answer.body);
  }

  /** `more`: rules and whatever else of the webhook is not the same everywhere. */
  addWebhook(port, more) {
    const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: readFileSync(join(this.server.pki, 'ca.crt')).toString('base64') };
    const webhook = { name: 'faults.test.io', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'], ...more };
    return this.expect(201, 'POST', webhookConfigurations, { metadata: { name: 'faults' }, webhooks: [webhook] });
  }

  removeWebhook() {
    return this.expect(200, 'DELETE', `${webhookConfigurations}/faults`);
  }

  /** The cache remembers 32 MB of changes of a kind: with all of it in use from the first round on, what grows is what failures leave behind. */
  async fillHistory() {
    const path = `${configMaps}/filler`;
    await this.expect(201, 'POST', configMaps, { metadata: { name: 'filler' } });
    for (let i = 0; i < historyBytes / fillerBytes; i++) {
      await this.expect(200, 'PUT', path, { metadata: { name: 'filler' }, data: { v: String(i).padEnd(fillerBytes, '.') } });
    }
    await this.expect(200, 'DELETE', path);
  }

  async endRound() {
    this.#keptMb.push((await keptBytes(this.server)) / 2 ** 20);
  }

  judgeMemory() {
    const kept = this.#keptMb;
    console.log(`     kept after each round, in MB: ${kept.map((mb) => mb.toFixed(1)).join(' ')}`);
    const growth = kept.at(-1) - Math.max(...kept.slice(0, settlingRounds));
    assert.ok(growth < mostGrowthMb, `${growth.toFixed(1)} MB more after ${rounds} rounds of failures`);
  }
}

const webhookConfigurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
