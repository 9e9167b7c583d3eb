#!/usr/bin/env node
// A webhook and an extension server for faults, in a process of its own so that it can be killed and stopped (other-server.mjs). The webhook refuses config
// maps whose `data.v` begins with `no` and remembers which it was asked about: GET /asked tells them and forgets them. What is asked without a body is an extension server's: everything is there.
//   node test/fault/webhook-process.mjs PKI PORT
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';

const [pki, port] = process.argv.slice(2);
const file = (name) => readFileSync(join(pki, name));
let asked = [];

https
  .createServer({ key: file('apiserver.key'), cert: file('apiserver.crt') }, (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(request.url, Buffer.concat(chunks)))));
  })
  .listen(Number(port), '127.0.0.1', () => process.send?.('listening'));

function answerTo(path, body) {
  if (path === '/asked') {
    const told = asked;
    asked = [];
    return told;
  }
  if (body.length === 0) return path.split('/').length > 4 ? { kind: 'Thing', metadata: {} } : { kind: 'APIResourceList', resources: [] };
  const { apiVersion, kind, request } = JSON.parse(body);
  const { v } = request.object.data;
  asked.push(v);
  return { apiVersion, kind, response: { uid: request.uid, allowed: !v.startsWith('no') } };
}
