// Putting tolerations of several origins together without saying anything twice.
import { repeatedAt } from '#base/repeated.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';

/** More than anybody writes are not compared each with each: only what is said twice is left out. */
const mostCompared = 500;

/** What another toleration covers is left out. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  if (all.length > mostCompared) return withoutRepeated(all);
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).some((other) => !sameToleration(other, toleration) && covers(other, toleration));
    if (!later && !merged.some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

function withoutRepeated(all: readonly Toleration[]): Toleration[] {
  const repeated = repeatedAt(all.map((one) => JSON.stringify([text(one.key), text(one.operator), text(one.value), text(one.effect), one.tolerationSeconds])));
  return all.filter((_, index) => !repeated[index]);
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
