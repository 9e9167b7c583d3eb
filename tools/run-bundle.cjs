// Copied into dist: runs the chunks of the build (tools/chunks.mjs) with the code that V8 compiled for them (tools/make-code-cache.cjs).
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const requireFromHere = createRequire(join(__dirname, 'binnacle.cjs'));
const chunks = new Map();
const modules = new Map();

/** Its script and what it exports. The first one is the program: loading it runs it. */
exports.load = function load(name) {
  const known = chunks.get(name);
  if (known !== undefined) return known;
  const filename = join(__dirname, `${name}.cjs`);
  let cachedData;
  try {
    cachedData = readFileSync(join(__dirname, `${name}.cache`));
  } catch {}
  // Chunks are ASCII: latin1 is the fastest way to read them.
  const source = readFileSync(filename, 'latin1');
  // For src/app/command/runtime-flags.ts.
  process.emit('binnacle:chunk-loading');
  const script = new Script(source, { filename, cachedData });
  process.emit('binnacle:chunk-loaded');
  const chunk = { script, exports: {} };
  chunks.set(name, chunk);
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
