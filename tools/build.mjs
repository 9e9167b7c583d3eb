// Builds what is shipped: one bundle in chunks, their V8 code cache, the launchers that put them together, and the programs that envtest wants.
//   node tools/build.mjs [--no-cache]
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { buildChunks, chunkNames } from './chunks.mjs';
import { launcher } from './launchers.mjs';
import { cacheEnding } from './run-bundle.cjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const prepared = join(dist, 'prepared-objects');
const envtest = join(dist, 'envtest');

/** The JavaScript of lmdb goes into the bundle, so that its code is cached too; its native part stays in the package, where it must be looked for. */
const lmdbFromItsPackage = {
  name: 'lmdb-from-its-package',
  setup(bundler) {
    bundler.onLoad({ filter: /[/\\]lmdb[/\\]dist[/\\]index\.cjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replaceAll("'file:' + __filename", "'file:' + lmdbFile");
      if (contents === source) throw new Error('lmdb no longer finds its package as it did: look at lmdbFromItsPackage');
      return { contents: `const lmdbFile = require('node:module').createRequire(__filename).resolve('lmdb');\n${contents}`, loader: 'js' };
    });
    bundler.onResolve({ filter: /^lmdb$/ }, () => ({ path: join(root, 'node_modules/lmdb/dist/index.cjs') }));
  },
};

await makeBundle();
await makeTestingEntry();
run(process.execPath, ['--import', 'tsx', join(root, 'tools/make-prepared-objects.ts'), prepared]);
writeLauncher();
await makeEnvtestAssets();
if (!process.argv.includes('--no-cache')) makeCodeCache();
for (const name of chunkNames) console.log(`dist/${name}: ${kilobytes(fileOf(name, 'cjs'))} kB cjs, ${kilobytes(fileOf(name, cacheEnding))} kB cache`);

async function makeBundle() {
  // V8 tells sources apart by their length alone: an old cache must never meet a new bundle.
  for (const file of existsSync(dist) ? readdirSync(dist) : []) if (file.endsWith('.cache')) rmSync(join(dist, file));
  const options = {
    bundle: true,
    // An ES module cannot take cached code on node 20.
    format: 'cjs',
    // As node wraps a CommonJS module: run-bundle.cjs need not put a string of this size together.
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
    platform: 'node',
    target: 'node20',
    external: ['msgpackr-extract', 'bun:ffi'],
    plugins: [lmdbFromItsPackage],
    // LMDB's encoder is not used: no reason to load its native helper.
    // Nor for those of ws: they are faster only for what clients send, and clients send nothing.
    define: {
      'process.env.BINNACLE_DIST': '__dirname',
      'process.env.BINNACLE_VERSION': JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version),
      'process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED': '"true"',
      'process.env.WS_NO_BUFFER_UTIL': '"true"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"true"',
    },
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: false,
    legalComments: 'none',
    absWorkingDir: root,
    logLevel: 'warning',
  };
  await buildChunks(options, { entry: './src/app/binnacle.ts', fileOf: (name) => fileOf(name, 'cjs') });
}

function fileOf(chunk, ending) {
  return join(dist, `${chunk}.${ending}`);
}

/** The public entry for tests. What it needs of npm comes with the package. */
async function makeTestingEntry() {
  await build({
    entryPoints: [join(root, 'src/testing/start-test-server.ts')],
    outfile: join(root, 'dist/testing.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    legalComments: 'none',
    absWorkingDir: root,
    logLevel: 'warning',
  });
  copyFileSync(join(root, 'src/testing/testing.d.ts'), join(root, 'dist/testing.d.ts'));
}

function writeLauncher() {
  copyFileSync(join(root, 'tools/run-bundle.cjs'), join(root, 'dist/run-bundle.cjs'));
  writeFileSync(join(root, 'dist/binnacle-main.cjs'), `require('./run-bundle.cjs').load('binnacle');\n`);
  writeProgram(join(root, 'bin/binnacle'), launcher({ script: '../dist/binnacle-main.cjs' }));
}

/** dist/envtest: the folder that KUBEBUILDER_ASSETS names. envtest asks for --help before every start, so that these answers are files. */
async function makeEnvtestAssets() {
  rmSync(envtest, { recursive: true, force: true });
  mkdirSync(envtest, { recursive: true });
  writeFileSync(join(envtest, 'package.json'), '{ "type": "commonjs" }\n');
  const etcd = join(envtest, 'etcd.cjs');
  await makeProgram(
    etcd,
    `import { etcdMain } from '#app/envtest/etcd-main.ts';
    etcdMain(process.argv.slice(2)).catch((problem) => { process.stderr.write(\`Error: \${problem.message}\\n\`); process.exit(1); });`,
  );
  await makeProgram(
    join(envtest, 'kubectl'),
    `import { kubectlMain } from '#app/envtest/kubectl-main.ts';
    kubectlMain(process.argv.slice(2), __filename, process.env.PATH ?? '');`,
  );
  const server = join(envtest, 'kube-apiserver.cjs');
  // By this name the bundle knows that it has the defaults of the original.
  writeFileSync(server, `process.argv[1] = require('node:path').join(__dirname, 'kube-apiserver');\nrequire('../run-bundle.cjs').load('binnacle');\n`);
  for (const [name, script] of Object.entries({ 'kube-apiserver': server, etcd })) {
    writeFileSync(join(envtest, `${name}.help`), run(process.execPath, [script, '--help']));
    writeProgram(join(envtest, name), launcher({ script: `${name}.cjs`, help: `${name}.help` }));
  }
}

function writeProgram(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** A small program in one file. */
async function makeProgram(outfile, contents) {
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    absWorkingDir: root,
    logLevel: 'warning',
  });
  chmodSync(outfile, 0o755);
}

/** In a process of its own: the cache holds what a server compiles until it is ready and has answered the first requests of clients. */
function makeCodeCache() {
  run(process.execPath, [join(root, 'tools/make-code-cache.cjs')]);
  for (const name of chunkNames) {
    const filename = fileOf(name, 'cjs');
    const { cachedDataRejected } = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readFileSync(fileOf(name, cacheEnding)) });
    if (cachedDataRejected) throw new Error('V8 refuses the code cache: it was made under other flags than the launcher gives to node');
  }
}

/** What the program put out. */
function run(program, words) {
  const { status, stdout } = spawnSync(program, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${words.join(' ')} failed`);
  return stdout;
}

function kilobytes(file) {
  return Math.round((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1024);
}
