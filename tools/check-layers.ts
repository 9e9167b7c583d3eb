// Fails when a file imports a folder its layer may not see, or when files import each other in a circle.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

interface Layer {
  imports: string[];
  types?: string[];
}
interface Import {
  target: string;
  typeOnly: boolean;
}

const layers: Record<string, Layer> = JSON.parse(readFileSync('layers.json', 'utf8'));
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const importsOf = new Map(files.map((file) => [file, readImports(file)]));
const problems = [...layerProblems(), ...cycleProblems()];

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
console.log(`${files.length} files, ${problems.length} problems`);

function readImports(file: string): Import[] {
  const statement = /^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([#.][^'"]+)['"]/gms;
  return [...readFileSync(file, 'utf8').matchAll(statement)].map(([, type, specifier = '']) => ({
    target: specifier.startsWith('#') ? `src/${specifier.slice(1)}` : normalize(join(dirname(file), specifier)),
    typeOnly: type !== undefined,
  }));
}

function layerOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function* layerProblems(): Generator<string> {
  for (const [file, imports] of importsOf) {
    const layer = layers[layerOf(file)];
    if (!layer) {
      yield `${file}: folder is not in layers.json`;
      continue;
    }
    if (file.endsWith('/index.ts')) yield `${file}: no re-export files; import the file that has it`;
    for (const { target, typeOnly } of imports) {
      const other = layerOf(target);
      const allowed = other === layerOf(file) || layer.imports.includes('*') || layer.imports.includes(other) || (typeOnly && layer.types?.includes(other));
      if (!allowed) yield `${file}: may not import ${target}`;
    }
  }
}

function* cycleProblems(): Generator<string> {
  const done = new Set<string>();
  for (const file of files) yield* visit(file, []);

  function* visit(file: string, path: string[]): Generator<string> {
    if (path.includes(file)) {
      yield `cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`;
      return;
    }
    if (done.has(file)) return;
    for (const { target, typeOnly } of importsOf.get(file) ?? []) {
      if (!typeOnly) yield* visit(target, [...path, file]);
    }
    done.add(file);
  }
}
