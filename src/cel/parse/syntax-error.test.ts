import { describe, expect, it } from 'vitest';
import { Environment } from '../environment.ts';
import { optionals } from '../standard/optionals.ts';
import { standardLibrary } from '../standard/standard-library.ts';

const environment = new Environment({ libraries: [standardLibrary, optionals], variables: new Map() });
const operand = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function complaints(source: string): readonly string[] {
  const compiled = environment.compile(source);
  return compiled.program === undefined ? compiled.issues.map((issue) => `${issue.line}:${issue.column + 1}: ${issue.message}`) : [];
}

/** What cel-go v0.26.0, which Kubernetes 1.36 uses, says. */
const said: readonly (readonly [string, ...string[]])[] = [
  ['', `1:0: Syntax error: mismatched input '<EOF>' expecting ${operand}`],
  ['1 ==', `1:5: Syntax error: mismatched input '<EOF>' expecting ${operand}`],
  ["1 == ('a'", "1:10: Syntax error: missing ')' at '<EOF>'"],
  ["1 = 'a'", "1:3: Syntax error: token recognition error at: '= '", "1:5: Syntax error: extraneous input ''a'' expecting <EOF>"],
  ['[1, 2', "1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}"],
  ['{"a" 1}', "1:6: Syntax error: missing ':' at '1'"],
  ['1 + $', "1:5: Syntax error: token recognition error at: '$'", `1:6: Syntax error: mismatched input '<EOF>' expecting ${operand}`],
  ['if a', '1:1: reserved identifier: if', "1:4: Syntax error: extraneous input 'a' expecting <EOF>"],
  ['a.1', "1:2: Syntax error: extraneous input '.1' expecting <EOF>"],
  ['a.true', "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
  ['a.+b', "1:3: Syntax error: no viable alternative at input '.+'"],
  ['1 + + 2', `1:5: Syntax error: extraneous input '+' expecting ${operand}`],
  ['a.b.C{', "1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"],
  ["'open", "1:1: Syntax error: token recognition error at: ''open'", `1:6: Syntax error: mismatched input '<EOF>' expecting ${operand}`],
];

describe('syntax errors', () => {
  it.each(said)('%j is refused in the words of cel-go', (source, ...wanted) => {
    expect(complaints(source)).toEqual(wanted);
  });

  it('are shown with their line and a caret, full-width where the text is wide', () => {
    const compiled = environment.compile("'é' == 1 &&\n'é' +");
    expect(compiled.program === undefined && compiled.text).toBe(
      `ERROR: <input>:2:6: Syntax error: mismatched input '<EOF>' expecting ${operand}\n | 'é' +\n | .．...^`,
    );
  });

  it('of nested and long texts end', () => {
    expect(complaints(`${'('.repeat(5000)}1`)[0]).toContain('recursion limit exceeded');
    expect(complaints(`${'[1, -2, '.repeat(50)}`).length).toBeGreaterThan(0);
    expect(complaints(`${'a b '.repeat(20_000)}`).length).toBeGreaterThan(0);
    expect(complaints('1'.repeat(100_001))).toEqual(['-1:0: expression code point size exceeds limit: size: 100001, limit 100000']);
  });

  it('of depth are those of cel-go', () => {
    expect(complaints(`${'('.repeat(249)}1${')'.repeat(249)}`)).toEqual([]);
    expect(complaints(`${'('.repeat(250)}1${')'.repeat(250)}`)).toEqual(['-1:0: expression recursion limit exceeded: 250']);
    expect(complaints(Array(251).fill('1').join('+'))).toEqual([]);
    expect(complaints(Array(252).fill('1').join('+'))).toEqual(['-1:0: max recursion depth exceeded']);
    expect(complaints(Array(5000).fill('true').join('&&'))).toEqual([]);
  });
});
