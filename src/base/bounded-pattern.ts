// Regular expressions of others, by RE2's rules and with Go's error texts. RE2 is linear in the text, but its cost is that of the text times
// what the expression unfolds to: `a{1000}` is seven characters and a thousand states. Both are bounded here, so that neither compiling nor
// matching holds up other requests for long (test/fault/large-bodies.mjs).
import { RE2JS } from 're2js';

/** What an expression may unfold to; Go takes some three million. */
const mostStates = 20_000;
/** States times characters of one search: some tenths of a second where RE2 must follow all states at once. */
const mostSteps = 16_000_000;

export class BoundedPattern {
  readonly states: number;
  readonly #compiled: RE2JS;

  /** Throws as Go does for an expression that cannot be read. */
  constructor(pattern: string) {
    this.states = unfoldedStates(pattern);
    if (this.states > mostStates) throw new Error('error parsing regexp: expression too large');
    this.#compiled = RE2JS.compile(pattern);
  }

  /** Whether a search through this text is no longer than one request may make it. */
  canSearch(text: string): boolean {
    return this.stepsIn(text) <= mostSteps;
  }

  stepsIn(text: string): number {
    return this.states * text.length;
  }

  occursIn(text: string): boolean {
    return this.#compiled.test(text);
  }

  matcher(text: string): ReturnType<RE2JS['matcher']> {
    return this.#compiled.matcher(text);
  }
}

const repetition = /\{(\d+)(,(\d*))?\}/y;
const characterClass = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/sy;
const escape = /\\(?:Q(?:[^\\]|\\(?!E))*(?:\\E)?|[pPx]\{[^}]*\}|.)/sy;

/** At least as many as the compiled expression has, in one pass. What cannot be read counts as anything: the compiler refuses it. */
export function unfoldedStates(pattern: string): number {
  /** Of the groups that are open, the outermost first. */
  const open: number[] = [];
  let [total, last] = [2, 0];
  const add = (states: number) => {
    last = states;
    total += states;
  };
  for (let at = 0; at < pattern.length; ) {
    const length = lengthAt(pattern, at);
    const first = pattern[at];
    if (length === 0) return 0;
    if (first === '(') {
      open.push(total);
      [total, last] = [2, 0];
    } else if (first === ')' && open.length > 0) {
      const inside = total;
      total = open.pop() as number;
      add(inside);
    } else if (first === '{' && length > 1) {
      const repeated = last * mostRepetitions(pattern.slice(at, at + length));
      total += Math.max(0, repeated - last);
      last = Math.max(last, repeated);
    } else if (first === '*' || first === '+' || first === '?' || first === '|') {
      total++;
    } else {
      add(first === '\\' ? length : 1);
    }
    at += length;
  }
  return open.reduce((sum, outside) => sum + outside, total);
}

/** Of what stands there as one: an escape, a class, a repetition or a character. 0: a class without its end. */
function lengthAt(pattern: string, at: number): number {
  const first = pattern[at];
  const form = first === '\\' ? escape : first === '[' ? characterClass : first === '{' ? repetition : undefined;
  if (form === undefined) return 1;
  form.lastIndex = at;
  return form.exec(pattern)?.[0].length ?? (first === '[' ? 0 : 1);
}

/** Optional repetitions take a state more. */
function mostRepetitions(text: string): number {
  const [low = 0, high] = text.slice(1, -1).split(',').map(Number);
  return high === undefined ? low : Math.max(low + 1, 2 * high);
}
