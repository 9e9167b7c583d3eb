import { describe, expect, it } from 'vitest';
import { mostElements, refuseCrowdedJson } from '#schema/element-limit.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import { decodeSentProtobuf } from '#schema/protobuf/protobuf.ts';
import { list, optional, string, struct } from '#schema/build.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

const refusal = { code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: limit is ${mostElements} fields and items` };
const refuses = (act: () => unknown) => expect(act).toThrow(expect.objectContaining(refusal));

describe('a body', () => {
  it('in JSON has so many members and items and no more', () => {
    const members = (count: number) => Buffer.from(`{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`);
    expect(Object.keys(parseJson(members(mostElements)).value as object)).toHaveLength(mostElements);
    refuses(() => parseJson(members(mostElements + 1)));
    refuses(() => parseJson(Buffer.from(`[${'1,'.repeat(mostElements)}1]`)));
    refuses(() => parseJson(Buffer.from(`[${'[],'.repeat(mostElements)}1]`)));
  });

  it('may have any text, commas and escaped quotes too', () => {
    const text = JSON.stringify({ a: `${',:[{'.repeat(mostElements)}"`.repeat(2), b: '\\' });
    expect(() => refuseCrowdedJson(Buffer.from(text))).not.toThrow();
  });

  it('in YAML has so many nodes, those of aliases counted', () => {
    refuses(() => parseYaml(`a: [${'1,'.repeat(mostElements)}1]`));
    refuses(() => parseYaml(`a: &a [${'1,'.repeat(1000)}1]\nb: [${'*a,'.repeat(100)}1]`));
  });

  it('in protobuf has twice as many fields, and no longer lists', () => {
    const schema = struct('Test', () => ({ items: optional(1, list(string)), name: optional(2, string) }));
    const fields = (tag: number, count: number) => Buffer.alloc(2 * count, Buffer.from([tag, 0]));
    const [item, name] = [0x0a, 0x12];
    const tooMany = expect.objectContaining({ code: 413 });
    expect(decodeSentProtobuf(schema, fields(item, mostElements))['items']).toHaveLength(mostElements);
    expect(() => decodeSentProtobuf(schema, fields(item, mostElements + 1))).toThrow(tooMany);
    expect(() => decodeSentProtobuf(schema, fields(name, 2 * mostElements))).not.toThrow();
    expect(() => decodeSentProtobuf(schema, fields(name, 2 * mostElements + 1))).toThrow(tooMany);
  });
});
