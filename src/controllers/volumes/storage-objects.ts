// Volumes, claims and storage classes as their controllers see them: which class, which claim, who provisions.
import type { KubernetesObject } from '#api/object.ts';
import { newestMarked } from '#api/newest-marked.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import type { StorageClass } from '#kinds/storage/v1/storage-class.ts';

export type StoredVolume = PersistentVolume & KubernetesObject;
export type StoredClaim = PersistentVolumeClaim & KubernetesObject;
export type StoredClass = StorageClass & KubernetesObject;

export const storageAnnotations = {
  /** The two halves of a binding have been written. */
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  /** The controller chose the other half, not the user: it may take the choice back. */
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  /** The scheduler chose a node for the first pod that uses the claim. */
  selectedNode: 'volume.kubernetes.io/selected-node',
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  migratedTo: 'pv.kubernetes.io/migrated-to',
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  betaProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  betaClass: 'volume.beta.kubernetes.io/storage-class',
} as const;

const defaultMarks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

export function hasAnnotation({ metadata }: KubernetesObject, annotation: string): boolean {
  return metadata.annotations?.[annotation] !== undefined;
}

export function classOf({ metadata, spec }: StoredVolume | StoredClaim): string {
  return metadata.annotations?.[storageAnnotations.betaClass] ?? spec.storageClassName ?? '';
}

/** An empty class is one too: the claim wants a volume without a class. */
export function namesClass({ metadata, spec }: StoredClaim): boolean {
  return metadata.annotations?.[storageAnnotations.betaClass] !== undefined || spec.storageClassName !== undefined;
}

export function defaultClassOf(classes: readonly StoredClass[]): StoredClass | undefined {
  return newestMarked(classes, defaultMarks) as StoredClass | undefined;
}

/** Bound by the controller, or meant for this claim by whoever made the volume. */
export function isMeantFor({ spec: { claimRef } }: StoredVolume, { metadata }: StoredClaim): boolean {
  if (claimRef === undefined || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return !claimRef.uid || claimRef.uid === metadata.uid;
}

/** Plugins that were part of Kubernetes, by the CSI drivers that have taken over from them. */
const migrated: Readonly<Record<string, string | undefined>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

/** By the field of a volume's source. */
const migratedSources = {
  awsElasticBlockStore: 'kubernetes.io/aws-ebs',
  azureDisk: 'kubernetes.io/azure-disk',
  azureFile: 'kubernetes.io/azure-file',
  cinder: 'kubernetes.io/cinder',
  gcePersistentDisk: 'kubernetes.io/gce-pd',
  portworxVolume: 'kubernetes.io/portworx-volume',
  vsphereVolume: 'kubernetes.io/vsphere-volume',
} as const;

/** The plugin from which a driver has taken over; undefined: none has, for this volume. */
export function pluginOf(spec: StoredVolume['spec']): string | undefined {
  return Object.entries(migratedSources).find(([source]) => spec[source as keyof typeof migratedSources] !== undefined)?.[1];
}

export function migratedDriverOf(plugin: string): string | undefined {
  return Object.hasOwn(migrated, plugin) ? migrated[plugin] : undefined;
}

/** As annotations say it: with the driver that has taken over, or without the mark where none has. The same object where nothing changes. */
export function withMigration(annotations: Readonly<Record<string, string>>, provisioner: string): Readonly<Record<string, string>> {
  const driver = migratedDriverOf(provisioner);
  const { [storageAnnotations.migratedTo]: known, ...others } = annotations;
  if (known === driver) return annotations;
  return driver === undefined ? others : { ...others, [storageAnnotations.migratedTo]: driver };
}
