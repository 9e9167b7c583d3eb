// Turns of one validation. Where its turn is over it is broken off, other requests have theirs, and it begins again with what is known by then:
// the searches that took long, and how far each list and object was looked through.
import type { BoundedPattern } from '#base/bounded-pattern.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { Finding, Findings } from '#schema/structural/findings.ts';

const longestTurnMs = 8;
/** Parts that are looked at between two looks at the clock. */
const partsPerLook = 128;
/** What was looked through to its end is remembered from so many parts on: alternatives may look through the same value. */
const longWalk = 256;

/** How far a list or an object was looked through, and what was found in it. */
interface Walked {
  readonly index: number;
  readonly findings: readonly Finding[];
  readonly matches: number;
}

class Validation {
  /** By pattern and text. */
  readonly searches = new Map<BoundedPattern, Map<string, boolean>>();
  /** Of objects with many: finding them anew would take up the next turn. */
  readonly names = new Map<object, readonly string[]>();
  /** By value and by who looks through it. */
  readonly #walks = new Map<object, Map<object, Walked>>();
  #turnBegan = 0;
  #parts = 0;

  beginTurn(): void {
    this.#turnBegan = performance.now();
    this.#parts = 0;
  }

  endTurnIfLong(): void {
    if (performance.now() - this.#turnBegan > longestTurnMs) throw new TurnIsOver();
  }

  /** A turn gets somewhere however short it is: the clock is looked at after some parts. */
  countPart(): void {
    if (++this.#parts % partsPerLook === 0) this.endTurnIfLong();
  }

  walked(value: object, by: object): Walked | undefined {
    return this.#walks.get(value)?.get(by);
  }

  remember(value: object, by: object, walked: Walked): void {
    const known = this.#walks.get(value) ?? new Map<object, Walked>();
    this.#walks.set(value, known.set(by, walked));
  }
}

class TurnIsOver extends Error {
  override readonly name = 'TurnIsOver';
}

/** The one that runs at this moment: validating never waits in its midst. */
let running: Validation | undefined;

/** `validate` changes nothing before it is through. */
export function validateInTurns(validate: () => void, validation = new Validation()): MaybePromise<void> {
  validation.beginTurn();
  running = validation;
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof TurnIsOver)) throw error;
    return nextTurn().then(() => validateInTurns(validate, validation));
  } finally {
    running = undefined;
  }
}

/** A search that takes long; made once for all turns of a validation. */
export function searchOnce(pattern: BoundedPattern, text: string): boolean {
  if (running === undefined) return pattern.occursIn(text);
  const known = running.searches.get(pattern) ?? new Map<string, boolean>();
  running.searches.set(pattern, known);
  let occurs = known.get(text);
  if (occurs === undefined) {
    running.endTurnIfLong();
    known.set(text, (occurs = pattern.occursIn(text)));
  }
  return occurs;
}

/** Of the members of an object. */
export function memberNames(object: object): readonly string[] {
  const known = running?.names.get(object);
  if (known !== undefined) return known;
  const names = Object.keys(object);
  if (names.length >= longWalk) running?.names.set(object, names);
  return names;
}

export interface Walk {
  readonly value: object;
  /** Tells this walk from others over the same value. */
  readonly by: object;
  readonly parts: number;
  readonly found: Findings;
}

/** Looks at one part after the other, until more is wrong than an answer tells. */
export function walkInTurns({ value, by, parts, found }: Walk, look: (index: number) => void): void {
  const validation = running;
  const [findings, matches] = [found.list.length, found.matches];
  let index = validation === undefined ? 0 : resume(validation.walked(value, by), found);
  const walked = (): Walked => ({ index, findings: found.list.slice(findings), matches: found.matches - matches });
  try {
    for (; index < parts && !found.full; index++) {
      validation?.countPart();
      look(index);
    }
    if (parts >= longWalk) validation?.remember(value, by, walked());
  } catch (error) {
    if (error instanceof TurnIsOver) validation?.remember(value, by, walked());
    throw error;
  }
}

function resume(walked: Walked | undefined, found: Findings): number {
  if (walked === undefined) return 0;
  for (const finding of walked.findings) found.add(finding);
  found.matches += walked.matches;
  return walked.index;
}
