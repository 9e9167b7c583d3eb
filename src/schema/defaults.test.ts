import { describe, expect, test } from 'vitest';
import { embedded, int32, list, map, optional, pointer, ref, required, string, struct, type StructSchema } from '#schema/build.ts';
import { applyDefaults, defaultsOf, noDefaults } from '#schema/defaults.ts';

const Port = struct('test.v1.Port', () => ({ protocol: optional(1, string, { default: 'TCP' }), weight: required(2, int32, { default: 5 }) }));
const Plain = struct('test.v1.Plain', () => ({ name: optional(1, string) }));
const Spec = struct('test.v1.Spec', () => ({
  policy: pointer(1, string, { default: 'Always' }),
  ports: optional(2, list(Port)),
  named: optional(3, map(Port)),
  plain: pointer(4, Plain),
  mode: optional(5, string),
}));
const Thing = struct('test.v1.Thing', () => ({ spec: embedded(1, Spec) }));
const thing = {
  schema: Thing,
  defaults: [
    defaultsOf(Spec, (spec) => {
      spec.mode ??= 'Fast';
      spec.ports ??= [{ weight: 0 }];
    }),
  ],
};

const filled = (spec: object) => {
  const object = { spec };
  applyDefaults(thing, object);
  return object.spec;
};

describe('defaults', () => {
  test("a struct's own function runs first; what it adds is filled in like everything else", () => {
    expect(filled({})).toEqual({ mode: 'Fast', ports: [{ protocol: 'TCP', weight: 5 }], policy: 'Always' });
  });

  test('what is set stays', () => {
    const spec = { mode: 'Slow', policy: 'Never', ports: [{ protocol: 'UDP', weight: 1 }] };
    expect(filled(structuredClone(spec))).toEqual(spec);
  });

  test('a value is empty when it is zero, a pointer only when it is not there', () => {
    expect(filled({ policy: '', ports: [{ protocol: '', weight: 0 }] })).toMatchObject({ policy: '', ports: [{ protocol: 'TCP', weight: 5 }] });
  });

  test('reach into lists and maps', () => {
    expect(filled({ named: { a: {}, b: { protocol: 'SCTP' } } })).toMatchObject({
      named: { a: { protocol: 'TCP', weight: 5 }, b: { protocol: 'SCTP', weight: 5 } },
    });
  });

  test('are idempotent', () => {
    const once = filled({ named: { a: {} } });
    expect(filled(structuredClone(once))).toEqual(once);
  });

  test('do not look into parts without any default', () => {
    const spec = {
      plain: {
        get name(): string {
          throw new Error('nobody needs to look here');
        },
      },
    };
    expect(() => filled(spec)).not.toThrow();
  });

  test('types that contain themselves end', () => {
    const Node: StructSchema = struct('test.v1.Node', () => ({
      kind: optional(1, string, { default: 'leaf' }),
      children: optional(2, list(ref<object>(Node))),
    }));
    const tree = { children: [{ children: [{}] }] };
    applyDefaults({ schema: Node, defaults: noDefaults }, tree);
    expect(tree).toEqual({ kind: 'leaf', children: [{ kind: 'leaf', children: [{ kind: 'leaf' }] }] });
  });
});
