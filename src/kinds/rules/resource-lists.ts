// Maps from the name of a resource to an amount.
import { roundToMilli } from '#kinds/rules/quantities.ts';

type ResourceList = Record<string, string>;

/** No amount is finer than a thousandth: the server rounds up every resource list it reads. */
export function roundResourceLists(...lists: readonly (ResourceList | undefined)[]): void {
  for (const list of lists) {
    for (const name in list) {
      const given = list[name] ?? '0';
      const rounded = roundToMilli(given);
      if (rounded !== list[name]) list[name] = rounded;
    }
  }
}
