// Which modules lie in which file of the build. A start reads and deserializes what it runs; the rest comes when it is first asked for.
import { build } from 'esbuild';

/**
 * In order: a module is in the first chunk with a root that leads to it without `import()`. So chunks need nothing of later ones before they call
 * `import()`, and what they need of earlier ones is whole by then. `importedBy`: whatever these modules load with `import()` is a root. `deferred`: these
 * modules lie here whoever imports them, and are evaluated when one of their exports is first read; nothing that a start evaluates may do so.
 */
const chunks = [
  {
    name: 'binnacle',
    roots: /^src\/(app\/(binnacle|envtest\/etcd-stub)|store\/memory\/memory-store|base\/(x509|pki\/certificate))\.ts$/,
    // Evaluated as a whole: nothing in it waits for its first use.
    isEvaluated: true,
  },
  {
    name: 'binnacle-rules',
    deferred:
      /^(src\/(cel|schema\/cel|admission\/expressions)\/|src\/admission\/policies\/(compiled|policy-(expressions|variables|budget|patch)|type-check|judge-policy)|src\/kinds\/(apiextensions\/v1\/(schema-rules|json-schema-defaults)-validation|resource\/v1\/device-selector-expression|admissionregistration\/v1\/expression-validation)\.ts|node_modules\/re2js\/)/,
  },
  { name: 'binnacle-embedded-store', roots: /^(src\/store\/embedded\/open-embedded-store\.ts$|node_modules\/lmdb\/)/ },
  { name: 'binnacle-core-controllers', importedBy: /^src\/app\/loops\/registered\/core\.ts$/ },
  { name: 'binnacle-controllers', importedBy: /^src\/app\/loops\/(registered\/|nodes\.ts$)/ },
  { name: 'binnacle-packages', roots: /^node_modules\// },
  { name: 'binnacle-on-demand', roots: /./ },
];

export const chunkNames = chunks.map(({ name }) => name);

/** One esbuild for each chunk, under the given options. Modules of other chunks are asked for as `chunk:NAME:MODULE` (see run-bundle.cjs). */
export async function buildChunks(options, { entry, fileOf }) {
  const { inputs } = (await build({ ...options, entryPoints: [entry], write: false, metafile: true, outdir: 'dist' })).metafile;
  const chunkOf = placed(inputs);
  const exported = await exportsOf(
    options,
    Object.keys(inputs).filter((module) => inputs[module].format === 'esm'),
  );
  const wanted = wantedOf(inputs, chunkOf);
  for (const { name, isEvaluated = false } of chunks) {
    const modules = wanted.get(name) ?? [];
    const contents = isEvaluated ? evaluatedEntry(exported, modules, entry) : lazyEntry(modules);
    const chunk = chunkBoundary({ inputs, chunkOf, exported }, name);
    await build({
      ...options,
      stdin: { contents, resolveDir: options.absWorkingDir, sourcefile: `${name}.js` },
      outfile: fileOf(name),
      plugins: [chunk, ...options.plugins],
    });
  }
}

/** The chunk of every module that is reached from the entry. */
function placed(inputs) {
  const chunkOf = new Map();
  const modules = Object.keys(inputs);
  for (const { name, deferred } of chunks) for (const module of modules) if (deferred?.test(module)) chunkOf.set(module, name);
  const placeImports = (module, name) => {
    for (const { path, kind, external } of inputs[module].imports) if (!external && kind !== 'dynamic-import') place(path, name);
  };
  const place = (module, name) => {
    if (chunkOf.has(module)) return;
    chunkOf.set(module, name);
    placeImports(module, name);
  };
  for (const { name, roots, importedBy, deferred } of chunks)
    for (const [module, { imports }] of Object.entries(inputs)) {
      if (deferred?.test(module)) placeImports(module, name);
      if (roots?.test(module)) place(module, name);
      if (!importedBy?.test(module)) continue;
      for (const { path, kind, external } of imports) if (!external && kind === 'dynamic-import') place(path, name);
    }
  return chunkOf;
}

/** What others than the modules of a chunk itself ask it for; with import(), those of a chunk that is evaluated as a whole, too. */
function wantedOf(inputs, chunkOf) {
  const wanted = new Map();
  for (const [module, { imports }] of Object.entries(inputs))
    for (const { path, kind, external } of imports) {
      if (external || !isAskedFor(chunkOf.get(module), chunkOf.get(path), kind)) continue;
      const name = chunkOf.get(path);
      wanted.set(name, (wanted.get(name) ?? new Set()).add(path));
    }
  return new Map([...wanted].map(([name, modules]) => [name, [...modules].toSorted()]));
}

function isAskedFor(from, to, kind) {
  return from !== to || (kind === 'dynamic-import' && chunks.some(({ name, isEvaluated }) => name === to && isEvaluated));
}

function isDeferred(module) {
  return chunks.some(({ deferred }) => deferred?.test(module));
}

/** Makes imports of modules of other chunks requests for them. */
function chunkBoundary({ inputs, chunkOf, exported }, own) {
  return {
    name: 'chunk-boundary',
    setup(bundler) {
      const root = bundler.initialOptions.absWorkingDir;
      bundler.onResolve({ filter: /./ }, ({ path, importer, kind }) => {
        const found = inputs[importer.slice(root.length + 1)]?.imports.find((one) => one.kind === kind && one.original === path);
        if (found === undefined || found.external || !isAskedFor(own, chunkOf.get(found.path), kind)) return undefined;
        if (kind === 'require-call') throw new Error(`${importer} requires ${path}, which is in another chunk: a package must lie in one`);
        const specifier = `chunk:${chunkOf.get(found.path)}:${found.path}`;
        return { path: isDeferred(found.path) ? `${specifier}:${exported(found.path).join()}` : specifier, external: true };
      });
    },
  };
}

/** Hands out what the modules export, and runs the program. */
function evaluatedEntry(exported, modules, entry) {
  const imports = modules.map((module, at) => `import * as m${at} from './${module}';`);
  const tables = modules.map((module, at) => {
    const names = exported(module).map((name) => `${name}: m${at}.${name}`);
    return `'${module}': () => ({ __esModule: true, ${names.join(', ')} }),`;
  });
  return `${imports.join('\n')}\nexport const modules = {\n${tables.join('\n')}\n};\nimport '${entry}';\n`;
}

async function exportsOf({ absWorkingDir }, modules) {
  const { metafile } = await build({ entryPoints: modules, absWorkingDir, outdir: 'dist', outbase: '.', format: 'esm', write: false, metafile: true });
  const byModule = new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
  return (module) => byModule.get(module) ?? [];
}

/** Modules are evaluated when they are first asked for. */
function lazyEntry(modules) {
  return `exports.modules = {\n${modules.map((module) => `'${module}': () => require('./${module}'),`).join('\n')}\n};\n`;
}
