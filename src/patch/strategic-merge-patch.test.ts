import { describe, expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import { applyStrategicMergePatch, decodeStrategicMergePatch, mergeStrategically } from '#patch/strategic-merge-patch.ts';
import { list, map, optional, pointer, rawExtension, rootStruct, string, struct } from '#schema/build.ts';

const Port = struct('test.Port', () => ({ port: optional(1, string), protocol: optional(2, string) }));
const Item = struct('test.Item', () => ({
  name: optional(1, string),
  image: optional(2, string),
  ports: optional(3, list(Port), { patch: { strategy: 'merge', key: 'port' } }),
  args: optional(4, list(string)),
}));
const Strategy = struct('test.Strategy', () => ({
  type: optional(1, string),
  rolling: pointer(
    2,
    struct('test.Rolling', () => ({ max: optional(1, string) })),
  ),
}));
const Thing = rootStruct('test.Thing', () => ({
  items: optional(1, list(Item), { patch: { strategy: 'merge', key: 'name' } }),
  finalizers: optional(2, list(string), { patch: { strategy: 'merge' } }),
  labels: optional(3, map(string)),
  strategy: optional(4, Strategy, { patch: { strategy: 'retainKeys' } }),
  selector: pointer(
    5,
    struct('test.Selector', () => ({ match: optional(1, map(string)) })),
    { patch: { strategy: 'replace' } },
  ),
  keyless: optional(6, list(Item), { patch: { strategy: 'merge' } }),
  extra: optional(7, rawExtension),
  byName: optional(8, map(Item)),
}));

const a = { name: 'a', image: 'a:1', ports: [{ port: '80' }, { port: '90' }], args: ['x'] };
const b = { name: 'b', image: 'b:1' };
const c = { name: 'c', image: 'c:1' };
const live = { items: [a, b], finalizers: ['one', 'two'], labels: { x: '1', y: '2' }, strategy: { type: 'Rolling', rolling: { max: '1' } } };

const results: readonly [name: string, document: object, patch: object, result: object][] = [
  ['merges items under their key', live, { items: [{ name: 'b', image: 'b:2' }] }, { ...live, items: [a, { name: 'b', image: 'b:2' }] }],
  ['puts a new item before what only the server has', live, { items: [c] }, { ...live, items: [c, a, b] }],
  ['keeps the order of known items beside new ones', live, { items: [b, c] }, { ...live, items: [a, b, c] }],
  [
    'merges nested lists',
    live,
    { items: [{ name: 'a', ports: [{ port: '90', protocol: 'UDP' }] }] },
    { ...live, items: [{ ...a, ports: [{ port: '80' }, { port: '90', protocol: 'UDP' }] }, b] },
  ],
  ['replaces lists without strategy', live, { items: [{ name: 'a', args: ['y'] }] }, { ...live, items: [{ ...a, args: ['y'] }, b] }],
  ['deletes an item', live, { items: [{ name: 'a', $patch: 'delete' }] }, { ...live, items: [b] }],
  ['ignores the deletion of a missing item', live, { items: [{ name: 'z', $patch: 'delete' }] }, live],
  ['replaces a whole list', live, { items: [c, { $patch: 'replace' }] }, { ...live, items: [c] }],
  ['replaces a map', live, { labels: { $patch: 'replace', z: '3' } }, { ...live, labels: { z: '3' } }],
  ['empties a map', live, { labels: { $patch: 'delete' } }, { ...live, labels: {} }],
  ['removes a member by null', live, { labels: { x: null, z: '3' } }, { ...live, labels: { y: '2', z: '3' } }],
  ['unites scalars', live, { finalizers: ['three', 'two'] }, { ...live, finalizers: ['three', 'one', 'two'] }],
  ['deletes scalars', live, { '$deleteFromPrimitiveList/finalizers': ['one', 'zzz'] }, { ...live, finalizers: ['two'] }],
  ['reorders', live, { '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }] }, { ...live, items: [b, a] }],
  ['reorders and merges', live, { '$setElementOrder/items': [{ name: 'c' }, { name: 'b' }, { name: 'a' }], items: [c] }, { ...live, items: [c, b, a] }],
  ['reorders scalars', live, { '$setElementOrder/finalizers': ['two', 'one'] }, { ...live, finalizers: ['two', 'one'] }],
  ['an order for a list that is nowhere does nothing', { labels: {} }, { '$setElementOrder/items': [{ name: 'a' }] }, { labels: {} }],
  ['retains only the named keys', live, { strategy: { $retainKeys: ['type'], type: 'Recreate' } }, { ...live, strategy: { type: 'Recreate' } }],
  [
    'replaces where the strategy says so, directives included',
    { selector: { match: { a: '1' } } },
    { selector: { match: { b: '2' }, $patch: 'delete' } },
    { selector: { match: { b: '2' }, $patch: 'delete' } },
  ],
  [
    'adds a member without its nulls and directives',
    {},
    { strategy: { type: null, rolling: { max: '2' } }, labels: { $patch: 'delete' } },
    { strategy: { rolling: { max: '2' } } },
  ],
  ['adds a list without its directives', {}, { items: [c, { name: 'a', $patch: 'delete' }] }, { items: [c] }],
  ['passes unknown fields through', live, { nonsense: { a: 1 } }, { ...live, nonsense: { a: 1 } }],
  ['gives way to another type', live, { items: 'text' }, { ...live, items: 'text' }],
  ['merges free-form objects one level deep', { extra: { a: 1 } }, { extra: { b: 2 } }, { extra: { a: 1, b: 2 } }],
];

const refusals: readonly [name: string, document: object, patch: object, code: number, message: string][] = [
  ['an item without its key', live, { items: [{ image: 'x' }] }, 400, 'map: map[image:x] does not contain declared merge key: name'],
  ['an unknown directive', live, { $patch: 'nonsense' }, 400, 'unknown patch type: nonsense in map: map[$patch:nonsense]'],
  ['an unknown directive on an item', live, { items: [{ name: 'a', $patch: 'nope' }] }, 400, 'unknown patch type: nope in map: map[$patch:nope name:a]'],
  ['the merge directive', live, { items: [{ name: 'a', $patch: 'merge' }] }, 400, 'merging lists cannot yet be specified in the patch'],
  ['mixed lists', { items: [b] }, { items: ['x'] }, 400, 'list element types are not identical: [[map[image:b:1 name:b]] [x]]'],
  ['wrong retainKeys', live, { strategy: { $retainKeys: 'x' } }, 400, 'invalid patch format of retainKeys'],
  ['members beside retainKeys', live, { strategy: { $retainKeys: ['other'], type: 'x' } }, 400, 'invalid patch format of retainKeys'],
  [
    'an order without the item',
    live,
    { '$setElementOrder/items': [{ name: 'b' }], items: [{ name: 'a', image: 'x' }] },
    400,
    "The order in patch list:\n[map[image:x name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
  ],
  ['an order of texts for maps', live, { '$setElementOrder/items': ['a'] }, 400, 'value for key 0 is not a map'],
  ['an order that is no list', live, { '$setElementOrder/items': 'a' }, 400, 'expected a []interface {}, but received a string'],
  ['a directive without field', live, { $deleteFromPrimitiveList: ['a'] }, 400, 'invalid patch format of primitive list'],
  ['an order for an unknown field', live, { '$setElementOrder/nope': ['a'] }, 400, 'unable to find api field in struct Thing for the json field "nope"'],
  ['merging maps without a key', { keyless: [a] }, { keyless: [b] }, 400, 'cannot merge lists without merge key for struct'],
  [
    'merging inside a map of structs',
    { byName: { a } },
    { byName: { a: { image: 'x' } } },
    400,
    'merging an object in json but data type is not struct, instead is: map',
  ],
  [
    'merging deep inside free-form objects',
    { extra: { a: {} } },
    { extra: { a: {} } },
    400,
    'unable to find api field in struct RawExtension for the json field "a"',
  ],
];

describe('applyStrategicMergePatch', () => {
  test.each(results)('%s', (_, document, patch, result) => {
    const before = structuredClone({ document, patch });
    expect(applyStrategicMergePatch(Thing, document, patch)).toEqual(result);
    expect({ document, patch }).toEqual(before);
  });

  test.each(refusals)('refuses %s', (...[, document, patch, code, message]) => {
    let thrown: unknown;
    try {
      applyStrategicMergePatch(Thing, document, patch);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ApiError);
    expect({ code: (thrown as ApiError).code, message: (thrown as ApiError).message }).toEqual({ code, message });
  });

  test('hands back the patch without the directives it carried out', () => {
    const patch = { '$setElementOrder/items': [{ name: 'a' }], items: [{ name: 'a' }], labels: { z: '1' } };
    expect(mergeStrategically(Thing, live, patch).consumed).toEqual({ labels: { z: '1' } });
  });
});

describe('decodeStrategicMergePatch', () => {
  test.each([
    ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['', 'unexpected end of JSON input'],
    ['data:\n  x: y\n', "invalid character 'd' looking for beginning of value"],
  ])('refuses %j', (text, message) => {
    expect(() => decodeStrategicMergePatch(Buffer.from(text))).toThrow(new ApiError(400, 'BadRequest', message));
  });
});
