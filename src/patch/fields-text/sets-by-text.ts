// Field sets by the text that stands for them in managedFields. Objects of one controller are owned alike, so that the same few texts come
// again and again: their sets are kept, and a set that is kept knows its text (schema/fields-text/fields-text.ts has the whole story).
import { sharedMemo } from '#base/shared-memos.ts';
import { emptySet, type FieldNode, type FieldSet, sortedElements } from '#patch/apply/field-set.ts';
import { fromFieldsV1 } from '#patch/apply/fields-v1.ts';
import { quoteJson, stringify } from '#schema/json/json-text.ts';

/** Sets of the newer generation; when it is full, it becomes the older one. A set takes some ten times its text. */
const generation = 64;
const generationCharacters = 512 << 10;
const longestText = 64 << 10;

class RecentSets {
  #newer = new Map<string, FieldSet>();
  #older = new Map<string, FieldSet>();
  /** Of the newer generation. */
  #characters = 0;

  get(text: string): FieldSet | undefined {
    const set = this.#newer.get(text);
    if (set !== undefined) return set;
    const aged = this.#older.get(text);
    return aged && this.keep(text, aged);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#characters = 0;
  }

  keep(text: string, set: FieldSet): FieldSet {
    if (text.length > longestText) return set;
    this.#characters += text.length;
    if (this.#newer.size >= generation || this.#characters > generationCharacters) {
      [this.#newer, this.#older] = [new Map(), this.#newer];
      this.#characters = text.length;
    }
    this.#newer.set(text, set);
    return set;
  }
}

const recent = sharedMemo(new RecentSets());

/** What stands between the braces; by parts, because a change leaves most of them as they were. */
const bodies = new WeakMap<FieldSet, string>();

/** The set that a text of managedFields stands for, whoever wrote it. Throws a FieldsV1Error. */
export function setOfText(text: string): FieldSet {
  return recent.get(text) ?? recent.keep(text, fromFieldsV1(JSON.parse(text)));
}

/** The set of a value of the API. Throws a FieldsV1Error. */
export function setOfValue(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  const text = stringify(fields);
  return recent.get(text) ?? recent.keep(text, fromFieldsV1(fields));
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
