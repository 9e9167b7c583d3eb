import { classOf } from '#controllers/volumes/storage-objects.ts';
import { type NodeFilter, type Plugin, type Rejection, rejecter } from '#scheduler/framework.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Labels } from '#api/label-match.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { usesClaim } from '#scheduler/plugins/volume-binding.ts';
import { nodeHint, objectHint } from '#scheduler/queue/hints.ts';
import { type VolumeWorld } from '#scheduler/volumes/volume-world.ts';

const name = 'VolumeZone';
const reject = rejecter(name);
const elsewhere = reject.final('node(s) had no available volume zone');

/** Labels of volumes and nodes that say where they are; the old names and what they are called now. */
const presentNames: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'topology.kubernetes.io/region',
};

interface Place {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** A pod runs where its volumes are. */
export function volumeZone(world: VolumeWorld): Plugin {
  return {
    name,
    filter: (pod) => placesOf(world, pod),
    hints: [
      objectHint(
        'StorageClass',
        ['Add'],
        (_, { after }) => (after as { volumeBindingMode?: string } | undefined)?.volumeBindingMode === 'WaitForFirstConsumer',
      ),
      nodeHint(['Add', 'UpdateLabel']),
      objectHint('PersistentVolumeClaim', ['Add', 'Update'], usesClaim),
      objectHint('PersistentVolume', ['Add', 'Update'], (_, { before, after }) => before === undefined || placeText(before) !== placeText(after)),
    ],
  };
}

function placesOf(world: VolumeWorld, { pod, namespace }: PodFacts): NodeFilter | Rejection | undefined {
  const places: Place[] = [];
  for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const { claimName = '' } = persistentVolumeClaim;
    const claim = world.claims.get(namespace, claimName);
    if (claim === undefined) return reject.final(`persistentvolumeclaim "${claimName}" not found`);
    const { volumeName = '' } = claim.spec ?? {};
    if (volumeName === '') {
      const problem = unboundProblem(world, classOf(claim));
      if (problem !== undefined) return reject.final(problem);
      continue;
    }
    const volume = world.volumes.get('', volumeName);
    if (volume === undefined) return reject.final(`persistentvolume "${volumeName}" not found`);
    places.push(...placesIn(volume.metadata.labels));
  }
  return places.length === 0 ? undefined : { check: ({ labels }) => (isAt(labels, places) ? undefined : elsewhere) };
}

/** Claims that wait for their first consumer are nowhere yet. */
function unboundProblem(world: VolumeWorld, className: string): string | undefined {
  if (className === '') return 'PersistentVolumeClaim had no pv name and storageClass name';
  const storageClass = world.storageClass(className);
  if (storageClass === undefined) return `storageclass.storage.k8s.io "${className}" not found`;
  if (storageClass.volumeBindingMode === undefined) return `VolumeBindingMode not set for StorageClass "${className}"`;
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer' ? undefined : 'PersistentVolume had no name';
}

/** `a__b` names several zones; lists with an empty name in them say nothing. */
function placesIn(labels: Labels = {}): readonly Place[] {
  return Object.keys(presentNames).flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? (labels[key] ?? '') : '';
    const values = value.split('__').map((zone) => zone.trim());
    return values.includes('') ? [] : [{ key, values: new Set(values) }];
  });
}

/** Nodes that do not say where they are will do. */
function isAt(labels: Labels, places: readonly Place[]): boolean {
  if (!Object.keys(presentNames).some((key) => Object.hasOwn(labels, key))) return true;
  return places.every(({ key, values }) => {
    const value = labels[key] ?? labels[presentNames[key] ?? key];
    return value !== undefined && values.has(value);
  });
}

function placeText(volume: KubernetesObject | undefined): string {
  return JSON.stringify(Object.keys(presentNames).map((key) => volume?.metadata.labels?.[key]));
}
