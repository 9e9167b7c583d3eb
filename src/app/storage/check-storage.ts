// `binnacle storage check`: every value is read, decrypted and decoded, and must be the object that its key names.
import { allObjects, type Found, type OpenedObjects } from '#app/storage/open-objects.ts';
import { messageOf } from '#base/message-of.ts';
import type { Progress } from '#cli/progress-bar.ts';
import { keyOf, storeRoot } from '#resource/keys.ts';
import { rangeOf } from '#store/store.ts';

export interface CheckSummary {
  readonly objects: number;
  readonly resources: number;
  /** Records of servers about themselves. */
  readonly books: number;
  /** Keys of no resource that is known: of a definition that is gone, or of a newer release. */
  readonly unknown: readonly string[];
  readonly problems: readonly string[];
}

export async function checkStorage(opened: OpenedObjects, progress: Progress): Promise<CheckSummary> {
  const total = await opened.store.count(rangeOf(storeRoot));
  const resources = new Set<string>();
  const problems: string[] = [];
  const unknown: string[] = [];
  let [done, objects, books] = [0, 0, 0];
  for await (const found of allObjects(opened)) {
    progress.report(++done, total, found.entry.key);
    if (found.resource === undefined) {
      if (found.isBook) books++;
      else unknown.push(found.entry.key);
      continue;
    }
    objects++;
    resources.add(`${found.resource.plural}.${found.resource.group}`);
    const problem = problemOf(found);
    if (problem !== undefined) problems.push(`${found.entry.key}: ${problem}`);
  }
  return { objects, resources: resources.size, books, unknown, problems };
}

interface Named {
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown; readonly uid?: unknown };
}

function problemOf(found: Exclude<Found, { readonly resource: undefined }>): string | undefined {
  if ('problem' in found) return found.problem;
  const { json, resource, entry } = found;
  let object: Named;
  try {
    object = JSON.parse(json.toString()) as Named;
  } catch (error) {
    return `it is no JSON: ${messageOf(error)}`;
  }
  const { name, namespace = '', uid } = object.metadata ?? {};
  if (object.kind !== resource.kind) return `it is a ${String(object.kind)}, and not a ${resource.kind}`;
  if (typeof name !== 'string' || typeof namespace !== 'string') return 'it has no name';
  const key = keyOf(resource, namespace, name);
  if (key !== entry.key) return `its name belongs to the key ${key}`;
  return uid === undefined ? 'it has no uid' : undefined;
}
