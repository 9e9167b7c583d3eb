// The resource whose objects lie under a key of an etcd, for metrics: built-in ones by the folder that they have there, custom ones by group and plural.
import { builtinResources } from '#kinds/builtin-resources.ts';
import { storeRoot } from '#resource/keys.ts';
import type { ResourceAt, StoredResource } from '#store/etcd/etcd-metrics.ts';

/** Folders that no resource has (`masterleases`), and definitions of strangers: kept for as long as the server runs, and not more than this. */
const MOST_FOLDERS = 10_000;

export function storedNames(): ResourceAt {
  const byFolder = new Map<string, StoredResource>();
  for (const { group, plural, storage } of builtinResources) if (storage !== undefined) byFolder.set(storage.prefix, { group, resource: plural });
  return (key) => {
    const end = key.indexOf('/', storeRoot.length);
    const first = key.slice(storeRoot.length, end < 0 ? key.length : end);
    const second = end < 0 ? -1 : key.indexOf('/', end + 1);
    const both = second < 0 ? first : key.slice(storeRoot.length, second);
    return byFolder.get(first) ?? byFolder.get(both) ?? added(byFolder, first, both);
  };
}

function added(byFolder: Map<string, StoredResource>, first: string, both: string): StoredResource {
  // Only groups of custom kinds have a dot.
  const found = first.includes('.') && both !== first ? { group: first, resource: both.slice(first.length + 1) } : { group: '', resource: first };
  if (byFolder.size < MOST_FOLDERS) byFolder.set(found.group === '' ? first : both, found);
  return found;
}
