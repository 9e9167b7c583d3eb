#!/usr/bin/env node
// CBOR over the wire: the same requests to a server of ours and to a real kube-apiserver, both with --feature-gates=CBORServingAndStorage=true, answers compared.
//   node test/conformance/cbor.mjs [--bundle] [--only TEXT] [--show N]
// Needs the reference server's programs (REFERENCE_SERVER_UP names the script that starts it); without them it says that it was skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { casesOf, explained } from './cbor/cases.mjs';
import { notation } from './cbor/notation.mjs';

const { values: options } = parseArgs({
  options: { bundle: { type: 'boolean' }, only: { type: 'string', default: '' }, show: { type: 'string', default: '10' } },
});
const up = process.env.REFERENCE_SERVER_UP ?? resolve(root, '../shared/reference-server/up');
if (!existsSync(up)) {
  console.log(`SKIPPED: no reference server (${up})`);
  process.exit(0);
}
const gate = '--feature-gates=CBORServingAndStorage=true';
const dir = mkdtempSync(join(tmpdir(), 'binnacle-cbor-'));
let code = 1;
try {
  const port = await freePort();
  execFileSync(up, [join(dir, 'reference'), String(port), '--', gate], { stdio: 'ignore' });
  const ours = await startServer({ flags: [gate, '--controllers='], from: options.bundle ? 'bundle' : 'sources' });
  try {
    code = await compare({ port, pki: join(dir, 'reference/pki') }, { port: ours.port, pki: ours.pki });
  } finally {
    await ours.stop();
  }
} finally {
  try {
    execFileSync(resolve(up, '../down'), [join(dir, 'reference')], { stdio: 'ignore' });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
process.exit(code);

async function compare(reference, ours) {
  let different = 0;
  let compared = 0;
  for (const one of casesOf()) {
    const [theirs, mine] = await Promise.all([answerOf(reference, one), answerOf(ours, one)]);
    if (!one.name.includes(options.only) || one.setUp || one.name in explained) continue;
    compared++;
    if (theirs === mine) continue;
    if (different++ < Number(options.show)) console.log(`✗ ${one.name}\n  reference: ${theirs}\n  ours:      ${mine}\n`);
  }
  console.log(`${compared - different} of ${compared} answers are the same`);
  return different === 0 && compared > 0 ? 0 : 1;
}

/** Until both have made what the next cases need. */
async function answerOf(server, one) {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask(server, one);
    const lost = answer.startsWith('no answer') && attempt < 3;
    if (!lost && (!one.until || one.until.test(answer) || attempt === 100)) return answer;
    await new Promise((done) => setTimeout(done, 50));
  }
}

function ask({ port, pki }, { method = 'GET', path, accept = 'application/cbor', type, body, token = 'admin-token' }) {
  const headers = {
    accept,
    authorization: `Bearer ${token}`,
    ...(type && { 'content-type': type }),
    ...(body && { 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((done) => {
    const request = https.request({ host: '127.0.0.1', port, ca: readFileSync(join(pki, 'ca.crt')), method, path, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => done(shown(response, Buffer.concat(chunks))));
    });
    request.on('error', (error) => done(`no answer: ${error.message}`));
    request.end(body);
  });
}

function shown({ statusCode, headers }, body) {
  const type = headers['content-type'] ?? '';
  const text = type.startsWith('application/cbor') ? notation(body) : body.toString().replace(/\s+/g, ' ');
  const warning = headers.warning ?? '';
  return `${statusCode} ${type} ${warning}\n  ${masked(text)}`;
}

function masked(text) {
  return text
    .replace(/kube-api-access-\w{5}/g, 'kube-api-access-…')
    .replace(/'targetPort': \d{5}/g, "'targetPort': PORT")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
    .replace(/"(resourceVersion|uid)": ?"[^"]*"/g, '"$1": …');
}
