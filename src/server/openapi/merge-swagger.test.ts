import { describe, expect, test } from 'vitest';
import { filterSwagger, mergeSwagger } from '#server/openapi/merge-swagger.ts';

const kinds = 'x-kubernetes-group-version-kind';
const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const path = (name: string) => ({ get: { responses: { 200: { schema: ref(name) } } } });
const text = { type: 'string' };
const number = { type: 'integer' };
const gvk = (version: string) => ({ group: 'g', version, kind: 'K' });

describe('merging', () => {
  test('changes neither document', () => {
    const into = Object.freeze({ paths: Object.freeze({ '/a': path('A') }), definitions: Object.freeze({ A: text }) });
    const from = Object.freeze({ paths: Object.freeze({ '/b': path('A') }), definitions: Object.freeze({ A: number }) });
    expect(mergeSwagger(into, from)).not.toBe(into);
    expect([into.definitions, from.paths['/b']]).toEqual([{ A: text }, path('A')]);
  });

  test('leaves a path to who has it first, and what that path alone needs behind', () => {
    const into = { paths: { '/a': path('A') }, definitions: { A: text } };
    const from = { paths: { '/a': path('Theirs'), '/b': path('B') }, definitions: { Theirs: number, B: number } };
    expect(mergeSwagger(into, from)).toEqual({ paths: { '/a': path('A'), '/b': path('B') }, definitions: { A: text, B: number }, parameters: {} });
  });

  test('adds nothing of a document without new paths', () => {
    const into = { paths: { '/a': path('A') }, definitions: { A: text } };
    expect(mergeSwagger(into, { paths: { '/a': path('A') }, definitions: { B: text } })).toBe(into);
    expect(mergeSwagger(into, { definitions: { B: text } })).toBe(into);
  });

  test('gives definitions that differ another name, everywhere', () => {
    const into = { paths: { '/a': path('A') }, definitions: { A: text, A_v2: { type: 'boolean' } } };
    const from = { paths: { '/b': path('B') }, definitions: { A: number, B: { properties: { a: ref('A') } } } };
    expect(mergeSwagger(into, from)).toMatchObject({
      definitions: { A: text, A_v2: { type: 'boolean' }, A_v3: number, B: { properties: { a: ref('A_v3') } } },
    });
  });

  test('uses a name that already holds the same, and one of the added document never twice', () => {
    const into = { paths: { '/a': path('A') }, definitions: { A: text, A_v2: number } };
    const same = mergeSwagger(into, { paths: { '/b': path('A') }, definitions: { A: number } });
    expect([same.definitions, same.paths?.['/b']]).toEqual([into.definitions, path('A_v2')]);
    const taken = mergeSwagger(
      { paths: {}, definitions: { A: text } },
      { paths: { '/b': path('A'), '/c': path('A_v2') }, definitions: { A: number, A_v2: { type: 'boolean' } } },
    );
    expect(taken.definitions).toEqual({ A: text, A_v3: number, A_v2: { type: 'boolean' } });
  });

  test('joins the kinds of definitions that are otherwise alike', () => {
    const into = { paths: { '/a': path('A') }, definitions: { A: { ...text, [kinds]: [gvk('v2')] } } };
    const from = { paths: { '/b': path('A') }, definitions: { A: { ...text, [kinds]: [gvk('v1'), gvk('v2')] } } };
    expect(mergeSwagger(into, from).definitions).toEqual({ A: { ...text, [kinds]: [gvk('v1'), gvk('v2')] } });
  });

  test('gives shared parameters that differ another name', () => {
    const using = { get: { parameters: [{ $ref: '#/parameters/p' }] } };
    const merged = mergeSwagger({ paths: { '/a': using }, parameters: { p: { name: 'p' } } }, { paths: { '/b': using }, parameters: { p: { name: 'q' } } });
    expect(merged.parameters).toEqual({ p: { name: 'p' }, p_v2: { name: 'q' } });
    expect(merged.paths).toEqual({ '/a': using, '/b': { get: { parameters: [{ $ref: '#/parameters/p_v2' }] } } });
  });
});

describe('filtering', () => {
  test('drops definitions that only dropped paths need, also indirectly and in circles, and keeps unused ones', () => {
    const definitions = {
      A: { properties: { inner: ref('Inner') } },
      Inner: { properties: { up: ref('A') } },
      B: text,
      Unused: text,
    };
    const { paths, definitions: left } = filterSwagger({ paths: { '/a': path('A'), '/b': path('B') }, definitions }, (name) => name === '/b');
    expect([Object.keys(paths ?? {}), Object.keys(left ?? {})]).toEqual([['/b'], ['B', 'Unused']]);
  });
});
