/** Positions in a source text and the display form of the issues found in it: cel-go's common.Errors. */
import { codePointLength } from '../value.ts';

/** One complaint about a source text. */
export interface Issue {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 0, in code points. */
  readonly column: number;
}

export interface ParseError {
  readonly offset: number;
  readonly message: string;
}

/** Positions without a place in the text: limits on the whole expression. */
export const noOffset = -1;

const maxIssuesShown = 100;
const maxSnippetBytes = 16_384;

/** Line (from 1) and column (from 0, in code points) of a UTF-16 offset. */
export function locate(source: string, offset: number): { readonly line: number; readonly column: number } {
  if (offset === noOffset) return { line: -1, column: -1 };
  if (source === '') return { line: 1, column: -1 };
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++;
  return { line, column: codePointLength(before.slice(lineStart)) };
}

export function issueAt(source: string, offset: number, message: string): Issue {
  return { message, ...locate(source, offset) };
}

/** All issues as the API shows them: sorted by position, each with its line of the source and a caret. */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  const shown = issues.slice(0, maxIssuesShown).toSorted((a, b) => a.line - b.line || a.column - b.column);
  const lines = source.split('\n');
  const texts = shown.map((issue) => formatIssue(lines, source, issue));
  if (issues.length > maxIssuesShown) texts.push(`${issues.length - maxIssuesShown} more errors were truncated`);
  return texts.join('\n');
}

function formatIssue(lines: readonly string[], source: string, issue: Issue): string {
  const head = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`;
  const line = source === '' ? undefined : lines[issue.line - 1];
  if (line === undefined || Buffer.byteLength(line) > maxSnippetBytes) return head;
  const snippet = line.replaceAll('\t', ' ');
  const characters = [...snippet];
  const dots = characters.slice(0, Math.max(issue.column, 0)).map((character) => (isWide(character) ? '\uff0e' : '.'));
  const marked = characters[issue.column];
  return `${head}\n | ${snippet}\n | ${dots.join('')}${marked !== undefined && isWide(marked) ? '\uff3e' : '^'}`;
}

/** More than one byte in UTF-8: cel-go marks such characters with full-width signs. */
function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
