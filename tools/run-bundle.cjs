// Copied into dist: runs the chunks of the build (tools/chunks.mjs) with the code that V8 compiled for them (tools/make-code-cache.cjs).
'use strict';
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const requireFromHere = createRequire(join(__dirname, 'binnacle.cjs'));
const chunks = new Map();
const modules = new Map();
/** Chunks that were compiled from source, by the file for their code. */
const compiled = new Map();

/** V8 refuses compiled code of another version, but not of another processor. */
exports.cacheEnding = `${process.versions.v8}-${process.arch}.cache`;

/** Its script and what it exports. The first one is the program: loading it runs it. */
exports.load = function load(name) {
  const known = chunks.get(name);
  if (known !== undefined) return known;
  const filename = join(__dirname, `${name}.cjs`);
  const cache = join(__dirname, `${name}.${exports.cacheEnding}`);
  let cachedData;
  try {
    cachedData = readFileSync(cache);
  } catch {}
  // Chunks are ASCII: latin1 is the fastest way to read them.
  const source = readFileSync(filename, 'latin1');
  // For src/app/command/runtime-flags.ts.
  process.emit('binnacle:chunk-loading');
  const script = new Script(source, { filename, cachedData });
  process.emit('binnacle:chunk-loaded');
  const chunk = { script, exports: {} };
  chunks.set(name, chunk);
  if (cachedData === undefined) keepWhenSettled(cache, { script, filename, changed: statSync(filename).mtimeMs });
  script.runInThisContext().call(chunk.exports, chunk.exports, requireModule, chunk, filename, __dirname);
  return chunk;
};

/** `chunk:NAME:MODULE` is a module of this or another chunk; with `:EXPORTS`, one that is evaluated when the first of them is read. */
function requireModule(specifier) {
  if (!specifier.startsWith('chunk:')) return requireFromHere(specifier);
  const [, chunk, name, deferred] = specifier.split(':');
  return deferred === undefined ? moduleOf(chunk, name) : deferredModule(deferred.split(','), () => moduleOf(chunk, name));
}

function moduleOf(chunk, name) {
  let found = modules.get(name);
  if (found === undefined) {
    found = exports.load(chunk).exports.modules[name]();
    // Plain properties: every call from one chunk to another reads one, and none of them ever changes.
    if (found.__esModule) found = { __esModule: true, ...found };
    modules.set(name, found);
  }
  return found;
}

function deferredModule(names, evaluate) {
  const module = { __esModule: true };
  const fill = () => {
    const found = evaluate();
    for (const name of names) Object.defineProperty(module, name, { value: found[name], enumerable: true });
    return module;
  };
  for (const name of names) Object.defineProperty(module, name, { get: () => fill()[name], enumerable: true, configurable: true });
  return module;
}

/** Another Node.js than that of the build compiles at its first start, and keeps that code when its first clients have been answered (src/app/command/runtime-flags.ts). */
function keepWhenSettled(cache, chunk) {
  if (compiled.size === 0) process.once('binnacle:settled', keepCompiled);
  compiled.set(cache, chunk);
}

function keepCompiled() {
  // Code that was compiled under other flags of V8 would be refused by every other start.
  if (process.env.NODE_OPTIONS || process.execArgv.some((flag) => flag !== '--use-openssl-ca')) return;
  for (const [cache, { script, filename, changed }] of compiled) {
    try {
      // V8 tells sources apart by their length alone: code of an older build must not meet a new one.
      if (statSync(filename).mtimeMs !== changed) return;
      process.emit('binnacle:chunk-loading');
      const code = script.createCachedData();
      process.emit('binnacle:chunk-loaded');
      writeFileSync(`${cache}.${process.pid}`, code);
      renameSync(`${cache}.${process.pid}`, cache);
    } catch {
      // The package belongs to somebody else: every start compiles.
      return;
    }
  }
}
