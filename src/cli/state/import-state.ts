// Objects of an export into a server, through its API: created, or brought to what the file says where they are there already.
import { ApiError } from '#api/api-error.ts';
import { inImportOrder, importRank } from '#cli/state/import-order.ts';
import { NewIdentities } from '#cli/state/new-identities.ts';
import { type StateObject, titleOf } from '#cli/state/state-object.ts';
import { writeObject, type WriteParts } from '#cli/state/write-object.ts';
import type { Progress } from '#cli/progress-bar.ts';

export interface ImportSummary {
  created: number;
  updated: number;
  /** Objects that the server refused, each with its reason. */
  readonly refused: { readonly title: string; readonly why: string }[];
}

/** So many are on their way at once. */
const parallel = 8;

export async function importState(objects: readonly StateObject[], parts: WriteParts, progress: Progress): Promise<ImportSummary> {
  const summary: ImportSummary = { created: 0, updated: 0, refused: [] };
  const identities = new NewIdentities(objects);
  const unfinished: StateObject[] = [];
  let done = 0;
  const write = async (object: StateObject) => {
    const { object: renewed, isWhole } = identities.renewed(object);
    await refusalsTo(summary, object, async () => {
      const { uid, outcome } = await writeObject(renewed, parts);
      identities.learn(object, uid);
      summary[outcome]++;
      if (!isWhole) unfinished.push(object);
    });
    progress.report(++done, objects.length, titleOf(object));
  };
  for (const run of runsOf(inImportOrder(objects))) await inParallel(run, write);
  // They refer to objects that came after them, whose uids are known only now.
  for (const object of unfinished) await refusalsTo(summary, object, async () => void (await writeObject(identities.renewed(object).object, parts)));
  return summary;
}

async function refusalsTo(summary: ImportSummary, object: StateObject, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (problem) {
    // A server that is gone or does not know us refuses all of them: no need to ask a thousand times.
    if (!(problem instanceof ApiError) || problem.code === 401) throw problem;
    summary.refused.push({ title: titleOf(object), why: problem.message });
  }
}

/** Neighbours of one rank of which none owns another. */
function runsOf(ordered: readonly StateObject[]): readonly StateObject[][] {
  const runs: StateObject[][] = [];
  let uids = new Set<string>();
  let rank: number | undefined;
  for (const object of ordered) {
    const { uid = '', ownerReferences = [] } = object.metadata;
    if (importRank(object) !== rank || ownerReferences.some((owner) => uids.has(owner.uid))) {
      runs.push([]);
      uids = new Set();
    }
    rank = importRank(object);
    runs.at(-1)?.push(object);
    uids.add(uid);
  }
  return runs;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
