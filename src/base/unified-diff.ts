// The difference of two texts in lines with some context, as the difflib of Python writes it: matching blocks are found longest first
// (Ratcliff and Obershelp), and in texts of 200 lines or more, lines that stand in over a hundredth of them begin no match.

type Match = readonly [a: number, b: number, size: number];
/** Lines from..to of either side; equal ones are the same on both. */
interface Run {
  readonly equal: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

const crowd = 200;

export function unifiedDiff(before: string, after: string, context = 3): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  return hunksOf(runsOf(a, b), context)
    .map((hunk) => hunkText(hunk, a, b))
    .join('');
}

function linesOf(text: string): string[] {
  return text.split('\n');
}

function hunkText(hunk: readonly Run[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return '';
  const head = `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@\n`;
  const shown = (mark: string, lines: readonly string[], [from, to]: readonly [number, number]) =>
    lines
      .slice(from, to)
      .map((line) => `${mark}${line}\n`)
      .join('');
  return head + hunk.map((run) => (run.equal ? shown(' ', a, run.a) : shown('-', a, run.a) + shown('+', b, run.b))).join('');
}

/** Lines count from one; an empty range is named after the line before it. */
function range(from: number, to: number): string {
  if (to - from === 1) return String(from + 1);
  return `${to === from ? from : from + 1},${to - from}`;
}

/** What differs, with the context around it; differences further apart than two contexts are hunks of their own. */
function hunksOf(runs: readonly Run[], context: number): Run[][] {
  const hunks: Run[][] = [[]];
  runs.forEach((run, index) => {
    const current = hunks.at(-1) as Run[];
    if (!run.equal) return current.push(run);
    const [head, tail] = [startOf(run, index === 0 ? 0 : context), endOf(run, index === runs.length - 1 ? 0 : context)];
    if (index > 0 && index < runs.length - 1 && run.a[1] - run.a[0] > 2 * context) {
      current.push(head);
      hunks.push([tail]);
    } else current.push(index === 0 ? tail : index === runs.length - 1 ? head : run);
  });
  return hunks.filter((hunk) => hunk.some((run) => !run.equal));
}

function startOf({ equal, a, b }: Run, lines: number): Run {
  return { equal, a: [a[0], Math.min(a[1], a[0] + lines)], b: [b[0], Math.min(b[1], b[0] + lines)] };
}

function endOf({ equal, a, b }: Run, lines: number): Run {
  return { equal, a: [Math.max(a[0], a[1] - lines), a[1]], b: [Math.max(b[0], b[1] - lines), b[1]] };
}

function runsOf(a: readonly string[], b: readonly string[]): Run[] {
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  for (const [startA, startB, size] of [...matchesOf(a, b), [a.length, b.length, 0] as Match]) {
    if (i < startA || j < startB) runs.push({ equal: false, a: [i, startA], b: [j, startB] });
    [i, j] = [startA + size, startB + size];
    if (size > 0) runs.push({ equal: true, a: [startA, i], b: [startB, j] });
  }
  return runs;
}

/** In order, neighbours made one. */
function matchesOf(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [fromA, toA, fromB, toB] = part;
    const [i, j, size] = longestMatch(a, b, places, part);
    if (size === 0) continue;
    found.push([i, j, size]);
    open.push([fromA, i, fromB, j], [i + size, toA, j + size, toB]);
  }
  return joined(found.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]));
}

function joined(matches: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const [a, b, size] of matches) {
    const [lastA = 0, lastB = 0, lastSize = 0] = result.at(-1) ?? [];
    if (result.length > 0 && lastA + lastSize === a && lastB + lastSize === b) result[result.length - 1] = [lastA, lastB, lastSize + size];
    else result.push([a, b, size]);
  }
  return result;
}

function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  });
  const popular = Math.floor(lines.length / 100) + 1;
  if (lines.length >= crowd) for (const [line, indices] of places) if (indices.length > popular) places.delete(line);
  return places;
}

/** The longest block, the earliest in a and then in b among equals, grown over popular lines at its ends. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [fromA, toA, fromB, toB]: readonly [number, number, number, number],
): Match {
  let [bestA, bestB, size] = [fromA, fromB, 0];
  let lengths = new Map<number, number>();
  for (let i = fromA; i < toA; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < fromB || j >= toB) continue;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [bestA, bestB, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  while (bestA > fromA && bestB > fromB && a[bestA - 1] === b[bestB - 1]) [bestA, bestB, size] = [bestA - 1, bestB - 1, size + 1];
  while (bestA + size < toA && bestB + size < toB && a[bestA + size] === b[bestB + size]) size++;
  return [bestA, bestB, size];
}
