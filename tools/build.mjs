// Builds what is shipped: one bundle, its V8 code cache, the launchers that put them together, and the programs that envtest wants.
//   node tools/build.mjs [--no-cache]
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const bundle = join(root, 'dist/binnacle.cjs');
const cache = join(root, 'dist/binnacle.cache');
const envtest = join(root, 'dist/envtest');

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
writeLauncher();
await makeEnvtestAssets();
if (!process.argv.includes('--no-cache')) makeCodeCache();
console.log(`dist/binnacle.cjs ${kilobytes(bundle)} kB${process.argv.includes('--no-cache') ? '' : `, dist/binnacle.cache ${kilobytes(cache)} kB`}`);

async function makeBundle() {
  // V8 tells sources apart by their length alone: an old cache must never meet a new bundle.
  rmSync(cache, { force: true });
  await build({
    entryPoints: [join(root, 'src/app/binnacle.ts')],
    outfile: bundle,
    bundle: true,
    // An ES module cannot take cached code on node 20.
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['msgpackr-extract', 'bun:ffi'],
    plugins: [lmdbFromItsPackage],
    // LMDB's encoder is not used: no reason to load its native helper.
    // Nor for those of ws: they are faster only for what clients send, and clients send nothing.
    define: {
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
  });
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
  mkdirSync(join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'bin/package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(
    join(root, 'bin/binnacle'),
    `#!/usr/bin/env node
// Made by tools/build.mjs. Runs the bundle, from compiled code where this V8 made it, else from source.
'use strict';
require('../dist/run-bundle.cjs')();
`,
  );
  writeFileSync(
    join(root, 'dist/run-bundle.cjs'),
    `'use strict';
const { readFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

module.exports = function runBundle() {
  const filename = join(__dirname, 'binnacle.cjs');
  let cachedData;
  try {
    cachedData = readFileSync(join(__dirname, 'binnacle.cache'));
  } catch {}
  // The bundle is ASCII: latin1 is the fastest way to read it.
  const script = new Script(wrap(readFileSync(filename, 'latin1')), { filename, cachedData });
  const bundle = { exports: {} };
  script.runInThisContext().call(bundle.exports, bundle.exports, createRequire(filename), bundle, filename, __dirname);
  return script;
};
`,
  );
  chmodSync(join(root, 'bin/binnacle'), 0o755);
}

/** dist/envtest: the folder that KUBEBUILDER_ASSETS names. Its kube-apiserver is the bundle under that name. */
async function makeEnvtestAssets() {
  rmSync(envtest, { recursive: true, force: true });
  mkdirSync(envtest, { recursive: true });
  writeFileSync(join(envtest, 'package.json'), '{ "type": "commonjs" }\n');
  await makeProgram(
    'etcd',
    `import { etcdMain } from '#app/envtest/etcd-main.ts';
    etcdMain(process.argv.slice(2)).catch((problem) => { process.stderr.write(\`Error: \${problem.message}\\n\`); process.exit(1); });`,
  );
  await makeProgram(
    'kubectl',
    `import { kubectlMain } from '#app/envtest/kubectl-main.ts';
    kubectlMain(process.argv.slice(2), __filename, process.env.PATH ?? '');`,
  );
  const program = join(envtest, 'kube-apiserver');
  writeFileSync(
    program,
    `#!/usr/bin/env node
// Made by tools/build.mjs. envtest asks for --help before every start: that answer was made with the bundle.
'use strict';
if (process.argv.length === 3 && process.argv[2] === '--help') process.stdout.write(require('node:fs').readFileSync(require('node:path').join(__dirname, 'kube-apiserver.help')));
else {
  // The name under which the bundle has the defaults of the original, whatever link led here.
  process.argv[1] = __filename;
  require('../run-bundle.cjs')();
}
`,
  );
  chmodSync(program, 0o755);
  // Not in the two words that the program answers from the file.
  const { status, stdout } = spawnSync(process.execPath, [program, '--help', '--v=0']);
  if (status !== 0) throw new Error('kube-apiserver does not tell its flags');
  writeFileSync(join(envtest, 'kube-apiserver.help'), stdout);
}

/** A small program in one file. */
async function makeProgram(name, contents) {
  const outfile = join(envtest, name);
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

/** In a process of its own: the cache holds what a server compiles until it is ready and has answered once. */
function makeCodeCache() {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/make-code-cache.cjs')], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('could not make the code cache');
}

function kilobytes(file) {
  return Math.round(statSync(file).size / 1024);
}
