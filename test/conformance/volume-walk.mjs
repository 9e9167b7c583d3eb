// The part of controllers.mjs about volumes: claims of every kind that find a volume, wait for one, lose it or give it back.
// `walk` has ask(method, path, body, type), until(holds) and list(path).
const namespace = 'walk';
const core = `/api/v1/namespaces/${namespace}`;
const claims = `${core}/persistentvolumeclaims`;
const volumes = '/api/v1/persistentvolumes';
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const attributesClasses = '/apis/storage.k8s.io/v1/volumeattributesclasses';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
const merge = 'application/merge-patch+json';

export const volumeControllers = [
  'persistentvolume-binder-controller',
  'persistentvolume-expander-controller',
  'persistentvolume-attach-detach-controller',
  'ephemeral-volume-controller',
  'volumeattributesclass-protection-controller',
];

export const comparedVolumes = { claims, volumes, classes, attributesClasses, attachments };

export async function walkVolumes(walk) {
  const steps = new VolumeSteps(walk);
  await steps.classes();
  await steps.bindings();
  await steps.waits();
  await steps.reclaims();
  await steps.losses();
  await steps.ephemeral();
  await steps.attributes();
  await steps.expansion();
  await steps.attachments();
  await steps.defaultClass();
}

class VolumeSteps {
  #walk;

  constructor(walk) {
    this.#walk = walk;
  }

  async classes() {
    const make = (name, provisioner, more = {}) => this.#walk.ask('POST', classes, { metadata: { name }, provisioner, ...more });
    await make('late', 'kubernetes.io/no-provisioner', { volumeBindingMode: 'WaitForFirstConsumer' });
    await make('later', 'example.com/disks', { volumeBindingMode: 'WaitForFirstConsumer' });
    await make('static', 'kubernetes.io/no-provisioner');
    await make('outside', 'example.com/disks', { allowVolumeExpansion: true });
    await make('migrated', 'kubernetes.io/aws-ebs');
    await make('host', 'kubernetes.io/host-path');
    await make('shared', 'kubernetes.io/nfs');
  }

  /** The smallest volume that fits, one that was meant for the claim, one that the claim asks for. */
  async bindings() {
    await this.#volume('small', { size: '1Gi' });
    await this.#volume('large', { size: '5Gi' });
    await this.#volume('many', { size: '1Gi', modes: ['ReadWriteOnce', 'ReadWriteMany'] });
    await this.#volume('block', { size: '1Gi', spec: { volumeMode: 'Block' } });
    await this.#volume('labelled', { size: '1Gi', labels: { tier: 'gold' }, storageClass: 'gold' });
    await this.#volume('meant', { size: '9Gi', spec: { claimRef: { namespace, name: 'expected' } } });
    await this.#claim('plain', { size: '500Mi', storageClassName: '' });
    await this.#bound('plain');
    await this.#claim('second', { size: '2Gi', storageClassName: '' });
    await this.#claim('shared', { size: '1Gi', storageClassName: '', accessModes: ['ReadWriteMany'] });
    await this.#claim('raw', { size: '1Gi', storageClassName: '', volumeMode: 'Block' });
    await this.#claim('choosy', { size: '1Gi', storageClassName: 'gold', selector: { matchLabels: { tier: 'gold' } } });
    await this.#claim('expected', { size: '1Gi', storageClassName: '' });
    for (const name of ['second', 'shared', 'raw', 'choosy', 'expected']) await this.#bound(name);
    await this.#volume('named', { size: '2Gi' });
    await this.#claim('asks', { size: '1Gi', storageClassName: '', volumeName: 'named' });
    await this.#bound('asks');
    await this.#volume('tiny', { size: '1Mi' });
    await this.#claim('asks-too-much', { size: '1Gi', storageClassName: '', volumeName: 'tiny' });
    await this.#claim('asks-too-late', { size: '1Gi', storageClassName: '', volumeName: 'small' });
    await this.#claim('asks-in-vain', { size: '1Gi', storageClassName: '', volumeName: 'nowhere' });
    await this.#told('asks-too-much', 'VolumeMismatch');
    await this.#told('asks-too-late', 'FailedBinding');
  }

  async waits() {
    const wait = async (name, storageClassName, reason) => {
      await this.#claim(name, { size: '1Gi', storageClassName });
      await this.#told(name, reason);
    };
    await wait('alone', '', 'FailedBinding');
    await wait('from-outside', 'outside', 'ExternalProvisioning');
    await wait('from-migrated', 'migrated', 'ExternalProvisioning');
    await wait('from-host', 'host', 'ProvisioningFailed');
    await wait('from-shared', 'shared', 'ProvisioningFailed');
    await wait('from-nobody', 'static', 'ProvisioningFailed');
    await wait('from-missing', 'missing', 'ProvisioningFailed');
    await wait('for-consumer', 'late', 'WaitForFirstConsumer');
    await this.#pod('unscheduled', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'for-pod' } }] });
    await wait('for-pod', 'late', 'WaitForPodScheduled');
    await wait('for-node', 'later', 'WaitForFirstConsumer');
    await this.#walk.ask('PATCH', `${claims}/for-node`, { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } } }, merge);
    await this.#told('for-node', 'ExternalProvisioning');
    // A volume that the scheduler has bound is finished here.
    await this.#volume('by-scheduler', { size: '1Gi', storageClass: 'late', spec: { claimRef: { namespace, name: 'scheduled' } } });
    await this.#claim('scheduled', { size: '1Gi', storageClassName: 'late' });
    await this.#bound('scheduled');
  }

  async reclaims() {
    const policy = (persistentVolumeReclaimPolicy, more = {}) => ({ persistentVolumeReclaimPolicy, ...more });
    const paths = { hostPath: undefined, nfs: { server: 's', path: '/x' } };
    const cases = {
      retained: { spec: policy('Retain') },
      deleted: { spec: policy('Delete', { hostPath: { path: '/tmp/binnacle-walk-nothing' } }) },
      undeletable: { spec: policy('Delete', { hostPath: { path: '/var/lib/none' } }) },
      'nfs-deleted': { spec: policy('Delete', paths) },
      'csi-deleted': { spec: policy('Delete', { hostPath: undefined, csi: { driver: 'example.com', volumeHandle: 'h' } }) },
      provisioned: {
        annotations: { 'pv.kubernetes.io/provisioned-by': 'example.com/disks' },
        spec: policy('Delete', { hostPath: undefined, csi: { driver: 'example.com', volumeHandle: 'i' } }),
      },
    };
    for (const [name, facts] of Object.entries(cases)) {
      await this.#pair(name, `of-${name}`, facts);
    }
    for (const name of Object.keys(cases)) await this.#walk.ask('DELETE', `${claims}/of-${name}`);
    const phaseOf = async (name) => (await this.#walk.list(volumes)).find(({ metadata }) => metadata.name === name)?.status?.phase;
    await this.#walk.until(async () => (await phaseOf('deleted')) === undefined);
    for (const name of ['undeletable', 'nfs-deleted']) await this.#walk.until(async () => (await phaseOf(name)) === 'Failed');
    for (const name of ['retained', 'csi-deleted', 'provisioned']) await this.#walk.until(async () => (await phaseOf(name)) === 'Released');
  }

  async losses() {
    await this.#pair('vanishing', 'loses');
    await this.#walk.ask('DELETE', `${volumes}/vanishing`);
    await this.#walk.ask('PATCH', `${volumes}/vanishing`, { metadata: { finalizers: null } }, merge);
    await this.#told('loses', 'ClaimLost');
    // Bound, and so kept by its finalizer.
    await this.#pair('kept', 'keeps');
    await this.#walk.ask('DELETE', `${volumes}/kept`);
  }

  async ephemeral() {
    const ephemeral = { volumeClaimTemplate: { metadata: { labels: { made: 'here' } }, spec: this.#claimSpec({ size: '1Gi', storageClassName: 'outside' }) } };
    await this.#claim('second-scratch', { size: '1Gi', storageClassName: '' });
    for (const name of ['first', 'second']) await this.#pod(name, { volumes: [{ name: 'scratch', ephemeral }] });
    await this.#walk.until(async () => (await this.#walk.list(claims)).some(({ metadata }) => metadata.name === 'first-scratch'));
    await this.#told('second', 'FailedBinding');
  }

  async attributes() {
    for (const name of ['gold', 'silver', 'unused'])
      await this.#walk.ask('POST', attributesClasses, { metadata: { name }, driverName: 'example.com', parameters: { tier: name } });
    await this.#walk.until(async () => (await this.#walk.list(attributesClasses)).every(({ metadata }) => metadata.finalizers?.length === 1));
    await this.#claim('attributed', { size: '1Gi', storageClassName: 'outside', volumeAttributesClassName: 'gold' });
    await this.#claim('attributed-for-now', { size: '1Gi', storageClassName: 'outside', volumeAttributesClassName: 'silver' });
    for (const name of ['attributed', 'attributed-for-now']) await this.#told(name, 'ExternalProvisioning');
    for (const name of ['gold', 'silver', 'unused']) await this.#walk.ask('DELETE', `${attributesClasses}/${name}`);
    await this.#walk.ask('DELETE', `${claims}/attributed-for-now`);
    await this.#walk.until(async () => (await this.#walk.list(attributesClasses)).length === 1);
  }

  async expansion() {
    const claimRef = { namespace, name: 'grows' };
    await this.#volume('growing', { size: '1Gi', storageClass: 'outside', spec: { claimRef } });
    await this.#claim('grows', { size: '1Gi', storageClassName: 'outside', volumeName: 'growing' });
    await this.#bound('grows');
    await this.#walk.ask('PATCH', `${claims}/grows`, { spec: { resources: { requests: { storage: '2Gi' } } } }, merge);
    await this.#told('grows', 'ExternalExpanding');
  }

  /** The attacher of the driver is played here. */
  async attachments() {
    for (const name of ['near', 'far']) {
      const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
      await this.#walk.ask('POST', '/api/v1/nodes', { metadata: { name, annotations } });
      await this.#walk.ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, merge);
    }
    await this.#walk.ask('POST', '/apis/storage.k8s.io/v1/csidrivers', { metadata: { name: 'none.example.com' }, spec: { attachRequired: false } });
    for (const name of ['disk', 'single', 'broken']) await this.#disk(name, 'disks.example.com');
    await this.#disk('unattached', 'none.example.com');
    for (const name of ['disk', 'single', 'broken', 'unattached']) await this.#user(`${name}-user`, 'near', name);
    const of = (volume) => this.#attachment(volume, 'near');
    await this.#play(await of('disk'), { attached: true });
    await this.#play(await of('single'), { attached: true });
    await this.#play(await of('broken'), { attached: false, attachError: { time: '2026-01-01T00:00:00Z', message: 'no such disk' } });
    for (const name of ['disk', 'single']) await this.#told(`${name}-user`, 'SuccessfulAttachVolume');
    await this.#told('broken-user', 'FailedAttachVolume');
    await this.#user('single-rival', 'far', 'single');
    await this.#told('single-rival', 'FailedAttachVolume');
    await this.#walk.ask('DELETE', `${core}/pods/single-user?gracePeriodSeconds=0`);
    await this.#play(await this.#attachment('single', 'far'), { attached: true });
    await this.#told('single-rival', 'SuccessfulAttachVolume');
  }

  async #disk(name, driver) {
    const source = { hostPath: undefined, csi: { driver, volumeHandle: name } };
    await this.#pair(name, name, { storageClass: 'apart', spec: source });
  }

  async #user(name, nodeName, claimName) {
    await this.#pod(name, { nodeName, volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
  }

  async #attachment(volume, node) {
    let found;
    await this.#walk.until(async () => {
      found = (await this.#walk.list(attachments)).find(({ spec }) => spec.source.persistentVolumeName === volume && spec.nodeName === node);
      return found !== undefined;
    });
    return found.metadata.name;
  }

  async #play(name, status) {
    await this.#walk.ask('PATCH', `${attachments}/${name}/status`, { status }, merge);
  }

  /** Last: the default class is given to every claim that names none. */
  async defaultClass() {
    await this.#claim('undecided', { size: '1Gi' });
    await this.#told('undecided', 'FailedBinding');
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await this.#walk.ask('POST', classes, { metadata: { name: 'default', annotations }, provisioner: 'example.com/default' });
    await this.#told('undecided', 'ExternalProvisioning');
  }

  async #volume(name, { size, modes = ['ReadWriteOnce'], labels = {}, annotations = {}, storageClass = '', spec = {} }) {
    const whole = { capacity: { storage: size }, accessModes: modes, hostPath: { path: `/tmp/${name}` }, storageClassName: storageClass, ...spec };
    await this.#walk.ask('POST', volumes, { metadata: { name, labels, annotations }, spec: whole });
    await this.#walk.until(async () => (await this.#walk.ask('GET', `${volumes}/${name}`)).status?.phase === 'Available');
  }

  /** Of a class of their own: no claim that waits may take the volume. */
  async #pair(volume, claim, facts = {}) {
    await this.#volume(volume, { size: '1Gi', storageClass: 'apart', ...facts });
    await this.#claim(claim, { size: '1Gi', storageClassName: 'apart', volumeName: volume });
    await this.#bound(claim);
  }

  #claimSpec({ size, accessModes = ['ReadWriteOnce'], ...more }) {
    return { accessModes, resources: { requests: { storage: size } }, ...more };
  }

  async #claim(name, facts) {
    await this.#walk.ask('POST', claims, { metadata: { name }, spec: this.#claimSpec(facts) });
  }

  async #pod(name, spec) {
    await this.#walk.ask('POST', `${core}/pods`, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
  }

  async #bound(name) {
    await this.#walk.until(async () => (await this.#walk.ask('GET', `${claims}/${name}`)).status?.phase === 'Bound');
  }

  async #told(name, reason) {
    await this.#walk.until(async () =>
      (await this.#walk.list(`${core}/events`)).some((event) => event.involvedObject.name === name && event.reason === reason),
    );
  }
}
