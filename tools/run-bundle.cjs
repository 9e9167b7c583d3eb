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
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
  const chunk = { script, exports: {} };
  chunks.set(name, chunk);
  script.runInThisContext().call(chunk.exports, chunk.exports, requireModule, chunk, filename, __dirname);
  return chunk;
};

/** `chunk:NAME:MODULE` is a module of this or another chunk. */
function requireModule(specifier) {
  if (!specifier.startsWith('chunk:')) return requireFromHere(specifier);
  let found = modules.get(specifier);
  if (found === undefined) {
    const [, chunk, name] = specifier.split(':');
    found = exports.load(chunk).exports.modules[name]();
    // Plain properties: every call from one chunk to another reads one, and none of them ever changes.
    if (found.__esModule) found = { __esModule: true, ...found };
    modules.set(specifier, found);
  }
  return found;
}
