/** Regular expressions by RE2's rules: linear in the text, with Go's error texts. */
import { TextMemo } from '#base/text-memo.ts';
import { sharedMemo } from '#base/shared-memos.ts';
import { RE2JS } from 're2js';
import { CelError } from '../value.ts';

/** Compiled patterns that expressions compute at run time; constant ones are compiled once per program. */
const recent = sharedMemo(new TextMemo<RE2JS>(16 << 10));

export function compilePattern(pattern: string): RE2JS {
  return recent.get(pattern) ?? recent.add(pattern, compiledOrThrow);
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
