// Putting tolerations of several origins together without saying anything twice.
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';

/** What another toleration covers is left out. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).some((other) => !sameToleration(other, toleration) && covers(other, toleration));
    if (!later && !merged.some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

export function allCovered(tolerations: readonly Toleration[], allowed: readonly Toleration[]): boolean {
  return tolerations.every((toleration) => allowed.some((one) => covers(one, toleration)));
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (sameToleration(wide, narrow)) return true;
  if (text(narrow.key) !== text(wide.key) && (text(wide.key) !== '' || wide.operator !== 'Exists')) return false;
  if (text(narrow.effect) !== text(wide.effect) && text(wide.effect) !== '') return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined && !(secondsOf(narrow) <= secondsOf(wide))) return false;
  if (wide.operator === 'Exists') return true;
  return (text(wide.operator) === '' || wide.operator === 'Equal') && narrow.operator === 'Equal' && text(narrow.value) === text(wide.value);
}

function secondsOf({ tolerationSeconds }: Toleration): number {
  return tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Number(tolerationSeconds);
}

export function sameToleration(a: Toleration, b: Toleration): boolean {
  const fields = ['key', 'operator', 'value', 'effect'] as const;
  return fields.every((field) => text(a[field]) === text(b[field])) && secondsOf(a) === secondsOf(b);
}

function text(value: string | undefined): string {
  return value ?? '';
}
