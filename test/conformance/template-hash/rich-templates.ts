// Pod templates that between them use what templates have: those of pods that the original is known to take, and amounts of all sizes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePod } from '../../support/sample-pod.ts';
import { root } from '../../support/server-under-test.mjs';
import { validPod } from '../../support/valid-pod.ts';

export interface PodTemplate {
  readonly metadata: { readonly labels?: Record<string, string>; readonly [field: string]: unknown };
  readonly spec: Readonly<Record<string, unknown>>;
}

interface Podlike {
  readonly metadata?: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string>; readonly finalizers?: readonly string[] };
  readonly spec?: Readonly<Record<string, unknown>>;
}

const quantities = [
  '0',
  '1',
  '8',
  '100m',
  '1500m',
  '0.1',
  '1k',
  '64Mi',
  '8Gi',
  '1.5Gi',
  '1Pi',
  '3Ei',
  '1e3',
  '123456789',
  '12345678901234567890',
  '5n',
  '1000000001n',
];

export function richTemplates(): readonly PodTemplate[] {
  const accepted = JSON.parse(readFileSync(join(root, 'test/fixtures/accepted-core-objects.json'), 'utf8')) as Record<string, readonly Podlike[]>;
  const pods: readonly Podlike[] = [...(accepted['/v1/pods'] ?? []), validPod as Podlike, samplePod('one') as Podlike];
  const templates = (accepted['/v1/podtemplates'] ?? []).map((one) => (one as { template?: Podlike }).template ?? {});
  return [...pods, ...templates].map(templateOf).concat(quantities.map(amountTemplate), volumeTemplates());
}

function templateOf({ metadata = {}, spec = {} }: Podlike): PodTemplate {
  const { labels, annotations, finalizers } = metadata;
  return { metadata: { labels: labels ?? {}, ...(annotations && { annotations }), ...(finalizers && { finalizers }) }, spec };
}

function amountTemplate(amount: string): PodTemplate {
  const resources = { requests: { 'example.com/foo': '1', memory: amount }, limits: { memory: amount, 'example.com/foo': '1' } };
  return { metadata: {}, spec: { containers: [{ name: 'c', image: 'i', resources }], volumes: [{ name: 'v', emptyDir: { sizeLimit: amount } }] } };
}

const volumeSources: readonly Record<string, unknown>[] = [
  { awsElasticBlockStore: { volumeID: 'v', fsType: 'ext4', partition: 1, readOnly: true } },
  { gcePersistentDisk: { pdName: 'p', fsType: 'ext4', partition: 2 } },
  { nfs: { server: 's', path: '/p', readOnly: true } },
  {
    iscsi: {
      targetPortal: '1.2.3.4:3260',
      iqn: 'iqn.2001-04.com.example:storage',
      lun: 3,
      portals: ['1.2.3.5:3260'],
      chapAuthSession: true,
      secretRef: { name: 's' },
    },
  },
  { glusterfs: { endpoints: 'e', path: 'p' } },
  { rbd: { monitors: ['m'], image: 'i', pool: 'p', user: 'u', keyring: '/k', secretRef: { name: 's' } } },
  { flexVolume: { driver: 'd/d', fsType: 'f', options: { b: '1', a: '2' } } },
  { cinder: { volumeID: 'v', secretRef: { name: 's' } } },
  { cephfs: { monitors: ['m'], path: '/', user: 'u', secretFile: '/s', readOnly: true } },
  { flocker: { datasetName: 'd' } },
  { fc: { targetWWNs: ['w'], lun: 1, fsType: 'f' } },
  { fc: { wwids: ['w'] } },
  { azureFile: { secretName: 's', shareName: 'h' } },
  { azureDisk: { diskName: 'd', diskURI: 'https://blob/d.vhd', cachingMode: 'None', kind: 'Shared' } },
  { vsphereVolume: { volumePath: 'p', storagePolicyName: 's', storagePolicyID: 'i' } },
  { quobyte: { registry: 'r:1', volume: 'v', user: 'u', group: 'g', tenant: 't' } },
  { photonPersistentDisk: { pdID: 'p' } },
  { portworxVolume: { volumeID: 'v' } },
  { scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'n' }, volumeName: 'v', sslEnabled: true } },
  { storageos: { volumeName: 'v', volumeNamespace: 'n' } },
  { csi: { driver: 'd', readOnly: false, volumeAttributes: { z: '1', a: '' }, nodePublishSecretRef: { name: 's' } } },
  { gitRepo: { repository: 'r', revision: 'x', directory: 'd' } },
  { hostPath: { path: '/p', type: 'DirectoryOrCreate' } },
  { image: { reference: 'r', pullPolicy: 'Always' } },
  { downwardAPI: { items: [{ path: 'p', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' } }], defaultMode: 256 } },
  { configMap: { name: 'c', items: [{ key: 'k', path: 'p', mode: 420 }], optional: true } },
  {
    projected: {
      sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600, audience: 'a' } }, { secret: { name: 's' } }, { configMap: { name: 'c' } }],
    },
  },
  {
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels: { l: 'x' } },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'c', resources: { requests: { storage: '2Gi' } } },
      },
    },
  },
];

function volumeTemplates(): readonly PodTemplate[] {
  const annotations = { 'a/b': 'text with "quotes" <&> and ☃' };
  const probe = { grpc: { port: 1, service: 's' }, terminationGracePeriodSeconds: 3 };
  return volumeSources.map((source) => ({
    metadata: { annotations },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          startupProbe: probe,
          lifecycle: { preStop: { httpGet: { path: '/', port: 'http', httpHeaders: [{ name: 'a', value: 'b' }] } }, postStart: { exec: { command: ['x'] } } },
          ports: [{ containerPort: 80, name: 'http' }],
          tty: true,
          stdin: true,
        },
      ],
      volumes: [{ name: 'v', ...source }],
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }],
      os: { name: 'linux' },
      dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }] },
    },
  }));
}
