// The file of an export: one YAML document per object.
import { parse, stringify } from 'yaml';
import type { StateObject } from '#cli/state/state-object.ts';

/** In the YAML 1.1 that Kubernetes' tools read: what they would take for a boolean or a number is quoted. */
export function documentOf(object: StateObject): string {
  return `---\n${stringify(object, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** Objects in the order of the file; those in a `List` one by one. Throws for a document that is no object, with its line. */
export function* objectsIn(text: string): Generator<StateObject> {
  for (const { line, source } of documentsIn(text)) {
    const content = parsedAt(line, source);
    if (content === null || content === undefined) continue;
    const { kind, items } = content as { kind?: unknown; items?: unknown };
    const objects = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : [content];
    for (const object of objects) yield objectAt(line, object);
  }
}

interface DocumentText {
  /** Where it begins. */
  readonly line: number;
  readonly source: string;
}

/** A line that begins with `---` separates, wherever it stands: in a text over several lines it would be indented. */
function* documentsIn(text: string): Generator<DocumentText> {
  let begin = 0;
  let line = 1;
  for (const separator of text.matchAll(/^---(?=\s|$)/gm)) {
    yield { line, source: text.slice(begin, separator.index) };
    line += countLines(text, begin, separator.index);
    begin = separator.index;
  }
  yield { line, source: text.slice(begin) };
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function parsedAt(line: number, source: string): unknown {
  try {
    return parse(source, { version: '1.1', maxAliasCount: 100 });
  } catch (problem) {
    throw new Error(`the document at line ${line} is no YAML: ${(problem as Error).message.split('\n')[0]}`, { cause: problem });
  }
}

function objectAt(line: number, content: unknown): StateObject {
  const { apiVersion, kind, metadata } = (typeof content === 'object' && content !== null ? content : {}) as Partial<StateObject>;
  if (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string') return content as StateObject;
  throw new Error(`the document at line ${line} is no object: it needs apiVersion, kind and metadata.name`);
}
