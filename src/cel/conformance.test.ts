/** The language's own conformance tests (cel-spec), those that need no protobuf messages, and cel-go's parser tests with their error texts. */
import type { Type as SpecType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { Value as SpecValue } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { getConformanceSuite, getParsingSuite, type IncrementalTest, type IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, it } from 'vitest';
import { Environment } from './environment.ts';
import { stringsLibrary } from './library/strings.ts';
import { bindings } from './macro/bindings.ts';
import { twoVariableComprehensions } from './macro/two-variable-macros.ts';
import { celEquals } from './standard/equality.ts';
import { formatValue } from './standard/format-value.ts';
import { optionals } from './standard/optionals.ts';
import { standardLibrary } from './standard/standard-library.ts';
import { ValueMap } from './standard/value-map.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  stringType,
  type Type,
  typeParam,
  typeTypeOf,
  uintType,
} from './type.ts';
import { ArrayList, type CelValue, TypeValue, Uint } from './value.ts';

const libraries = [standardLibrary, optionals, twoVariableComprehensions, bindings, stringsLibrary];

/** Suites about protobuf messages, or about libraries that Kubernetes does not include. */
const leftOutSuites: ReadonlyMap<string, string> = new Map([
  ['proto2', 'protobuf messages'],
  ['proto2_ext', 'protobuf messages'],
  ['proto3', 'protobuf messages'],
  ['enums', 'protobuf enums'],
  ['dynamic', 'protobuf messages'],
  ['wrappers', 'protobuf messages'],
  ['block_ext', 'cel.block is not part of Kubernetes'],
  ['encoders_ext', 'base64 is not part of Kubernetes'],
  ['math_ext', 'math is not part of Kubernetes'],
]);

/** Single tests left out, each for a reason the original has too. */
const leftOut: ReadonlyMap<string, string> = new Map([
  ['fields/qualified_identifier_resolution/map_value_repeat_key', 'cel-go takes the last value of a repeated key'],
  ['fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous', 'cel-go takes the last value of a repeated key'],
  ['fields/map_fields/map_bad_key_type_or_true', 'cel-go refuses a constant that names no member when the program is built'],
  ['fields/map_fields/map_bad_key_type_and_false', 'cel-go refuses a constant that names no member when the program is built'],
  ['fields/qualified_identifier_resolution/map_key_float', 'cel-go finds a key that is a double'],
  ['optionals/optionals/map_null_entry_no_such_key', 'Kubernetes does not enable errors on presence tests of scalars'],
  ['optionals/optionals/map_present_key_invalid_field', 'Kubernetes does not enable errors on presence tests of scalars'],
]);

/** Version 2 of the strings library, which Kubernetes has, formats and counts otherwise than the current one. */
const laterStrings = /^string_ext\/(?:format|value_errors\/(?:last)?indexof_out_of_range)/;

interface Case {
  readonly path: string;
  readonly test: IncrementalTest;
}

function casesOf(suite: IncrementalTestSuite, path: string): readonly Case[] {
  return [
    ...suite.tests.map((test) => ({ path: `${path}/${test.name}`, test })),
    ...suite.suites.flatMap((inner) => casesOf(inner, path === '' ? inner.name : `${path}/${inner.name}`)),
  ];
}

/** Names of protobuf messages and enums in an expression, its variables or its result. */
function needsProtobuf({ test }: Case): boolean {
  const { expr, container, typeEnv, bindings: bound, resultMatcher } = test.original;
  const text = JSON.stringify([typeEnv, bound, resultMatcher], (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return /TestAllTypes|NestedTestAllTypes|google\.protobuf\.(?!Timestamp\b|Duration\b)|google\.protobuf\.(?:Timestamp|Duration)\{|GlobalEnum|cel\.expr\.conformance/.test(
    `${expr} ${container} ${text}`,
  );
}

function valueOf(value: SpecValue): CelValue {
  const { kind } = value;
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'int64Value':
    case 'doubleValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'uint64Value':
      return new Uint(kind.value);
    case 'typeValue':
      return new TypeValue(kind.value);
    case 'listValue':
      return new ArrayList(kind.value.values.map(valueOf));
    case 'mapValue':
      return ValueMap.from(
        kind.value.entries.map(({ key, value: entry }) => [key === undefined ? null : valueOf(key), entry === undefined ? null : valueOf(entry)]),
      );
    default:
      throw new Error(`no value for ${String(kind.case)}`);
  }
}

const primitives: readonly (Type | undefined)[] = [undefined, boolType, intType, uintType, doubleType, stringType, bytesType];

function typeOf(type: SpecType | undefined): Type {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case 'primitive':
      return primitives[kind.value] ?? dynType;
    case 'listType':
      return listType(typeOf(kind.value.elemType));
    case 'mapType':
      return mapType(typeOf(kind.value.keyType), typeOf(kind.value.valueType));
    case 'null':
      return nullType;
    case 'type':
      return typeTypeOf(typeOf(kind.value));
    case 'typeParam':
      return typeParam(kind.value);
    case 'abstractType':
      return opaqueType(kind.value.name, ...kind.value.parameterTypes.map(typeOf));
    default:
      return dynType;
  }
}

function environmentFor({ test }: Case): Environment {
  const variables = new Map<string, Type>();
  for (const declaration of test.original.typeEnv) {
    if (declaration.declKind.case === 'ident') variables.set(declaration.name, typeOf(declaration.declKind.value.type));
  }
  const used = test.original.disableMacros ? libraries.map((library) => ({ ...library, macros: [] })) : libraries;
  return new Environment({ libraries: used, variables, dialect: 'standard', container: test.original.container });
}

const all = casesOf(getConformanceSuite(), '');
const applicable = all.filter((entry) => !leftOutSuites.has(entry.path.split('/')[0] ?? '') && !laterStrings.test(entry.path) && !needsProtobuf(entry));

describe('cel-spec conformance', () => {
  it.each(applicable.filter((entry) => !leftOut.has(entry.path)).map((entry) => [entry.path, entry] as const))('%s', (_path, entry) => {
    const { original } = entry.test;
    const { resultMatcher } = original;
    const compiled = environmentFor(entry).compile(original.expr);
    if (compiled.program === undefined) {
      // Tests of unchecked evaluation: Kubernetes checks every expression first.
      if (!original.disableCheck) expect(resultMatcher.case, compiled.text).toBe('evalError');
      return;
    }
    const variables = new Map(Object.entries(original.bindings).map(([name, bound]) => [name, bound.kind.case === 'value' ? valueOf(bound.kind.value) : null]));
    const outcome = compiled.program.evaluate(variables);
    if (resultMatcher.case === 'evalError' || resultMatcher.case === 'anyEvalErrors') {
      expect(outcome.status).toBe('error');
      return;
    }
    const wanted =
      resultMatcher.case === 'value'
        ? valueOf(resultMatcher.value)
        : resultMatcher.case === 'typedResult' && resultMatcher.value.result !== undefined
          ? valueOf(resultMatcher.value.result)
          : true;
    const shown = outcome.status === 'value' ? formatValue(outcome.value) : outcome.message;
    const equal = outcome.status === 'value' && (celEquals(outcome.value, wanted) || (Number.isNaN(outcome.value) && Number.isNaN(wanted)));
    expect(equal, `${shown} instead of ${formatValue(wanted)}`).toBe(true);
  });

  it('runs more than a thousand tests', () => {
    expect(applicable.length).toBeGreaterThan(1000);
  });

  it('leaves out no test that is not there', () => {
    expect([...leftOut.keys()].filter((path) => !all.some((entry) => entry.path === path))).toEqual([]);
  });
});

/** cel-go's own parser tests: a syntax error is told in its words. Tests with other limits or without optional syntax are not ours. */
describe('syntax errors of cel-go’s parser tests', () => {
  const otherOptions = /unsupported syntax|unsupported ident|limit exceeded|exceeds limit|More than|recursion/;
  const refused = casesOf(getParsingSuite(), '').filter(({ test: { error } }) => error?.includes('Syntax error') === true && !otherOptions.test(error));
  const environment = new Environment({ libraries, variables: new Map(), dialect: 'standard' });
  it.each(refused.map((entry) => [entry.path, entry] as const))('%s', (_path, { test }) => {
    const compiled = environment.compile(test.original.expr);
    expect(compiled.program === undefined ? compiled.text : 'accepted').toBe(test.error?.replaceAll('ERROR: :', 'ERROR: <input>:'));
  });
});
