import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `src/api/names.ts#parseApiVersion` of every exported function that is named after reading something. */
export function exportedReaders(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return files.flatMap((file) => readersIn(join('src', file))).sort();
}

function readersIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const) ((?:parse|read|decode)[A-Z]\w*)/gm)].map(
    ([, name]) => `${file}#${name}`,
  );
}
