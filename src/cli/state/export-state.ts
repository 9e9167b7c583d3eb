// Everything a server has stored, object by object, through its API.
import { ApiError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import { importRank } from '#cli/state/import-order.ts';
import { describesServer } from '#cli/state/server-objects.ts';
import type { StateObject } from '#cli/state/state-object.ts';
import type { Progress } from '#cli/progress-bar.ts';
import { discover, type DiscoveredResource } from '#client/discovery-client.ts';
import type { Query, RestClient } from '#client/rest-client.ts';

export interface ExportSummary {
  objects: number;
  /** Left out because they are on their way out. */
  terminating: number;
  /** Groups that did not answer, so that their objects are missing. */
  missing: string[];
  /** False: the server had forgotten the moment at which the export began, so later changes may be half in it. */
  isOneMoment: boolean;
}

/** In an order in which they can be imported again; `take` gets one after the other. */
export async function exportState(client: RestClient, take: (object: StateObject) => Promise<void>, progress: Progress): Promise<ExportSummary> {
  const summary: ExportSummary = { objects: 0, terminating: 0, missing: [], isOneMoment: true };
  const resources = storedResources(await discover(client, (groupVersion) => summary.missing.push(groupVersion)));
  const moment = await momentOf(client);
  const seen = new Set<string>();
  for (const [i, resource] of resources.entries()) {
    progress.report(i, resources.length, `${resource.resource}, ${summary.objects} objects`);
    for await (const object of objectsOf(client, resource, moment, summary)) {
      const { uid = '', deletionTimestamp } = object.metadata;
      // Events are served by two groups.
      if (seen.has(uid) || describesServer(object)) continue;
      seen.add(uid);
      if (deletionTimestamp !== undefined) summary.terminating++;
      else {
        await take(object);
        summary.objects++;
      }
    }
  }
  progress.report(resources.length, resources.length, `${summary.objects} objects`);
  return summary;
}

/** Each once, in the version that the server would rather be asked for; what cannot be created cannot be imported. */
function storedResources(discovered: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const byName = new Map<string, DiscoveredResource>();
  for (const one of discovered) {
    const name = `${one.group}/${one.resource}`;
    if (['list', 'create'].every((verb) => one.verbs.includes(verb)) && !byName.has(name)) byName.set(name, one);
  }
  return [...byName.values()].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(resource: DiscoveredResource): number {
  return importRank({ apiVersion: apiVersionOf(resource), kind: resource.kind });
}

/** All resources share one count of revisions: asked for this one, their lists fit together. */
async function momentOf(client: RestClient): Promise<string | undefined> {
  const { metadata } = await client.list({ group: '', version: 'v1', resource: 'namespaces', namespaced: false }, '', { limit: 1 });
  return metadata.resourceVersion;
}

async function* objectsOf(client: RestClient, resource: DiscoveredResource, moment: string | undefined, summary: ExportSummary): AsyncGenerator<StateObject> {
  const typed = (object: object) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }) as StateObject;
  const pages = (query: Query) => client.pages<object>(resource, '', query);
  try {
    for await (const { items } of pages({ resourceVersion: moment, resourceVersionMatch: 'Exact' })) yield* items.map(typed);
  } catch (problem) {
    // 410: forgotten. What came before is not repeated: its uids are known.
    if (!(problem instanceof ApiError) || ![400, 410, 504].includes(problem.code)) throw problem;
    summary.isOneMoment = false;
    for await (const { items } of pages({})) yield* items.map(typed);
  }
}
