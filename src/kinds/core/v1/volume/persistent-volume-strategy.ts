// How persistent volumes are written: the source is fixed, the status tells when the phase changed.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import type { NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import { sourceOf } from '#kinds/core/v1/volume/persistent-volume-source-validation.ts';
import { PersistentVolumeSpec, VolumeNodeAffinity } from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import { validateVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec-validation.ts';
import { nodeTermWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { differenceOfForms } from '#kinds/rules/differences.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

export function defaultPersistentVolume({ spec, status }: PersistentVolume): void {
  roundResourceLists(spec.capacity);
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  status.phase ||= 'Pending';
}

export const persistentVolumeStrategy: Strategy<PersistentVolume> = {
  returnsDeleted: true,
  prepareForCreate(volume, { now }) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(now) };
  },
  validate: (volume, errors) => validateVolume(volume, errors, undefined),
  warnOnCreate: volumeWarnings,

  prepareForUpdate(volume, old) {
    volume.status = old.status;
  },
  validateUpdate(volume, old, errors, context) {
    validateVolume(volume, errors, old);
    // The original runs the rules twice on updates, but for those about annotations.
    validateObjectMeta(volume.metadata, false, nameIsSubdomain, errors);
    validateVolumeSpec(volume.spec, 'spec', errors, rulesFor(volume, old));
    validateSpecUpdate(volume.spec, old.spec, errors, context);
  },
  warnOnUpdate: volumeWarnings,

  subresources: {
    status: statusStrategy<PersistentVolume>({
      prepare({ status }, { status: old }, { now }) {
        const { lastPhaseTransitionTime: time } = status;
        if (status.phase === old.phase) {
          if (time === undefined && old.lastPhaseTransitionTime !== undefined) status.lastPhaseTransitionTime = old.lastPhaseTransitionTime;
        } else if (time === undefined || time === old.lastPhaseTransitionTime) status.lastPhaseTransitionTime = timestamp(now);
      },
      validateUpdate: (volume, old, errors) => validateObjectMetaUpdate(volume.metadata, old.metadata, errors),
    }),
  },
};

function rulesFor({ metadata }: PersistentVolume, old: PersistentVolume | undefined) {
  return { name: metadata.name ?? '', anyLabelValue: hasBadValue(old?.spec.nodeAffinity?.required?.nodeSelectorTerms) };
}

function hasBadValue(terms: readonly NodeSelectorTerm[] = []): boolean {
  return terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ values = [] }) => values.some((value) => labelValueProblems(value).length > 0)));
}

function validateVolume(volume: PersistentVolume, errors: FieldErrors, old: PersistentVolume | undefined): void {
  validateObjectMeta(volume.metadata, false, nameIsSubdomain, errors);
  validateVolumeSpec(volume.spec, 'spec', errors, rulesFor(volume, old));
  validateMountOptions(volume, errors);
}

const mountOptions = 'volume.beta.kubernetes.io/mount-options';
const mountableSources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

function validateMountOptions({ metadata, spec }: PersistentVolume, errors: FieldErrors): void {
  if (metadata.annotations?.[mountOptions] === undefined || mountableSources.some((name) => spec[name] !== undefined)) return;
  errors.forbidden(`metadata.annotations.${mountOptions}`, 'may not specify mount options for this volume type');
}

const besideSource = new Set([
  'Capacity',
  'AccessModes',
  'ClaimRef',
  'PersistentVolumeReclaimPolicy',
  'StorageClassName',
  'MountOptions',
  'VolumeMode',
  'NodeAffinity',
  'VolumeAttributesClassName',
]);

function sourceForm(source: object): object {
  return Object.fromEntries(Object.entries(goForm(PersistentVolumeSpec, source) as object).filter(([name]) => !besideSource.has(name)));
}

function validateSpecUpdate(spec: PersistentVolumeSpec, old: PersistentVolumeSpec, errors: FieldErrors, { gate }: StrategyContext): void {
  const source = sourceOf(withoutNewSecret(spec, old));
  const oldSource = sourceOf(old);
  if (!semanticEqual(source, oldSource)) {
    const difference = differenceOfForms(sourceForm(oldSource), sourceForm(source));
    errors.forbidden('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${difference}`);
  }
  validateImmutable(spec.volumeMode, old.volumeMode, 'volumeMode', errors);
  if (!gate('MutablePVNodeAffinity') && old.nodeAffinity !== undefined && !sameAffinity(spec.nodeAffinity, old.nodeAffinity)) {
    errors.invalid('nodeAffinity', goForm(VolumeNodeAffinity, spec.nodeAffinity), 'field is immutable, except for updating from beta label to GA');
  }
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    errors.forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden');
  }
}

/** The secret for growing a volume may be added later. */
function withoutNewSecret(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  if (spec.csi === undefined || old.csi === undefined || old.csi.controllerExpandSecretRef !== undefined) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...spec, csi };
}

const stableLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

function sameAffinity(affinity: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): boolean {
  const terms = affinity?.required?.nodeSelectorTerms ?? [];
  const renamed = old.required?.nodeSelectorTerms?.map((term, index) => renameLabels(term, terms[index]));
  return semanticEqual(affinity, { ...old, ...(old.required !== undefined && { required: { ...old.required, nodeSelectorTerms: renamed } }) });
}

/** The old term with stable keys where the new one has made that change. Upstream lets any other key become empty, too; that is refused elsewhere. */
function renameLabels(old: NodeSelectorTerm, term: NodeSelectorTerm | undefined): NodeSelectorTerm {
  const rename = (list: NodeSelectorTerm['matchExpressions'], next: NodeSelectorTerm['matchExpressions']) =>
    list?.map((entry, index) => ((stableLabels[entry.key] ?? '') === next?.[index]?.key ? { ...entry, key: stableLabels[entry.key] ?? '' } : entry));
  return { ...old, matchExpressions: rename(old.matchExpressions, term?.matchExpressions), matchFields: rename(old.matchFields, term?.matchFields) };
}

const fadedSources: readonly (readonly [field: keyof PersistentVolumeSpec, shown: string, message: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings({ metadata, spec }: PersistentVolume): readonly string[] {
  const warnings: string[] = [];
  const annotated = (key: string, message: string) => {
    if (metadata.annotations?.[key] !== undefined) warnings.push(`metadata.annotations[${key}]: ${message}`);
  };
  annotated('volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead');
  annotated(mountOptions, 'deprecated since v1.31; use "mountOptions" attribute instead');
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const advice = 'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    warnings.push(`spec.persistentVolumeReclaimPolicy: ${advice}`);
  }
  spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, index) => {
    warnings.push(...nodeTermWarnings(term, false, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`));
  });
  for (const [field, shown, message] of fadedSources) if (spec[field] !== undefined) warnings.push(`spec.${shown}: ${message}`);
  return warnings;
}
