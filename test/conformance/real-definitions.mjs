#!/usr/bin/env node
// Definitions that people use, from the Go modules of their projects, which are downloaded for the test: nothing of them is kept here. Every definition
// must be established, explained by OpenAPI and usable; what a sample made from its schema gets wrong must be refused.
//   node test/conformance/real-definitions.mjs [--only REGEX] [--bundle] [--server URL]
// Prints what one definition costs: milliseconds from its POST to the first answer about an object, and memory of the process.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { parseArgs } from 'node:util';
import { realDefinitions } from '../support/real-definitions.mjs';
import { startServer } from '../support/server-under-test.mjs';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    bundle: { type: 'boolean', default: false },
    server: { type: 'string' },
    show: { type: 'string', default: '20' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
if (spawnSync('go', ['version']).status !== 0) {
  console.error('SKIPPED: there is no Go, which downloads the modules');
  process.exit(0);
}
const found = realDefinitions(options.only);
const agent = new https.Agent({ keepAlive: true });
const server = options.server === undefined ? await startServer({ from: options.bundle ? 'bundle' : 'sources' }) : { url: options.server, stop: () => {} };
const problems = [];
try {
  await run();
} finally {
  await server.stop();
}
for (const problem of problems.slice(0, Number(options.show))) console.log(`✘ ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

async function run() {
  const before = memory();
  const times = [];
  let accepted = 0;
  for (const definition of found) times.push(await define(definition));
  const defined = memory();
  for (const definition of found) if (await useDefinition(definition)) accepted++;
  const used = memory();
  times.sort((a, b) => a - b);
  console.log(`${found.length} definitions, ${accepted} samples accepted, ${problems.length} problems`);
  console.log(`from POST to the first answer about objects: median ${times[times.length >> 1].toFixed(0)} ms, longest ${times.at(-1).toFixed(0)} ms`);
  if (before !== undefined) {
    const per = (bytes) => (bytes / found.length / 1024).toFixed(0);
    console.log(`memory per definition: ${per(defined - before)} kB defined, ${per(used - before)} kB used`);
  }
}

/** Resident memory of the server, where it is ours. */
function memory() {
  if (server.child === undefined) return undefined;
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

async function define(definition) {
  const { name } = definition.metadata;
  const begun = performance.now();
  const made = await ask('POST', definitionsPath, definition);
  if (made.status !== 201) problems.push(`${name}: ${made.status} ${made.body.message}`);
  else await served(definition);
  return performance.now() - begun;
}

async function served(definition) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await ask('GET', pathOf(definition, ''))).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  problems.push(`${definition.metadata.name} is not served`);
}

function storedVersion({ spec }) {
  return spec.versions.find(({ storage }) => storage) ?? spec.versions[0];
}

function pathOf({ spec }, namespace, version = spec.versions.find(({ served: isServed }) => isServed).name) {
  return `/apis/${spec.group}/${version}${spec.scope === 'Namespaced' && namespace !== '' ? `/namespaces/${namespace}` : ''}/${spec.names.plural}`;
}

/** True when a sample was accepted. */
async function useDefinition(definition) {
  const { metadata, spec } = definition;
  const { body } = await ask('GET', `${definitionsPath}/${metadata.name}`);
  const established = body.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  if (!established) problems.push(`${metadata.name} is not established: ${JSON.stringify(body.status?.conditions ?? body.message)}`);
  const version = storedVersion(definition);
  const document = await ask('GET', `/openapi/v3/apis/${spec.group}/${version.name}`);
  const explained = Object.values(document.body.components?.schemas ?? {}).some((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(({ kind, group }) => kind === spec.names.kind && group === spec.group),
  );
  if (!explained) problems.push(`${metadata.name}: OpenAPI does not explain ${spec.names.kind}`);
  return useVersion(definition, version);
}

async function useVersion(definition, version) {
  const schema = version.schema.openAPIV3Schema;
  const path = pathOf(definition, 'default', version.name);
  const head = { apiVersion: `${definition.spec.group}/${version.name}`, kind: definition.spec.names.kind, metadata: { name: 'sample' } };
  const made = sampleOf(schema) ?? {};
  const sample = { ...(typeof made === 'object' ? made : {}), ...head };
  const unknown = await ask('POST', `${path}?fieldValidation=Strict&dryRun=All`, { ...sample, spec: { ...sample.spec, 'binnacle-unknown': 1 } });
  const open = schema['x-kubernetes-preserve-unknown-fields'] || schema.properties?.spec?.['x-kubernetes-preserve-unknown-fields'];
  if (!open && unknown.status !== 400)
    problems.push(`${definition.metadata.name}: an unknown field is answered ${unknown.status} ${unknown.body.message ?? ''}`);
  if (schema.properties?.spec !== undefined) {
    const wrong = await ask('POST', `${path}?dryRun=All`, { ...sample, spec: 'text' });
    if (wrong.status !== 422) problems.push(`${definition.metadata.name}: a spec that is text is answered ${wrong.status}`);
  }
  const { status, body } = await ask('POST', path, sample);
  // The sample is made from the schema alone: patterns and rules may refuse it, and nothing else.
  if (status !== 201 && status !== 422) problems.push(`${definition.metadata.name}: a sample is answered ${status} ${body.message}`);
  return status === 201;
}

/** The least that a schema demands. */
function sampleOf(schema) {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string']) return 1;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items));
    case 'string':
      return schema.format === 'date-time' ? '2026-01-01T00:00:00Z' : 'a'.repeat(Math.max(1, schema.minLength ?? 1));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return {};
  }
}

function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
    const request = https.request(server.url + path, { method, agent, headers, rejectUnauthorized: false }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : {} });
      });
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
