// Field sets by the text that stands for them in managedFields. Objects of one controller are owned alike, so that the same few texts come
// again and again: their sets are kept, and a set that is kept knows its text. test/bench pays for this with every update and apply.
import { emptySet, type FieldNode, type FieldSet, sortedElements } from '#patch/apply/field-set.ts';
import { fromFieldsV1 } from '#patch/apply/fields-v1.ts';
import { quoteJson, stringify } from '#schema/json/json-text.ts';

/** Sets of the newer generation; when it is full, it becomes the older one. A set takes some ten times its text. */
const generation = 64;
const generationCharacters = 512 << 10;
const longestText = 64 << 10;

let newer = new Map<string, FieldSet>();
let older = new Map<string, FieldSet>();
/** Of the newer generation. */
let characters = 0;
/** What stands between the braces; by parts, because a change leaves most of them as they were. */
const bodies = new WeakMap<FieldSet, string>();

/** The set of a text that `writtenSet` or somebody else made. Throws a FieldsV1Error. */
export function setOfText(text: string): FieldSet {
  return kept(text) ?? keep(text, fromFieldsV1(JSON.parse(text)));
}

/** The set of a value of the API. Throws a FieldsV1Error. */
export function setOfValue(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  const text = stringify(fields);
  return kept(text) ?? keep(text, fromFieldsV1(fields));
}

function kept(text: string): FieldSet | undefined {
  const set = newer.get(text);
  if (set !== undefined) return set;
  const aged = older.get(text);
  return aged && keep(text, aged);
}

function keep(text: string, set: FieldSet): FieldSet {
  if (text.length > longestText) return set;
  characters += text.length;
  if (newer.size >= generation || characters > generationCharacters) {
    [newer, older] = [new Map(), newer];
    characters = text.length;
  }
  newer.set(text, set);
  return set;
}

/** `{"f:data":{".":{},"f:a":{}}}`, as Go would write it. */
export function textOfSet(set: FieldSet): string {
  return `{${bodyOf(set)}}`;
}

function bodyOf(set: FieldSet): string {
  let body = bodies.get(set);
  if (body === undefined) {
    body = '';
    for (const element of sortedElements(set)) body += `${(body === '' ? '' : ',') + quoteJson(element)}:${textOfNode(set.get(element) as FieldNode)}`;
    bodies.set(set, body);
  }
  return body;
}

function textOfNode({ member, below }: FieldNode): string {
  if (below.size === 0) return '{}';
  return member ? `{".":{},${bodyOf(below)}}` : `{${bodyOf(below)}}`;
}
