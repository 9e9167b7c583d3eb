import type { Token } from './lexer.ts';
import type { ParseError } from './parser.ts';

export function explainSyntax(tokens: readonly Token[]): readonly ParseError[] {
  return [{ offset: tokens.at(-1)?.start ?? 0, message: 'Syntax error' }];
}
