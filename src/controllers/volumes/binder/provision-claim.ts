// A claim for which no volume is there: who makes one, and what the claim is told meanwhile. The one provisioner of the original's own, for
// paths of a host, is off there by default and not part of this server.
import { messageOf } from '#base/message-of.ts';
import { annotated, type BindingWrites } from '#controllers/volumes/binder/binding-writes.ts';
import { classOf, migratedDriverOf, storageAnnotations, type StoredClaim, type StoredClass, withMigration } from '#controllers/volumes/storage-objects.ts';

export interface Provisioning {
  readonly writes: BindingWrites;
  readonly tell: (claim: StoredClaim, type: 'Normal' | 'Warning', reason: string, message: string) => void;
}

const hostPath = 'kubernetes.io/host-path';

export async function provisionClaim({ writes, tell }: Provisioning, claim: StoredClaim, storageClass: StoredClass | undefined): Promise<void> {
  const fail = (why: string) => tell(claim, 'Warning', 'ProvisioningFailed', why);
  if (storageClass === undefined) return fail(`storageclass.storage.k8s.io ${JSON.stringify(classOf(claim))} not found`);
  const { provisioner } = storageClass;
  const provisionedBy = migratedDriverOf(provisioner) ?? provisioner;
  if (provisionedBy.startsWith('kubernetes.io/') && provisionedBy !== hostPath) return fail(missingPlugin(provisionedBy));
  if (provisionedBy === hostPath) return await refuseHostPath(writes, fail, claim);
  const named = await nameProvisioner(writes, claim, provisionedBy).catch((error: unknown) => {
    fail(`Error saving claim: ${messageOf(error)}`);
    throw error;
  });
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisionedBy}' ` +
    'or manually by the system administrator. If volume creation is delayed, please verify that ' +
    'the provisioner is running and correctly registered.';
  tell(named, 'Normal', 'ExternalProvisioning', message);
}

/** NFS has a plugin, but not one that makes volumes. */
function missingPlugin(provisioner: string): string {
  return provisioner === 'kubernetes.io/nfs' ? 'no provisionable volume plugin matched' : `no volume plugin matched name: ${provisioner}`;
}

async function refuseHostPath(writes: BindingWrites, fail: (why: string) => void, claim: StoredClaim): Promise<void> {
  if (claim.spec.dataSource) return fail(`plugin "${hostPath}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`);
  await nameProvisioner(writes, claim, hostPath);
  fail(`Failed to create provisioner: provisioning in volume plugin "${hostPath}" is disabled`);
}

/** Provisioners look for claims that name them. */
async function nameProvisioner(writes: BindingWrites, claim: StoredClaim, provisioner: string): Promise<StoredClaim> {
  if (claim.metadata.annotations?.[storageAnnotations.provisioner] === provisioner) return claim;
  const marked = annotated(claim, { [storageAnnotations.betaProvisioner]: provisioner, [storageAnnotations.provisioner]: provisioner });
  const annotations = withMigration(marked.metadata.annotations ?? {}, provisioner);
  return writes.claim({ ...marked, metadata: { ...marked.metadata, annotations: { ...annotations } } });
}
