// The field sets of managedFields are often half of an object's text. They are found in it and left out, so that JSON.parse does not see
// them (fields-text.ts). Works on compact text in which metadata comes where ours does; any other is parsed as a whole.
// test/bench/codec.ts pays for this.
import { sharedMemo } from '#base/shared-memos.ts';
import { isAscii } from 'node:buffer';
import type { KubernetesObject } from '#api/object.ts';
import { defineFields } from '#schema/fields-text/fields-text.ts';
import { type RecentFieldSet, RecentFieldSets } from '#schema/fields-text/recent-field-sets.ts';

export interface WithoutSets {
  /** The text without the `fieldsV1` of any entry. */
  readonly text: string;
  /** Where it comes from: starts and ends in turn. */
  readonly kept: readonly number[];
  /** What was left out, one for each entry. */
  readonly sets: readonly string[];
}

const metadataKey = Buffer.from('"metadata":{');
const entriesKey = Buffer.from(',"managedFields":[{');
const setKey = Buffer.from(',"fieldsV1":{');

/** Undefined when there are none, or when they are not written as expected. */
export function leaveOutSets(bytes: Buffer): WithoutSets | undefined {
  const metadata = bytes.indexOf(metadataKey);
  if (metadata < 0 || depthAt(bytes, 0, metadata) !== 1) return undefined;
  const braces = metadata + metadataKey.length - 1;
  const entries = bytes.indexOf(entriesKey, braces);
  if (entries < 0 || depthAt(bytes, braces, entries) !== 1) return undefined;
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  const sets: string[] = [];
  const kept: number[] = [];
  let text = '';
  let done = 0;
  for (let at = entries + entriesKey.length - 1; ; ) {
    const set = bytes.indexOf(setKey, at);
    if (set < 0 || depthAt(bytes, at, set) !== 1) return undefined;
    const start = set + setKey.length - 1;
    const found = recent.at(bytes, start) ?? findSet(bytes, start, encoding);
    if (found === undefined) return undefined;
    const end = start + found.length;
    const entryEnd = bytes.indexOf(closingBrace, end) + 1;
    if (entryEnd === 0) return undefined;
    sets.push(found.text);
    text += bytes.toString(encoding, done, set);
    kept.push(done, set);
    done = end;
    if (bytes[entryEnd] === closingBracket) return { text: text + bytes.toString(encoding, done), kept: [...kept, done, bytes.length], sets };
    if (bytes[entryEnd] !== comma || bytes[entryEnd + 1] !== openingBrace) return undefined;
    at = entryEnd + 1;
  }
}

const recent = sharedMemo(new RecentFieldSets());

function findSet(bytes: Buffer, start: number, encoding: 'latin1' | 'utf8'): RecentFieldSet | undefined {
  const end = endOfObject(bytes, start);
  return end < 0 ? undefined : recent.add(bytes, start, end, bytes.toString(encoding, start, end));
}

/** Gives the entries of a parsed or decoded object their sets back. False when they are not those of the text. */
export function giveSetsBack({ metadata }: KubernetesObject, sets: readonly string[]): boolean {
  const entries = metadata.managedFields;
  if (entries?.length !== sets.length || entries.some((entry) => entry.fieldsV1 !== undefined)) return false;
  entries.forEach((entry, index) => defineFields(entry, sets[index] as string));
  return true;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** How many objects and arrays are open at `to` that began at `from` or later; -1 inside a string, or when the first has ended before. */
function depthAt(bytes: Buffer, from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
      if (at >= to) return -1;
    } else if (byte === openingBrace || byte === openingBracket) depth++;
    else if ((byte === closingBrace || byte === closingBracket) && --depth === 0) return -1;
  }
  return depth;
}

/** Behind the object that begins here; -1 when it does not end. */
function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openingBrace) depth++;
    else if (byte === closingBrace && --depth === 0) return at + 1;
  }
  return -1;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
