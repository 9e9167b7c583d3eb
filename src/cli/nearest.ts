/** What somebody may have meant by `word`: the candidate that takes the fewest typing errors, undefined when none is near. */
export function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, errors: typingErrors(word, candidate, allowed) }))
    .filter(({ errors }) => errors <= allowed)
    .sort((one, other) => one.errors - other.errors);
  return near[0]?.candidate;
}

/** Letters that are missing, too many, wrong or swapped with their neighbour; anything above `most` may be told as more. */
function typingErrors(word: string, meant: string, most: number): number {
  if (Math.abs(word.length - meant.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, i) => i);
  for (let i = 1; i <= word.length; i++) {
    const row = [i];
    for (let j = 1; j <= meant.length; j++) {
      const wrong = word[i - 1] === meant[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && word[i - 1] === meant[j - 2] && word[i - 2] === meant[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + wrong, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[meant.length] ?? 0;
}
