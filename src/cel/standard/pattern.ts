/** Regular expressions by RE2's rules: linear in the text, with Go's error texts. */
import { BoundedPattern } from '#base/bounded-pattern.ts';
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import { costLimitExceeded } from '#cel/evaluation.ts';
import { CelError } from '#cel/value.ts';

/** Compiled patterns that expressions compute at run time; constant ones are compiled once per program. */
const recent = sharedMemo(new TextMemo<BoundedPattern>(16 << 10));

export function compilePattern(pattern: string): BoundedPattern {
  return recent.get(pattern) ?? recent.add(pattern, compiledOrThrow);
}

/** An expression that is too much for this text costs more than any rule may. */
export function refuseLongSearch(pattern: BoundedPattern, text: string): void {
  if (!pattern.canSearch(text)) throw new CelError(costLimitExceeded);
}

function compiledOrThrow(pattern: string): BoundedPattern {
  try {
    return new BoundedPattern(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Go shows the empty rest of the pattern here too.
    throw new CelError(message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message);
  }
}
