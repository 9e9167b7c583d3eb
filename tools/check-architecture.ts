// ARCHITECTURE.md tells for a write, a read, a watch, a loop and a stream which files it passes. Fails when a file named there is missing, or
// when `a` → `b` is written and no file of `a` imports `b`. Commas separate files that stand at the same place, semicolons separate ways.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ways = ['A write', 'A read', 'A watch', 'A loop', 'A stream'];
const text = readFileSync('ARCHITECTURE.md', 'utf8');
const problems: string[] = [];
let arrows = 0;

for (const way of ways) {
  const section = new RegExp(`^## ${way}\\n(.*?)(?=^## |$(?![\\s\\S]))`, 'ms').exec(text)?.[1];
  if (section === undefined) problems.push(`there is no section "${way}"`);
  for (const [, cell = ''] of (section ?? '').matchAll(/^\|[^|]*\|([^|]*)\|$/gm)) checkCell(way, cell);
}
for (const [, path = ''] of text.matchAll(/`((?:src|test|tools|docs)\/[\w./-]+\.\w+)`/g)) if (!existsSync(path)) problems.push(`${path} is not there`);

for (const problem of problems) console.error(`ARCHITECTURE.md: ${problem}`);
process.exitCode = problems.length > 0 || arrows === 0 ? 1 : 0;
console.log(`ARCHITECTURE.md: ${arrows} steps, ${problems.length} problems`);

function checkCell(way: string, cell: string): void {
  for (const chain of cell.split(';')) {
    const places = chain.split('→').map(filesNamed);
    for (const missing of places.flat().filter((file) => !existsSync(file))) problems.push(`${way}: ${missing} is not there`);
    for (const [index, place] of places.entries()) {
      const before = places[index - 1] ?? [];
      for (const file of index === 0 ? [] : place) checkStep(way, before, file);
    }
  }
}

function checkStep(way: string, before: readonly string[], file: string): void {
  arrows += 1;
  const inside = (target: string) => target === file || (file.endsWith('/') && target.startsWith(file));
  if (!before.flatMap(sourcesOf).some((source) => importsOf(source).some(inside))) problems.push(`${way}: ${before.join(', ')} does not import ${file}`);
}

/** What stands in backquotes and has a slash is a file of src, or a folder when it ends with one. */
function filesNamed(place: string): string[] {
  return [...place.matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, name = '']) => `src/${name}`);
}

function sourcesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  if (!statSync(file).isDirectory()) return [file];
  return readdirSync(file, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(file, name));
}

function importsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"]([#.][^'"]+)['"]/g)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) => (specifier.startsWith('#') ? `src/${specifier.slice(1)}` : normalize(join(dirname(file), specifier))));
}
