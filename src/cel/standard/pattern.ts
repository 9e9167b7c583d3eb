/** Regular expressions by RE2's rules: linear in the text, with Go's error texts. */
import { RE2JS } from 're2js';
import { CelError } from '../value.ts';

/** Compiled patterns that expressions compute at run time; constant ones are compiled once per program. */
const recent = new Map<string, RE2JS>();
const maxRecent = 100;
const maxRecentLength = 1000;

export function compilePattern(pattern: string): RE2JS {
  const known = recent.get(pattern);
  if (known !== undefined) return known;
  const compiled = compiledOrThrow(pattern);
  if (pattern.length <= maxRecentLength) {
    if (recent.size >= maxRecent) recent.clear();
    recent.set(pattern, compiled);
  }
  return compiled;
}

function compiledOrThrow(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Go shows the empty rest of the pattern here too.
    throw new CelError(message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message);
  }
}
