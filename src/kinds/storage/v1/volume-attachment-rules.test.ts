import { volumeattachments } from '#kinds/storage/v1/volume-attachment-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const attachment = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: 'rules-one' },
  spec: { attacher: 'disk.example.com', nodeName: 'node', source: { persistentVolumeName: 'one' } },
};

describeRefusals('attachments', volumeattachments, attachment, [
  ['no attacher', { 'spec.attacher': '' }, 'spec.attacher: Required value'],
  [
    'an odd attacher',
    { 'spec.attacher': 'a/b' },
    "spec.attacher: Invalid value: \"a/b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['a long attacher', { 'spec.attacher': 'a'.repeat(64) }, 'spec.attacher: Too long: may not be more than 63 bytes'],
]);

describeUpdateRefusals('updates of attachments', volumeattachments, attachment, [
  [
    'another node',
    { 'spec.nodeName': 'other' },
    'spec: Invalid value: {"Attacher":"disk.example.com","Source":{"PersistentVolumeName":"one","InlineVolumeSpec":null},"NodeName":"other"}: field is immutable',
  ],
]);

describeUpdateRefusals(
  'status of attachments',
  volumeattachments,
  attachment,
  [
    [
      'too much metadata',
      { 'status.attachmentMetadata': { a: 'x'.repeat(256 * 1024) } },
      'status.attachmentMetadata: Too long: may not be more than 262144 bytes',
    ],
    [
      'long errors',
      { 'status.attachError': { message: 'x'.repeat(1025) }, 'status.detachError': { message: 'x'.repeat(1025) } },
      'status.attachError.message: Too long: may not be more than 262144 bytes',
      'status.detachError.message: Too long: may not be more than 262144 bytes',
    ],
    [
      'an error code below zero',
      { 'status.attachError': { message: 'x', errorCode: -1 } },
      'status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
  ],
  'status',
);
