import { describe, expect, it } from 'vitest';
import { Environment } from '../environment.ts';
import { optionals } from '../standard/optionals.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { formatType, intType, listType, mapType, objectType, stringType, type Type, typeToString } from '../type.ts';

const pod = objectType('Pod');
const fields: Readonly<Record<string, Type>> = { name: stringType, ports: listType(intType), labels: mapType(stringType, stringType) };
const types = { findType: (name: string) => (name === 'Pod' ? pod : undefined), findField: (_type: string, field: string) => fields[field] };
const environment = new Environment({
  libraries: [standardLibrary, optionals],
  variables: new Map([
    ['self', pod],
    ['x', intType],
  ]),
  types,
});

function check(source: string): string {
  const compiled = environment.compile(source);
  return compiled.program === undefined
    ? compiled.issues.map((issue) => `${issue.column + 1}: ${issue.message}`).join('; ')
    : typeToString(compiled.program.outputType);
}

describe('type checking', () => {
  it.each([
    ['self.ports.map(p, p * 2)', 'list(int)'],
    ['self.?name', 'optional_type(string)'],
    ['self.?labels["a"]', 'optional_type(string)'],
    ['self.labels.all(k, self.labels[k] != "")', 'bool'],
    ['[].map(i, i)', 'list(dyn)'],
    ['x == 1 ? dyn(1) : "a"', 'dyn'],
    ['timestamp("2020-01-01T00:00:00Z") - duration("1h")', 'google.protobuf.Timestamp'],
    ['optional.of(x).optMap(v, string(v))', 'optional_type(string)'],
    ['type(x)', 'type(int)'],
  ])('%s is a %s', (source, type) => {
    expect(check(source)).toBe(type);
  });

  it.each([
    ['self.nope', "5: undefined field 'nope'"],
    ['nope + self.nope', "1: undeclared reference to 'nope' (in container ''); 12: undefined field 'nope'"],
    ['self.name + 1', "11: found no matching overload for '_+_' applied to '(string, int)'"],
    ['self.name.foo()', "14: undeclared reference to 'foo' (in container '')"],
    ['self.name.startsWith(1)', "21: found no matching overload for 'startsWith' applied to 'string.(int)'"],
    ['x && true', "1: expected type 'bool' but found 'int'"],
    ['x.all(i, true)', "1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ['x.y', "2: type 'int' does not support field selection"],
    ['[1, "a"]', "5: expected type 'int' but found 'string'"],
    ['[x, dyn(x)]', "8: expected type 'int' but found 'dyn'"],
    ['has(x)', '5: invalid argument to has() macro'],
    ['[1].map(1, 2)', '9: argument is not an identifier'],
    ['duration("1x")', '10: invalid duration argument'],
    ['duration(5)', '10: invalid duration argument'],
    ['timestamp(9223372036854775807)', '11: invalid timestamp argument'],
    ['"a".matches("[")', '13: invalid matches argument'],
    ['99999999999999999999', '1: invalid int literal'],
    ['self.`name`', "6: unsupported syntax: '`'"],
    ['while', '1: reserved identifier: while'],
  ])('%s is refused: %s', (source, message) => {
    expect(check(source)).toBe(message);
  });

  it('knows which overloads a call may mean', () => {
    const compiled = environment.compile('dyn(x) < x');
    const root = compiled.program?.ast.root;
    expect(root === undefined ? [] : compiled.program?.ast.references.get(root.id)?.overloadIds).toEqual([
      'less_int64',
      'less_uint64_int64',
      'less_double_int64',
    ]);
  });

  it('prints types as the checker of cel-go does', () => {
    expect(formatType(mapType(stringType, listType({ ...intType, nullable: true })))).toBe('map(string, list(wrapper(int)))');
  });
});
