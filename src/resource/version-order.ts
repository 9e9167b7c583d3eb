// Kubernetes' order of version names: v10 > v2 > v1 > v2beta1 > v1beta2 > v1alpha1 > anything else (alphabetically, the earlier the higher).

const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stability: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Negative when `a` is the lesser version. */
export function compareVersions(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  if (left === undefined && right === undefined) return a === b ? 0 : a < b ? 1 : -1;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}

function parse(version: string): { stability: number; major: number; minor: number } | undefined {
  const match = pattern.exec(version);
  if (match === null) return undefined;
  return { stability: stability[match[2] ?? ''] ?? 2, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
