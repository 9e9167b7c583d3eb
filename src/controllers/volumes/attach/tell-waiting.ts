// Tells the pods of a node why their volume is not attached yet: another node has it.
import type { AttachableVolume } from '#controllers/volumes/attach/attachable-volumes.ts';
import type { StoredPod } from '#controllers/volumes/claim-users.ts';

type Tell = (pod: StoredPod, type: 'Warning', reason: string, message: string) => void;

/** `users`: the pods that use it there. Of other namespaces only their number is told. */
export function tellWaiting(volume: AttachableVolume, pods: readonly StoredPod[], users: readonly StoredPod[], tell: Tell): void {
  for (const pod of pods) {
    const why = users.length === 0 ? unused : usedBy(pod, users);
    tell(pod, 'Warning', 'FailedAttachVolume', `Waiting for detach for volume ${JSON.stringify(volume.name)} ${why}`);
  }
}

const unused = 'Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node';

function usedBy({ metadata: { namespace } }: StoredPod, users: readonly StoredPod[]): string {
  const here = users.filter(({ metadata }) => metadata.namespace === namespace).map(({ metadata }) => metadata.name);
  const elsewhere = users.length - here.length;
  if (here.length === 0) return `Volume is already used by ${elsewhere} pod(s) in different namespaces`;
  return `Volume is already used by pod(s) ${here.join(', ')}${elsewhere > 0 ? ` and ${elsewhere} pod(s) in different namespaces` : ''}`;
}
