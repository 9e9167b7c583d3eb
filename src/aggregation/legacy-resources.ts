// The resources of one group-version as servers told them before aggregated discovery, in the form that it has.
import type { APIResourceDiscovery } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { APIResource } from '#kinds/meta/v1/discovery.ts';

const unknownKind = { group: '', version: '', kind: '' };

/** Subresources go to their parents; one without a parent makes it. Throws when a subresource has another scope than its parent. */
export function legacyResources(entries: readonly APIResource[]): APIResourceDiscovery[] {
  const resources = new Map<string, APIResourceDiscovery>();
  for (const entry of entries) if (!entry.name.includes('/')) resources.set(entry.name, resourceOf(entry));
  for (const entry of entries) {
    const cut = entry.name.indexOf('/');
    if (cut < 0) continue;
    const [name, subresource] = [entry.name.slice(0, cut), entry.name.slice(cut + 1)];
    const parent = resources.get(name) ?? { resource: name, responseKind: unknownKind, scope: scopeOf(entry), singularResource: '', verbs: [] };
    if (parent.scope !== scopeOf(entry)) {
      throw new Error(`Error: Parent ${name} (scope: ${parent.scope}) and subresource ${subresource} (scope: ${scopeOf(entry)}) scope do not match`);
    }
    const kind = entry.kind === '' ? unknownKind : kindOf(entry);
    resources.set(name, { ...parent, subresources: [...(parent.subresources ?? []), { subresource, responseKind: kind, verbs: entry.verbs }] });
  }
  return [...resources.values()];
}

function resourceOf(entry: APIResource): APIResourceDiscovery {
  const { name, singularName, verbs, shortNames, categories } = entry;
  return {
    resource: name,
    responseKind: kindOf(entry),
    scope: scopeOf(entry),
    singularResource: singularName,
    verbs,
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
  };
}

function kindOf({ group = '', version = '', kind }: APIResource): NonNullable<APIResourceDiscovery['responseKind']> {
  return { group, version, kind };
}

function scopeOf({ namespaced }: APIResource): string {
  return namespaced ? 'Namespaced' : 'Cluster';
}
