import { storageversions } from '#kinds/apiserverinternal/v1alpha1/storage-version-resource.ts';
import { describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const storageVersion = {
  apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
  kind: 'StorageVersion',
  metadata: { name: 'rules.example.things' },
  spec: {},
  status: { commonEncodingVersion: 'v1', storageVersions: [{ apiServerID: 'one', encodingVersion: 'v1', decodableVersions: ['v1'] }] },
};

describeUpdateRefusals(
  'status of storage versions',
  storageversions,
  storageVersion,
  [
    [
      'a server twice',
      { 'status.storageVersions': [0, 1].map(() => ({ apiServerID: 'one', encodingVersion: 'v1', decodableVersions: ['v1'] })) },
      'status.storageVersions[1].apiServerID: Duplicate value: "one"',
    ],
    [
      'a version that cannot be read',
      { 'status.storageVersions.0.decodableVersions': ['v2'] },
      'status.storageVersions[0].decodableVersions: Invalid value: ["v2"]: decodableVersions must include encodingVersion v1',
    ],
    [
      'served versions that cannot be read',
      { 'status.storageVersions.0.servedVersions': ['v2'] },
      'status.storageVersions[0].servedVersions[0]: Invalid value: "v2": individual served version : v2 must be included in decodableVersions : [v1]',
    ],
    [
      'no common version',
      { 'status.commonEncodingVersion': undefined },
      'status.commonEncodingVersion: Invalid value: null: the common encoding version is v1',
    ],
    [
      'another common version',
      { 'status.commonEncodingVersion': 'v2' },
      'status.commonEncodingVersion: Invalid value: "v2": the actual common encoding version is v1',
    ],
    [
      'a common version of servers that differ',
      {
        'status.storageVersions': [
          { apiServerID: 'one', encodingVersion: 'v1', decodableVersions: ['v1'] },
          { apiServerID: 'two', encodingVersion: 'v2', decodableVersions: ['v2'] },
        ],
      },
      'status.commonEncodingVersion: Invalid value: "v1": should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
    ],
    [
      'odd versions',
      { 'status.storageVersions': [{ apiServerID: '', encodingVersion: '1', decodableVersions: ['1'] }] },
      'status.commonEncodingVersion: Invalid value: "v1": the actual common encoding version is 1',
      "status.storageVersions[0].apiServerID: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "status.storageVersions[0].decodableVersions[0]: Invalid value: \"1\": version part: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      "status.storageVersions[0].encodingVersion: Invalid value: \"1\": version part: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      'a condition twice',
      { 'status.conditions': [0, 1].map(() => ({ type: 'A', status: 'True', reason: 'R', message: 'm' })) },
      'status[1].type: Invalid value: "A": the type of the condition is not unique, it also appears in conditions[0]',
    ],
    [
      'a condition without words',
      { 'status.conditions': [{ type: 'A', status: 'True', reason: '', message: '' }] },
      'status[0].message: Required value',
      'status[0].reason: Required value',
    ],
  ],
  'status',
  { notAsked: 'served only with the gate StorageVersionAPI' },
);
