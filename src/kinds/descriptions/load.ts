// The descriptions of kinds and fields. They are read for OpenAPI only, so nothing imports the texts at start.
import type { GroupTexts } from '#kinds/descriptions/group-texts.ts';
import type { Descriptions } from '#schema/openapi.ts';

/** Texts of what all objects have. */
const common = {
  apiVersion: 'API group and version of the object, such as `v1` or `apps/v1`. The URL of a request says it, too.',
  kind: 'Kind of the object, such as `Pod`. It cannot be changed.',
  metadata: 'Name, labels and other data that all objects have.',
  listMetadata: 'Version of the list, and how to go on reading.',
  items: 'The objects of the list.',
} as const;

export async function loadDescriptions(): Promise<Descriptions> {
  const found: Record<string, Record<string, string>> = { '': common };
  for (const group of await loadGroupTexts()) {
    // What a package says itself wins over what it shares with another.
    for (const shared of group.also ?? []) addTexts(found, shared, group, false);
    addTexts(found, group.package, group, true);
  }
  return found;
}

function addTexts(found: Record<string, Record<string, string>>, prefix: string, { structs }: GroupTexts, wins: boolean): void {
  for (const [name, texts] of Object.entries(structs)) {
    const key = `${prefix}.${name}`;
    if (wins || found[key] === undefined) found[key] = { ...found[key], ...texts };
  }
}

export async function loadGroupTexts(): Promise<readonly GroupTexts[]> {
  const { allTexts } = await import('#kinds/descriptions/all-texts.ts');
  return allTexts;
}
