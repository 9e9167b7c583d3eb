// Fails when a file imports a folder its layer may not see (also where it does so while it runs), when files import each other in a circle,
// for types alone too, when a folder has grown too large, and when the layer that only wires holds more than wiring.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

interface Layer {
  imports: string[];
  types?: string[];
  /** Puts together what other layers have: no state of its own, so no classes but those named below. */
  wiring?: boolean;
}
interface Import {
  target: string;
  kind: 'value' | 'type' | 'dynamic';
}

const mostFiles = 40;
/** What the command line and the files it names are made of. */
const wiringClasses = new Set(['FlagError', 'FlagValues', 'PemFolder', 'ReloadMetrics', 'OwnClients']);

const layers: Record<string, Layer> = JSON.parse(readFileSync('layers.json', 'utf8'));
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const importsOf = new Map([...texts].map(([file, text]) => [file, readImports(file, text)]));
const typeCycles = circles((file) => (importsOf.get(file) ?? []).filter(({ kind }) => kind !== 'dynamic').map(({ target }) => target));
const problems = [...layerProblems(), ...cycleProblems(), ...folderProblems(), ...wiringProblems()];

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
console.log(`${files.length} files, ${typeCycles.length} cycles of types, ${problems.length} problems`);

function readImports(file: string, text: string): Import[] {
  const statement = /^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([#.][^'"]+)['"]/gms;
  const call = /\bimport\(\s*['"]([#.][^'"]+)['"]/g;
  const target = (specifier: string) => (specifier.startsWith('#') ? `src/${specifier.slice(1)}` : normalize(join(dirname(file), specifier)));
  return [
    ...[...text.matchAll(statement)].map(([, type, specifier = '']): Import => ({ target: target(specifier), kind: type === undefined ? 'value' : 'type' })),
    ...[...text.matchAll(call)].map(([, specifier = '']): Import => ({ target: target(specifier), kind: 'dynamic' })),
  ];
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
    for (const { target, kind } of imports) {
      const other = layerOf(target);
      const seen = layer.imports.includes('*') || layer.imports.includes(other) || (kind === 'type' && layer.types?.includes(other));
      if (other !== layerOf(file) && !seen) yield `${file}: may not import ${target}`;
      if (!texts.has(target)) yield `${file}: imports ${target}, which is not there`;
    }
  }
}

function* cycleProblems(): Generator<string> {
  for (const circle of circles((file) => (importsOf.get(file) ?? []).filter(({ kind }) => kind === 'value').map(({ target }) => target))) {
    yield `cycle: ${circle.join(' ')}`;
  }
  for (const circle of typeCycles) yield `cycle of types: ${circle.join(' ')}`;
}

function* folderProblems(): Generator<string> {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  for (const [folder, count] of counts) if (count > mostFiles) yield `${folder}: ${count} files; a folder has at most ${mostFiles}`;
}

function* wiringProblems(): Generator<string> {
  for (const [file, text] of texts) {
    if (!layers[layerOf(file)]?.wiring) continue;
    for (const [, name = ''] of text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)) {
      if (!wiringClasses.has(name)) yield `${file}: class ${name} belongs to the layer of what it is about; this one only wires`;
    }
  }
}

/** Groups of files that reach each other (strongly connected components, after Tarjan). */
function circles(targetsOf: (file: string) => readonly string[]): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  for (const file of files) if (!index.has(file)) visit(file);
  return found;

  function visit(file: string): void {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const target of targetsOf(file)) {
      if (!texts.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? own, low.get(target) ?? own));
    }
    if (low.get(file) !== own) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle);
  }
}
