/** Source text to a syntax tree or to the issues in it. */
import type { Expr } from '../ast.ts';
import { codePointLength } from '../value.ts';
import { tokenize } from './lexer.ts';
import { DepthFailure, type ParserOptions, parseTokens, SyntaxFailure } from './parser.ts';
import { type Issue, issueAt, noOffset } from './source.ts';
import { explainSyntax } from './syntax-error.ts';

/** cel-go's default of cel.ParserExpressionSizeLimit. */
const maxCodePoints = 100_000;
/** cel-go reports a hundred errors of an expression; each is looked up in its source. */
const maxIssues = 100;

export type ParseOutcome = { readonly root: Expr; readonly positions: ReadonlyMap<number, number> } | { readonly issues: readonly Issue[] };

export function parseSource(source: string, options: ParserOptions): ParseOutcome {
  const size = codePointLength(source);
  if (size > maxCodePoints) return { issues: [issueAt(source, noOffset, `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`)] };
  const { tokens, errors } = tokenize(source);
  const issues = errors.slice(0, maxIssues).map((error) => issueAt(source, error.start, `Syntax error: token recognition error at: '${error.text}'`));
  try {
    const parsed = parseTokens(tokens, options);
    if (issues.length === 0 && parsed.errors.length === 0) return parsed;
    return { issues: [...issues, ...parsed.errors.slice(0, maxIssues).map((error) => issueAt(source, error.offset, error.message))] };
  } catch (error) {
    if (error instanceof DepthFailure) return { issues: [...issues, issueAt(source, noOffset, error.message)] };
    if (!(error instanceof SyntaxFailure)) throw error;
    const found = [...error.errors, ...explainSyntax(source, tokens)].toSorted((a, b) => a.offset - b.offset);
    return { issues: [...issues, ...found.slice(0, maxIssues).map(({ offset, message }) => issueAt(source, offset, message))] };
  }
}
