// Which volume a claim could be bound to on a node: the one that the binder would take, if it can be reached from there.
import { smallestVolume } from '#controllers/volumes/find-volume.ts';
import { type NodeName, nodeSelectorTest } from '#controllers/nodes/node-selection.ts';
import type { StoredClaim, StoredVolume } from '#scheduler/volumes/volume-world.ts';

/** `taken` are volumes that other claims of the same pod get. */
export function findVolume(claim: StoredClaim, volumes: readonly StoredVolume[], node: NodeName, taken: ReadonlySet<string>): StoredVolume | undefined {
  const free = volumes.filter(({ metadata }) => !taken.has(metadata.name ?? ''));
  return smallestVolume(claim, free, { isReachable: (volume) => reaches(volume, node) });
}

/** Can the volume be used from the node? */
export function reaches({ spec }: StoredVolume, { labels }: NodeName): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || nodeSelectorTest(required)({ name: '', labels });
}
