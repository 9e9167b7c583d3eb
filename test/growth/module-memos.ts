import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `src/kinds/rules/quantities.ts#kept` of every map or memo that a module makes empty and so means to fill. */
export function moduleMemos(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return files.flatMap((file) => memosIn(join('src', file))).sort();
}

function memosIn(file: string): string[] {
  return [
    ...readFileSync(file, 'utf8').matchAll(/^(?:export )?const (\w+) = (?:sharedMemo\()?new (?:Map|Set|TextMemo|ExpiringMap)(?:<.*>)?\((?:\d.*)?\)+;/gm),
  ].map(([, name]) => `${file}#${name}`);
}
