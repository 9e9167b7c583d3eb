// The `pattern` of a schema.
import { BoundedPattern } from '#base/bounded-pattern.ts';
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import { searchOnce } from '#schema/structural/validation-turns.ts';

/** Compiled ones take many times their text. */
const patterns = sharedMemo(new TextMemo<BoundedPattern | Error>(64 << 10));

/** RE2, as in Go: linear in the length of the text whatever the pattern. */
export function schemaPattern(pattern: string): BoundedPattern | Error {
  return patterns.get(pattern) ?? patterns.add(pattern, tryCompile);
}

function tryCompile(pattern: string): BoundedPattern | Error {
  try {
    return new BoundedPattern(pattern);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Searches of fewer steps are always made at once, and again when the validation is. */
const quickSteps = 20_000;

/** Undefined when the text is too long for this pattern to be searched. */
export function occurs(pattern: BoundedPattern, text: string): boolean | undefined {
  if (!pattern.canSearch(text)) return undefined;
  return pattern.stepsIn(text) < quickSteps ? pattern.occursIn(text) : searchOnce(pattern, text);
}
