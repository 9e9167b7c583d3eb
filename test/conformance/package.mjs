#!/usr/bin/env node
// What the README says of `binnacle/testing`, done: the package is packed, installed into a fresh project, and the example of the README
// runs there, beside one in TypeScript that only has to compile. Then the projects of examples/ for node:test, vitest and jest, with the same package.
//   node test/conformance/package.mjs
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/server-under-test.mjs';

const project = mkdtempSync(join(tmpdir(), 'binnacle-package-'));
try {
  run('npm', ['pack', '--silent', '--pack-destination', project], root);
  const [tarball] = readdirSync(project).filter((file) => file.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), '{ "name": "fresh", "private": true, "type": "module" }\n');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--save-dev', `./${tarball}`], project);
  writeFileSync(join(project, 'readme.test.js'), exampleOfReadme());
  run(process.execPath, ['--test', '--test-timeout=60000', 'readme.test.js'], project);
  checkTypes();
  run(join(project, 'node_modules/.bin/binnacle'), ['--help'], project);
  console.log('ok   the package works in a fresh project');
  for (const example of ['node-test', 'vitest', 'jest']) runExample(example, join(project, tarball));
} finally {
  rmSync(project, { recursive: true, force: true });
}

function exampleOfReadme() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const example = /```js\n([\s\S]*?startTestServer[\s\S]*?)```/.exec(readme)?.[1];
  if (example === undefined) throw new Error('the README has no example of startTestServer');
  return example;
}

/** As a user would: a copy of the project, the package and the test runner from npm, `npm test`. */
function runExample(name, tarball) {
  const copy = join(project, 'examples', name);
  cpSync(join(root, 'examples', name), copy, { recursive: true, filter: (file) => !file.includes('node_modules') });
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', '--save-dev', tarball], copy);
  run('npm', ['test', '--silent'], copy);
  console.log(`ok   examples/${name}`);
}

function checkTypes() {
  const source = `import { startTestServer, type TestServer } from 'binnacle/testing';
export async function phaseOf(server: TestServer): Promise<string> {
  return (await server.client.get<{ status: { phase: string } }>({ apiVersion: 'v1', kind: 'Pod' }, 'default', 'p')).status.phase;
}
const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
export const started: Promise<TestServer> = startTestServer({
  crds: ['crds', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'a.b.c' }, spec: {} }],
  users: [{ name: 'alice', groups: ['developers'] }],
  webhooks: [{ type: 'validating', rules, handler: ({ object }) => ({ allowed: object?.metadata.name !== 'bad' }) }],
  nodes: 2,
  flags: ['--v=2'],
  controllers: ['*'],
});
export const again = async (server: TestServer): Promise<string> => {
  await server.reset();
  // @ts-expect-error: users have a name
  await startTestServer({ users: [{ groups: [] }] });
  return server.user('alice').kubeconfig;
};
`;
  writeFileSync(join(project, 'typed.ts'), source);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,esnext.disposable', '--types', '', 'typed.ts'];
  run(join(root, 'node_modules/.bin/tsc'), options, project);
}

function run(program, words, cwd) {
  const { status, error, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: 300_000 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}\n${stdout}\n${stderr}`);
}
