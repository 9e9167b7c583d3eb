import { describe, expect, test } from 'vitest';
import { volumeattachments } from '#kinds/storage/v1/volume-attachment-resource.ts';
import { notSubdomain } from '../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, describeUpdateRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'a' }, spec: { attacher: 'csi.example.com', source: { persistentVolumeName: 'pv1' }, nodeName: 'n1' } };
const csi = { driver: 'csi.example.com', volumeHandle: 'h' };
const inline = changed(valid, { 'spec.source': { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi } } });
const at = 'spec.source.inlineVolumeSpec';
const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

describeRefusals('volume attachments', volumeattachments, valid, [
  ['no attacher', { 'spec.attacher': '' }, 'spec.attacher: Required value'],
  ['no source', { 'spec.source': {} }, `spec.source: Required value: ${one}`],
  ['two sources', { 'spec.source.inlineVolumeSpec': { csi } }, `spec.source: Forbidden: ${one}`],
  [
    'an empty volume name',
    { 'spec.source.persistentVolumeName': '' },
    'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
    `spec.source.persistentVolumeName: ${notSubdomain('')}`,
  ],
  ['a node that is no name', { 'spec.nodeName': 'A' }, `spec.nodeName: ${notSubdomain('A')}`],
]);

describeRefusals('inline volumes', volumeattachments, inline, [
  ['a claim', { [`${at}.claimRef`]: { name: 'c' } }, `${at}.claimRef: Forbidden: may not be specified in the context of inline volumes`],
  ['a capacity', { [`${at}.capacity`]: { storage: '1Gi' } }, `${at}.capacity: Forbidden: may not be specified in the context of inline volumes`],
  [
    'another source than CSI',
    { [`${at}.csi`]: undefined, [`${at}.hostPath`]: { path: '/x' } },
    `${at}.csi: Required value: has to be specified in the context of inline volumes`,
  ],
  [
    'deletion of what it does not own',
    { [`${at}.persistentVolumeReclaimPolicy`]: 'Delete' },
    `${at}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
  ],
  ['a storage class', { [`${at}.storageClassName`]: 'a' }, `${at}.storageClassName: Forbidden: may not be specified in the context of inline volumes`],
  [
    'blocks',
    { [`${at}.volumeMode`]: 'Block' },
    `${at}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
  ],
  [
    'node affinity',
    { [`${at}.nodeAffinity`]: { required: { nodeSelectorTerms: [{}] } } },
    `${at}.nodeAffinity: Forbidden: may not be specified in the context of inline volumes`,
  ],
]);

describeUpdateRefusals('updates of volume attachments', volumeattachments, valid, [
  [
    'another node',
    { 'spec.nodeName': 'n2' },
    'spec: Invalid value: {"Attacher":"csi.example.com","Source":{"PersistentVolumeName":"pv1","InlineVolumeSpec":null},"NodeName":"n2"}: field is immutable',
  ],
]);

describeUpdateRefusals(
  'statuses of volume attachments',
  volumeattachments,
  valid,
  [
    [
      'a negative code',
      { 'status.attachError': { errorCode: -1 } },
      'status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    ['a long message', { 'status.detachError': { message: 'x'.repeat(1025) } }, 'status.detachError.message: Too long: may not be more than 262144 bytes'],
    ['much metadata', { 'status.attachmentMetadata': { a: 'x'.repeat(262_144) } }, 'status.attachmentMetadata: Too long: may not be more than 262144 bytes'],
  ],
  'status',
);

describe('volume attachments', () => {
  test('begin unattached, whatever was sent', () => {
    expect(prepared(volumeattachments, changed(valid, { status: { attached: true } }), contextWith())['status']).toEqual({ attached: false });
  });
});
