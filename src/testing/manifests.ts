// Manifests as tests name them: objects, YAML texts, files and directories.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { objectsIn } from '#cli/state/state-file.ts';
import type { TestManifests, TestObject } from '#testing/testing.d.ts';

/** Files of a directory that hold manifests; as envtest, it does not look into folders below. */
const manifestFile = /\.(ya?ml|json)$/;

export function objectsOf(manifests: TestManifests): TestObject[] {
  const all = Array.isArray(manifests) ? manifests : [manifests];
  return all.flatMap((one: string | TestObject) => (typeof one === 'string' ? fromText(one) : [one]));
}

/** A text of several lines is YAML, one line a path: no path has a line break, no manifest does without. */
function fromText(text: string): TestObject[] {
  if (text.includes('\n')) return parsed(text, 'the text');
  const files = statSync(text).isDirectory()
    ? readdirSync(text)
        .filter((name) => manifestFile.test(name))
        .sort()
        .map((name) => join(text, name))
    : [text];
  return files.flatMap((file) => parsed(readFileSync(file, 'utf8'), file));
}

function parsed(text: string, from: string): TestObject[] {
  try {
    return [...objectsIn(text)] as TestObject[];
  } catch (problem) {
    throw new Error(`${from}: ${(problem as Error).message}`, { cause: problem });
  }
}
