// Literal (`|`) and folded (`>`) scalars, and the folding of line breaks that plain scalars share with them.
import { isBlank, isBreak, type YamlSource } from '#schema/yaml/yaml-source.ts';

/** One break is a space, more are one less. */
export function foldBreaks(breaks: readonly string[]): string {
  const [first = '', ...others] = breaks;
  if (first !== '\n') return breaks.join('');
  return others.length === 0 ? ' ' : others.join('');
}

interface Header {
  readonly chomping: '' | '+' | '-';
  readonly increment: number;
}

/** `outer` is the indentation of the block around. */
export function scanBlockScalar(source: YamlSource, literal: boolean, outer: number): string {
  source.advance();
  const { chomping, increment } = readHeader(source);
  source.skipRestOfLine();
  const given = increment === 0 ? 0 : Math.max(outer, 0) + increment;
  const first = readIndentation(source, given, outer);
  const { indent } = first;
  let { breaks } = first;
  let text = '';
  let lineBreak = '';
  let blankBefore = false;
  while (source.column === indent && source.code() !== 0) {
    const blank = isBlank(source.code());
    const folds = !literal && lineBreak === '\n' && !blankBefore && !blank;
    text += folds ? (breaks === '' ? ' ' : breaks) : lineBreak + breaks;
    blankBefore = blank;
    text += source.readLine();
    lineBreak = isBreak(source.code()) ? source.readBreak() : '';
    ({ breaks } = readIndentation(source, indent, outer));
  }
  return text + (chomping === '-' ? '' : lineBreak) + (chomping === '+' ? breaks : '');
}

function readHeader(source: YamlSource): Header {
  const before = readChomping(source);
  const increment = readIncrement(source);
  return { chomping: before === '' && increment > 0 ? readChomping(source) : before, increment };
}

function readChomping(source: YamlSource): '' | '+' | '-' {
  const code = source.code();
  if (code !== 0x2b && code !== 0x2d) return '';
  source.advance();
  return code === 0x2b ? '+' : '-';
}

function readIncrement(source: YamlSource): number {
  const digit = source.code() - 0x30;
  if (digit < 0 || digit > 9) return 0;
  if (digit === 0) source.refuse('found an indentation indicator equal to 0');
  source.advance();
  return digit;
}

/** Empty lines before the next line of text; with indentation 0 also finds out what it is. */
function readIndentation(source: YamlSource, indent: number, outer: number): { indent: number; breaks: string } {
  let breaks = '';
  let widest = 0;
  for (;;) {
    while ((indent === 0 || source.column < indent) && source.code() === 0x20) source.advance();
    widest = Math.max(widest, source.column);
    if ((indent === 0 || source.column < indent) && source.code() === 0x09) source.refuse('found a tab character where an indentation space is expected');
    if (!isBreak(source.code())) break;
    breaks += source.readBreak();
  }
  return { indent: indent === 0 ? Math.max(widest, outer + 1, 1) : indent, breaks };
}
