// Semantic versions 2.0, strictly: no leading `v`, three numbers without leading zeros.

const shape =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  readonly pre: readonly string[];
}

export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], pre: [] };

export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = shape.exec(text);
  // Go reads the numbers as 64 bits without a sign.
  if (match === null || match.slice(1, 4).some((number) => number.length > 20)) return undefined;
  return { numbers: match.slice(1, 4).map(BigInt), pre: match[4]?.split('.') ?? [] };
}

/** Build metadata does not count; a pre-release comes before its release. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  return comparePre(a.pre, b.pre);
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareIdentifiers(a[index] ?? '', b[index] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [aNumber, bNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aNumber !== bNumber) return aNumber ? -1 : 1;
  if (a === b) return 0;
  // Without leading zeros the longer number is the larger one.
  return (aNumber && a.length !== b.length ? a.length < b.length : a < b) ? -1 : 1;
}
