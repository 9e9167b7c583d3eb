// Regular expressions as Go's regexp reads them (RE2): linear in the text whatever the pattern. Compiled patterns are remembered, within bounds.
import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '#cel/value.ts';

/** A compiled pattern. Positions count UTF-16 units. */
export interface Pattern {
  /** Whether the pattern occurs anywhere in the text. */
  test(text: string): boolean;
  /** The leftmost occurrence at or after a position. */
  find(text: string, from: number): Occurrence | undefined;
}

export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/** Compiled patterns of other expressions' making go first; a long pattern is compiled each time. */
const remembered = new Map<string, Pattern>();
const rememberedLimit = 500;
const rememberedLength = 1000;

/** Throws a CelError in Go's words: `error parsing regexp: missing closing ): …`. */
export function compilePattern(pattern: string): Pattern {
  const known = remembered.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (pattern.length > rememberedLength) return compiled;
  if (remembered.size >= rememberedLimit) {
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }
  remembered.set(pattern, compiled);
  return compiled;
}

/** Go's complaint about a pattern; undefined when there is none. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

function compile(pattern: string): Pattern {
  try {
    const regex = RE2JS.compile(pattern);
    return {
      test: (text) => regex.matcher(text).find(),
      find: (text, from) => {
        const matcher = regex.matcher(text);
        return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) throw new CelError(error.message);
    throw error;
  }
}
