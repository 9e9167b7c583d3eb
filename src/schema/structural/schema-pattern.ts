// The `pattern` of a schema. Searches that may take long are made a few at a time: where a validation has taken its turn with them it is broken
// off, other requests have theirs, and it begins again with what is known by then.
import { BoundedPattern } from '#base/bounded-pattern.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { nextTurn } from '#base/next-turn.ts';
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';

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
const longestTurnMs = 20;

/** What one validation has found out with searches that are not quick. */
interface Searches {
  readonly known: Map<BoundedPattern, Map<string, boolean>>;
  turnBegan: number;
}

/** Of the validation that runs at this moment: validating never waits in its midst. */
let searches: Searches | undefined;

class TurnIsOver extends Error {
  override readonly name = 'TurnIsOver';
}

/** Undefined when the text is too long for this pattern to be searched. */
export function occurs(pattern: BoundedPattern, text: string): boolean | undefined {
  if (!pattern.canSearch(text)) return undefined;
  if (searches === undefined || pattern.stepsIn(text) < quickSteps) return pattern.occursIn(text);
  const known = searches.known.get(pattern) ?? new Map<string, boolean>();
  searches.known.set(pattern, known);
  let found = known.get(text);
  if (found === undefined) {
    if (performance.now() - searches.turnBegan > longestTurnMs) throw new TurnIsOver();
    known.set(text, (found = pattern.occursIn(text)));
  }
  return found;
}

/** `validate` changes nothing before its last search. */
export function searchInTurns(validate: () => void, known: Searches['known'] = new Map()): MaybePromise<void> {
  searches = { known, turnBegan: performance.now() };
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof TurnIsOver)) throw error;
    return nextTurn().then(() => searchInTurns(validate, known));
  } finally {
    searches = undefined;
  }
}
