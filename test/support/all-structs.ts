// Every struct that a file under src/kinds declares, by its OpenAPI name. Reads the folder: nothing to keep up to date.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StructSchema } from '#schema/build.ts';

const kinds = new URL('../../src/kinds/', import.meta.url);

export async function loadAllStructs(): Promise<ReadonlyMap<string, StructSchema>> {
  const structs = new Map<string, StructSchema>();
  for (const path of readdirSync(fileURLToPath(kinds), { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || !declaresStructs(path)) continue;
    const module = (await import(new URL(path, kinds).href)) as Record<string, unknown>;
    for (const value of Object.values(module)) if (isStruct(value)) structs.set(value.name, value);
  }
  return structs;
}

/** Rules, defaults and columns stand in files of their own. */
function declaresStructs(path: string): boolean {
  return /\b(struct|rootStruct)\(/.test(readFileSync(new URL(path, kinds), 'utf8'));
}

function isStruct(value: unknown): value is StructSchema {
  return typeof value === 'object' && value !== null && 'is' in value && value.is === 'struct';
}
