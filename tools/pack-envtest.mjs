#!/usr/bin/env node
// Packs dist/envtest for `setup-envtest use --index`: an archive per platform, and the index that names them with their hashes.
//   node tools/pack-envtest.mjs --out DIR --url https://host/where/the/archives/will/be
// The archives hold programs for Node.js (20.19 or newer on PATH). setup-envtest drops all files of an archive into one folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chunkNames } from './chunks.mjs';
import { cacheEnding } from './run-bundle.cjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const platforms = ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64'];
const own = `${process.platform}-${{ x64: 'amd64' }[process.arch] ?? process.arch}`;

const out = resolve(option('out'));
const url = option('url').replace(/\/$/, '');
if (!existsSync(join(dist, 'envtest/kube-apiserver'))) fail('there is no dist/envtest: npm run build');
mkdirSync(out, { recursive: true });
const version = spawnSync(join(dist, 'envtest/kube-apiserver'), ['--version'], { encoding: 'utf8' }).stdout.trim().split(' ').at(-1);
const releases = Object.fromEntries(platforms.map((platform) => pack(platform)));
writeFileSync(join(out, 'envtest-releases.yaml'), `${JSON.stringify({ releases: { [version]: releases } }, undefined, 2)}\n`);
console.log(`${platforms.length} archives of ${version} and envtest-releases.yaml in ${out}`);

function pack(platform) {
  const name = `envtest-${version}-${platform}.tar.gz`;
  // The same files make the same bytes: no times, no owners.
  const archive = gzipSync(tar(filesOf(platform)), { level: 9 });
  writeFileSync(join(out, name), archive);
  return [name, { hash: createHash('sha512').update(archive).digest('hex'), selfLink: `${url}/${name}` }];
}

function filesOf(platform) {
  const read = (file) => readFileSync(join(dist, file));
  const program = (file) => ({ mode: 0o755, content: read(file) });
  const text = (file) => ({ mode: 0o644, content: read(file) });
  return {
    'kube-apiserver': program('envtest/kube-apiserver'),
    etcd: program('envtest/etcd'),
    kubectl: program('envtest/kubectl'),
    // In one folder with what it runs.
    'kube-apiserver.cjs': {
      mode: 0o644,
      content: Buffer.from(String(read('envtest/kube-apiserver.cjs')).replace("'../run-bundle.cjs'", "'./run-bundle.cjs'")),
    },
    'etcd.cjs': text('envtest/etcd.cjs'),
    'kube-apiserver.help': text('envtest/kube-apiserver.help'),
    'etcd.help': text('envtest/etcd.help'),
    'package.json': text('envtest/package.json'),
    'run-bundle.cjs': text('run-bundle.cjs'),
    'prepared-objects': text('prepared-objects'),
    ...chunkFiles('cjs', text),
    // Compiled code is for the machine that compiled it.
    ...(platform === own && chunkFiles(cacheEnding, text)),
  };
}

function chunkFiles(ending, text) {
  return Object.fromEntries(chunkNames.map((name) => [`${name}.${ending}`, text(`${name}.${ending}`)]));
}

/** The format ustar: a block of 512 bytes for each file, its content in whole blocks, two empty blocks. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, { mode, content }]) => [
    header(`controller-tools/envtest/${name}`, mode, content.length),
    content,
    Buffer.alloc((512 - (content.length % 512)) % 512),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header(name, mode, size) {
  const block = Buffer.alloc(512);
  const octal = (value, at, length) => block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  block.write(name, 0, 100, 'latin1');
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.fill(' ', 148, 156);
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function option(name) {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? undefined : process.argv[at + 1];
  return value ?? fail(`usage: node tools/pack-envtest.mjs --out DIR --url URL`);
}

function fail(why) {
  console.error(why);
  process.exit(2);
}
