// The syntax of `string.format`: what a format text asks for. The check of expressions and the evaluation read it alike.
import { goQuote } from '#base/go-text.ts';
import { CelError } from '#cel/value.ts';

export interface Clause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number;
}

export const defaultPrecision = 6;

export interface ClauseReader {
  /** Refuses an argument that is not there before the clause is read; the check of expressions looks later. */
  readonly needArgument?: (index: number) => void;
  readonly argumentCount: number;
  readonly write: (clause: Clause, index: number) => string;
}

/** The text with every clause written by the reader; throws a CelError in cel-go's words. `used` counts the clauses. */
export function interpolate(format: string, reader: ClauseReader): { readonly text: string; readonly used: number } {
  let text = '';
  let used = 0;
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at);
    if (percent < 0) return { text: text + format.slice(at), used };
    text += format.slice(at, percent);
    if (format[percent + 1] === '%') {
      text += '%';
      at = percent + 2;
      continue;
    }
    reader.needArgument?.(used);
    if (percent + 1 >= format.length) throw new CelError('unexpected end of string');
    if (used >= reader.argumentCount) throw new CelError(`index ${used} out of range`);
    const { clause, end } = readClause(format, percent + 1);
    text += written(reader, clause, used);
    at = end;
    used++;
  }
  return { text, used };
}

function written({ write }: ClauseReader, clause: Clause, index: number): string {
  try {
    return write(clause, index);
  } catch (error) {
    if (error instanceof CelError) throw new CelError(`error during formatting: ${error.message}`, error.nodeId);
    throw error;
  }
}

function readClause(format: string, start: number): { readonly clause: Clause; readonly end: number } {
  let at = start;
  let precision = defaultPrecision;
  if (format[at] === '.') {
    const digits = /^[0-9]*/.exec(format.slice(at + 1))?.[0] ?? '';
    at += 1 + digits.length;
    if (at >= format.length) throw wrongPrecision('could not find end of precision specifier');
    precision = readPrecision(digits);
  }
  return { clause: { verb: readVerb(format.slice(at)), precision }, end: at + 1 };
}

function readPrecision(digits: string): number {
  const problem = digits === '' ? 'invalid syntax' : digits.length > 18 && BigInt(digits) >= 2n ** 63n ? 'value out of range' : undefined;
  if (problem !== undefined) throw wrongPrecision(`error while converting precision to integer: strconv.Atoi: parsing ${goQuote(digits)}: ${problem}`);
  return Number(digits);
}

function wrongPrecision(problem: string): CelError {
  return new CelError(`could not parse formatting clause: error while parsing precision: ${problem}`);
}

/** The complaint shows the first byte of what stands there as if it were a character. */
function readVerb(rest: string): Clause['verb'] {
  const [verb = ''] = rest;
  switch (verb) {
    case 's':
    case 'd':
    case 'f':
    case 'e':
    case 'b':
    case 'x':
    case 'X':
    case 'o':
      return verb;
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${String.fromCharCode(Buffer.from(verb)[0] ?? 0)}"`);
  }
}

const expected: Readonly<Record<Clause['verb'], string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

export function wrongArgument(verb: Clause['verb'], typeName: string, nodeId?: number): CelError {
  return new CelError(`${expected[verb]}, was given ${typeName}`, nodeId);
}
