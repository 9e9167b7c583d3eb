// What names an object, and its resourceVersion: all that loops of this server read of most answers. Nothing is parsed, converted or put together for it.
import { findValue, pathOf } from '#base/json-scan.ts';
import type { Item } from '#verbs/answer.ts';

const named = ['name', 'namespace', 'uid'].map((field) => ({ field, path: pathOf(`metadata.${field}`) }));

export function briefly({ stored, json, revision }: Pick<Item, 'json' | 'revision' | 'stored'>): string {
  const bytes = stored === undefined ? json : Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const members: string[] = [];
  for (const { field, path } of named) {
    const place = findValue(bytes, 0, path);
    if (place !== undefined) members.push(`"${field}":${bytes.toString('utf8', place.start, place.end)}`);
  }
  if (revision !== 0) members.push(`"resourceVersion":"${revision}"`);
  return `{"metadata":{${members.join(',')}}}`;
}
