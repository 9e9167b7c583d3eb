import { describe, expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '#api/object.ts';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { applyObject, type FieldManagerRequest, updateManagedFields, withLiveTimes } from '#patch/apply/field-manager.ts';
import { applyMergePatch } from '#patch/merge-patch.ts';
import { embedded, int32, list, map, optional, pointer, rootStruct, type StructSchema, string, struct } from '#schema/build.ts';
import { decodeValue } from '#schema/json/decode.ts';

/** An object that managers take turns to change; one second passes with every write. */
class Script {
  live: KubernetesObject | undefined;
  #seconds = 0;
  readonly #schema: StructSchema;
  readonly #overrides: Partial<FieldManagerRequest>;

  constructor(schema: StructSchema, overrides: Partial<FieldManagerRequest> = {}) {
    this.#schema = schema;
    this.#overrides = overrides;
  }

  create(manager: string, object: object, overrides: Partial<FieldManagerRequest> = {}): this {
    const request = this.#request(manager, overrides);
    return this.#keep(request, updateManagedFields({ ...request, object: decoded(request, { ...identity, metadata: { name: 'x' }, ...object }) }));
  }

  patch(manager: string, patch: object, overrides: Partial<FieldManagerRequest> = {}): this {
    const request = this.#request(manager, overrides);
    return this.#keep(request, updateManagedFields({ ...request, object: decoded(request, applyMergePatch(this.live, patch)) }));
  }

  apply(manager: string, config: object, force = false, overrides: Partial<FieldManagerRequest> = {}): this {
    const request = this.#request(manager, overrides);
    return this.#keep(
      request,
      applyObject({ ...request, applied: { kind: 'ConfigMap', apiVersion: request.apiVersion, metadata: { name: 'x' }, ...config }, force }),
    );
  }

  /** Who owns what, one line per entry. */
  owners(): string[] {
    return (this.live?.metadata.managedFields ?? []).map(({ manager, operation, time, fieldsV1, subresource }) => {
      const place = subresource === undefined ? '' : `/${subresource}`;
      return `${manager} ${operation}${place} ${time?.slice(17, 19) ?? '-'} ${JSON.stringify(fieldsV1)}`;
    });
  }

  get data(): unknown {
    return this.live?.['data'];
  }

  #request(manager: string, overrides: Partial<FieldManagerRequest>): FieldManagerRequest {
    this.#seconds += 1;
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, this.#seconds));
    return { schema: this.#schema, live: this.live, manager, subresource: '', apiVersion: 'v1', now, resetFields: [], ...this.#overrides, ...overrides };
  }

  #keep(request: FieldManagerRequest, object: KubernetesObject): this {
    this.live = decoded(request, { ...object, metadata: { uid: 'u', ...object.metadata } });
    return this;
  }
}

function decoded({ schema }: FieldManagerRequest, value: unknown): KubernetesObject {
  return decodeValue(schema, value).object;
}

const identity = { kind: 'ConfigMap', apiVersion: 'v1' };
const configMap = () => new Script(ConfigMap);

function refusal(act: () => unknown): [code: number, message: string, fields: (string | undefined)[] | undefined] | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.message, error.details?.causes?.map(({ field }) => field)];
    throw error;
  }
  return undefined;
}

describe('updates', () => {
  test('who creates owns what was sent', () => {
    expect(
      configMap()
        .create('m', { data: { a: '1' }, metadata: { name: 'x', labels: { l: '1' } } })
        .owners(),
    ).toEqual(['m Update 01 {"f:data":{".":{},"f:a":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}']);
  });

  test('who changes a value takes it over', () => {
    expect(
      configMap()
        .create('m', { data: { a: '1', b: '1' } })
        .patch('n', { data: { a: '2', c: '3' } })
        .owners(),
    ).toEqual(['m Update 01 {"f:data":{".":{},"f:b":{}}}', 'n Update 02 {"f:data":{"f:a":{},"f:c":{}}}']);
  });

  test('who changes nothing leaves no trace', () => {
    const script = configMap().create('m', { data: { a: '1' } });
    const before = script.live;
    expect(script.patch('n', { data: { a: '1' } }).live).toEqual(before);
  });

  test('what is removed is owned by nobody, and a manager without fields is gone', () => {
    expect(
      configMap()
        .create('m', { data: { a: '1' } })
        .patch('n', { data: { b: '2' } })
        .patch('o', { data: { b: null } })
        .owners(),
    ).toEqual(['m Update 01 {"f:data":{".":{},"f:a":{}}}']);
  });

  test('a manager keeps one entry per subresource', () => {
    const script = configMap()
      .create('m', { data: { a: '1' } })
      .patch('m', { data: { b: '2' } }, { subresource: 'status' });
    expect(script.owners()).toEqual(['m Update 01 {"f:data":{".":{},"f:a":{}}}', 'm Update/status 02 {"f:data":{"f:b":{}}}']);
  });

  test('what an endpoint resets cannot be owned through it', () => {
    expect(
      configMap()
        .create('m', { data: { a: '1' }, binaryData: { b: 'eA==' } }, { resetFields: [['binaryData']] })
        .owners(),
    ).toEqual(['m Update 01 {"f:data":{".":{},"f:a":{}}}']);
  });

  test('an endpoint may allow only some paths', () => {
    const script = configMap().create('m', { data: { a: '1', b: '2' }, immutable: true }, { ownableFields: [['data', 'a']] });
    expect(script.owners()).toEqual(['m Update 01 {"f:data":{".":{},"f:a":{}}}']);
  });

  test('the oldest of more than ten updaters become one', () => {
    const script = configMap().create('m0', { data: { k0: '1' } });
    for (let index = 1; index <= 11; index += 1) script.patch(`m${index}`, { data: { [`k${index}`]: '1' } });
    const owners = script.owners();
    expect(owners).toHaveLength(10);
    expect(owners[0]).toBe('ancient-changes Update 03 {"f:data":{".":{},"f:k0":{},"f:k1":{},"f:k2":{}}}');
  });

  test('a name that is empty is unknown', () => {
    expect(configMap().create('', { immutable: true }).owners()).toEqual(['unknown Update 01 {"f:immutable":{}}']);
  });
});

describe('managedFields sent by clients', () => {
  const entry = (change: object = {}): ManagedFieldsEntry => ({
    manager: 'z',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
    ...change,
  });
  const sent = (managedFields: unknown, overrides: Partial<FieldManagerRequest> = {}) =>
    configMap()
      .create('m', { data: { a: '1' } })
      .patch('n', { metadata: { managedFields } }, overrides)
      .owners();
  const kept = ['m Update 01 {"f:data":{".":{},"f:a":{}}}'];

  test('are taken when they can be read', () => {
    expect(sent([entry()])).toEqual(['z Update - {"f:data":{"f:a":{}}}']);
  });

  test.each([
    ['an unknown operation', entry({ operation: 'Other' })],
    ['no version', entry({ apiVersion: '' })],
    ['no fieldsType', entry({ fieldsType: '' })],
    ['another fieldsType', entry({ fieldsType: 'Other' })],
    ['a broken set', entry({ fieldsV1: { nonsense: {} } })],
  ])('are ignored with %s', (_, broken) => {
    expect(sent([broken])).toEqual(kept);
  });

  test('are ignored through a subresource', () => {
    expect(sent([entry()], { subresource: 'status' })).toEqual(kept);
  });

  test('end tracking when they say nothing, until the next apply', () => {
    const script = configMap()
      .create('m', { data: { a: '1' } })
      .patch('n', { metadata: { managedFields: [{}] } });
    expect(script.owners()).toEqual([]);
    expect(script.patch('n', { data: { b: '2' } }).owners()).toEqual([]);
    expect(script.apply('p', { data: { c: '3' } }).owners()).toEqual([
      'p Apply 04 {"f:data":{"f:c":{}}}',
      'before-first-apply Update 04 {"f:data":{".":{},"f:a":{},"f:b":{}}}',
    ]);
  });
});

describe('apply', () => {
  test('creates, and owns what it says', () => {
    const script = configMap().apply('m', { data: { a: '1' } });
    expect([script.data, script.owners()]).toEqual([{ a: '1' }, ['m Apply 01 {"f:data":{"f:a":{}}}']]);
  });

  test('merges with what is there', () => {
    const script = configMap()
      .create('m', { data: { a: '1' } })
      .apply('n', { data: { b: '2' } });
    expect(script.data).toEqual({ a: '1', b: '2' });
  });

  test('again keeps the time', () => {
    const script = configMap().apply('m', { data: { a: '1' } });
    const before = script.live;
    expect(script.apply('m', { data: { a: '1' } }).live).toEqual(before);
  });

  test('of the same value shares it, without a time of its own', () => {
    expect(
      configMap()
        .apply('m', { data: { a: '1' } })
        .apply('n', { data: { a: '1' } })
        .owners(),
    ).toEqual(['n Apply - {"f:data":{"f:a":{}}}', 'm Apply 01 {"f:data":{"f:a":{}}}']);
  });

  test('removes what only this applier applied before', () => {
    const script = configMap()
      .apply('m', { data: { a: '1', b: '2' } })
      .apply('n', { data: { b: '2' } })
      .apply('m', { data: {} });
    expect(script.data).toEqual({ b: '2' });
    expect(script.apply('n', {}).data).toBeUndefined();
  });

  test('leaves what somebody updated since', () => {
    const script = configMap()
      .apply('m', { data: { a: '1', b: '2' } })
      .patch('u', { data: { b: '3' } })
      .apply('m', { data: { a: '1' } });
    expect(script.data).toEqual({ a: '1', b: '3' });
  });

  test('leaves what nobody owns, as long as something holds it', () => {
    const script = configMap().apply('m', { data: { a: '1', b: '2' } });
    (script.live as KubernetesObject)['data'] = { a: '1', b: '2', stray: '3' };
    expect(script.apply('m', { data: { b: '2' } }).data).toEqual({ b: '2', stray: '3' });
    expect(script.apply('m', {}).data).toBeUndefined();
  });
});

describe('conflicts', () => {
  test('apply of another value conflicts', () => {
    const script = configMap().apply('m', { data: { a: '1' } });
    expect(refusal(() => script.apply('n', { data: { a: '2' } }))).toEqual([409, 'Apply failed with 1 conflict: conflict with "m": .data.a', ['.data.a']]);
  });

  test('are all named, by manager', () => {
    const script = configMap()
      .apply('m', { data: { a: '1', b: '1' } })
      .patch('u', { data: { c: '1' } }, { subresource: 'status' });
    expect(refusal(() => script.apply('n', { data: { a: '2', b: '2', c: '2' } }))).toEqual([
      409,
      'Apply failed with 3 conflicts: conflicts with "m":\n- .data.a\n- .data.b\nconflicts with "u" with subresource "status" using v1:\n- .data.c',
      ['.data.a', '.data.b', '.data.c'],
    ]);
  });

  test('are won by force', () => {
    const script = configMap()
      .apply('m', { data: { a: '1', b: '1' } })
      .apply('n', { data: { a: '2' } }, true);
    expect([script.data, script.owners()]).toEqual([{ a: '2', b: '1' }, ['m Apply 01 {"f:data":{"f:b":{}}}', 'n Apply 02 {"f:data":{"f:a":{}}}']]);
  });

  test('arise from an empty map applied twice, because it is not stored', () => {
    const script = configMap().apply('m', { data: {} });
    expect(refusal(() => script.apply('n', { data: {} }))).toEqual([409, 'Apply failed with 1 conflict: conflict with "m": .data', ['.data']]);
  });
});

describe('appliers', () => {
  test('of nothing disappear from managedFields', () => {
    expect(
      configMap()
        .apply('m', { data: { a: '1' } })
        .apply('m', {})
        .owners(),
    ).toEqual([]);
  });

  test('of a set add and remove their own items', () => {
    const script = configMap()
      .apply('m', { metadata: { name: 'x', finalizers: ['a/a', 'b/b'] } })
      .apply('n', { metadata: { name: 'x', finalizers: ['c/c'] } });
    expect(script.live?.metadata.finalizers).toEqual(['a/a', 'b/b', 'c/c']);
    expect(script.apply('m', { metadata: { name: 'x', finalizers: ['b/b'] } }).live?.metadata.finalizers).toEqual(['b/b', 'c/c']);
  });

  test.each<[object, number, string]>([
    [{ nope: 1 }, 400, 'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .nope: field not declared in schema'],
    [{ data: { a: 5 } }, 400, 'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:5}'],
    [
      { metadata: { name: 'x', generation: 1.5 } },
      400,
      'failed to convert new object (/x; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: cannot convert float64 to int64',
    ],
    [{ metadata: { name: 'x', managedFields: [] } }, 400, 'metadata.managedFields must be nil'],
  ])('are refused with %j', (config, code, message) => {
    expect(refusal(() => configMap().apply('m', config))).toEqual([code, message, undefined]);
  });

  test('are taken with managedFields that are no entries', () => {
    const { live } = configMap().apply('m', { metadata: { name: 'x', managedFields: [null] }, data: { a: '1' } });
    expect((live as KubernetesObject).metadata.managedFields?.map(({ manager }) => manager)).toEqual(['m']);
  });

  test('are refused when the managedFields of the object cannot be read', () => {
    const script = configMap().create('m', { data: { a: '1' } });
    (script.live as KubernetesObject).metadata.managedFields = [{ operation: 'Other' }];
    expect(refusal(() => script.apply('n', {}))?.[1]).toBe('failed to decode managed fields: operation must be `Apply` or `Update`');
  });
});

describe('the hand-over from client-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const started = (data: object = { a: '1', b: '2' }) =>
    configMap().create('kubectl-client-side-apply', {
      metadata: { name: 'x', annotations: { [annotation]: JSON.stringify({ ...identity, metadata: { name: 'x' }, data: { a: '1', b: '2' } }) } },
      data,
    });

  test('kubectl wins over what it had applied, and the annotation follows', () => {
    const script = started().apply('kubectl', { data: { b: '2', a: '9' } });
    expect(script.data).toEqual({ a: '9', b: '2' });
    expect(script.live?.metadata.annotations?.[annotation]).toBe('{"apiVersion":"v1","data":{"a":"9","b":"2"},"kind":"ConfigMap","metadata":{"name":"x"}}\n');
  });

  test('others do not', () => {
    expect(refusal(() => started().apply('helm', { data: { a: '9' } }))?.[0]).toBe(409);
  });

  test('a value that was changed since is a conflict', () => {
    expect(refusal(() => started({ a: 'drift', b: '2' }).apply('kubectl', { data: { a: '9', b: '9' } }))?.[2]).toEqual(['.data.a']);
  });
});

describe('versions', () => {
  /** v1 calls `size` what v2 calls `width`. */
  const Meta = embedded(1, ObjectMeta);
  const V1 = rootStruct('test.v1.Box', () => ({ metadata: Meta, size: pointer(2, int32), items: optional(3, list(string), { merge: 'set' }) }));
  const V2 = rootStruct('test.v2.Box', () => ({ metadata: Meta, width: pointer(2, int32), items: optional(3, list(string), { merge: 'set' }) }));
  const convert = (object: KubernetesObject, apiVersion: string) => {
    const { size, width, ...rest } = object;
    const value = size ?? width;
    if (apiVersion === 'v1') return { schema: V1, object: { ...rest, apiVersion, ...(value !== undefined && { size: value }) } as KubernetesObject };
    if (apiVersion === 'v2') return { schema: V2, object: { ...rest, apiVersion, ...(value !== undefined && { width: value }) } as KubernetesObject };
    return undefined;
  };
  const inV2 = { schema: V2, apiVersion: 'v2' };
  const box = () => new Script(V1, { convert });
  const turn = (script: Script) => {
    script.live = convert(script.live as KubernetesObject, 'v2')?.object as KubernetesObject;
    return script;
  };

  test('a conflict is found in the version of the owner', () => {
    const script = turn(box().apply('m', { size: 1 }));
    expect(refusal(() => script.apply('n', { width: 2 }, false, inV2))?.[1]).toBe('Apply failed with 1 conflict: conflict with "m": .size');
  });

  test('an applier that moves on to another version still gives up what it drops', () => {
    const script = turn(box().apply('m', { size: 1, items: ['a'] })).apply('m', { items: ['b'] }, false, inV2);
    expect([script.live?.['width'], script.live?.['items'], script.owners()]).toEqual([undefined, ['b'], ['m Apply 02 {"f:items":{"v:\\"b\\"":{}}}']]);
  });

  test('updates through another version take over the field they mean', () => {
    const script = turn(box().apply('m', { size: 1, items: ['a'] })).patch('u', { width: 5 }, inV2);
    expect(script.owners()).toEqual(['m Apply 01 {"f:items":{"v:\\"a\\"":{}}}', 'u Update 02 {"f:width":{}}']);
  });

  test('owners in a version that is gone are dropped', () => {
    const script = box().apply('m', { size: 1 });
    ((script.live as KubernetesObject).metadata.managedFields as ManagedFieldsEntry[])[0] = {
      manager: 'old',
      operation: 'Apply',
      apiVersion: 'v0',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:depth': {} },
    };
    expect(script.apply('n', { items: ['a'] }).owners()).toEqual(['n Apply 02 {"f:items":{"v:\\"a\\"":{}}}']);
  });
});

describe('custom resources', () => {
  const Spec = struct('', () => ({ size: pointer(1, int32), limits: pointer(2, map(string)) }));
  const Widget = struct('', () => ({ metadata: embedded(1, ObjectMeta), spec: pointer(2, Spec) }), { root: true });

  test('own the objects that hold their fields', () => {
    expect(new Script(Widget).create('m', { spec: { size: 1, limits: {} } }).owners()).toEqual(['m Update 01 {"f:spec":{".":{},"f:limits":{},"f:size":{}}}']);
  });

  test('are merged like any other kind', () => {
    const script = new Script(Widget)
      .apply('m', { spec: { size: 1, limits: { a: '1' } } })
      .apply('n', { spec: { limits: { b: '2' } } })
      .apply('m', { spec: { size: 1 } });
    expect(script.live?.['spec']).toEqual({ size: 1, limits: { b: '2' } });
  });
});

describe('withLiveTimes', () => {
  const at = (time: string, value: string): KubernetesObject => ({ metadata: { managedFields: [{ manager: 'm', time }] }, data: { value } });

  test('puts the times back when nothing else changed', () => {
    expect(withLiveTimes(at('new', 'a'), at('old', 'a'))).toEqual(at('old', 'a'));
  });

  test('leaves them when something did', () => {
    expect(withLiveTimes(at('new', 'b'), at('old', 'a'))).toEqual(at('new', 'b'));
  });
});
