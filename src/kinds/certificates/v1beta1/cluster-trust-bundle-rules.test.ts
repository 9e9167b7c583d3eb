import { clustertrustbundles } from '#kinds/certificates/v1beta1/cluster-trust-bundle-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { authorityPem, certificatePem, requestPem } from '../../../../test/support/sample-certificates.ts';

const bundle = {
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'ClusterTrustBundle',
  metadata: { name: 'example.com:signer:one' },
  spec: { signerName: 'example.com/signer', trustBundle: authorityPem },
};

describeRefusals(
  'trust bundles',
  clustertrustbundles,
  bundle,
  [
    [
      'a name without the signer',
      { 'metadata.name': 'one' },
      'metadata.name: Invalid value: "one": ClusterTrustBundle for signerName example.com/signer must be named with prefix example.com:signer:',
    ],
    [
      'a name of another signer',
      { 'metadata.name': 'example.com:other:one' },
      'metadata.name: Invalid value: "example.com:other:one": ClusterTrustBundle for signerName example.com/signer must be named with prefix example.com:signer:',
    ],
    [
      'an odd signer',
      { 'metadata.name': 'a:one', 'spec.signerName': 'a' },
      'spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'a name with a signer, without one',
      { 'spec.signerName': '' },
      'metadata.name: Invalid value: "example.com:signer:one": ClusterTrustBundle without signer name must not have ":" in its name',
    ],
    ['no certificates', { 'spec.trustBundle': '' }, 'spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided'],
    [
      'text instead of certificates',
      { 'spec.trustBundle': 'text' },
      'spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided',
    ],
    [
      'a block of another type',
      { 'spec.trustBundle': requestPem },
      'spec.trustBundle: Invalid value: "<value omitted>": entry 0 has bad block type: CERTIFICATE REQUEST',
    ],
    [
      'a block with headers',
      { 'spec.trustBundle': authorityPem.replace('-\n', '-\nA: b\n\n') },
      'spec.trustBundle: Invalid value: "<value omitted>": entry 0 has PEM block headers',
    ],
    [
      'a block that holds no certificate',
      { 'spec.trustBundle': '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n' },
      'spec.trustBundle: Invalid value: "<value omitted>": entry 0 does not parse as X.509',
    ],
    [
      'a certificate that is no authority',
      { 'spec.trustBundle': certificatePem },
      'spec.trustBundle: Invalid value: "<value omitted>": entry 0 does not have the CA bit set',
    ],
    [
      'a certificate twice',
      { 'spec.trustBundle': authorityPem + authorityPem },
      'spec.trustBundle: Invalid value: "<value omitted>": duplicate trust anchor (indices [0 1])',
    ],
    ['a bundle that is too long', { 'spec.trustBundle': 'x'.repeat(1024 * 1024 + 1) }, 'spec.trustBundle: Too long: may not be more than 1048576 bytes'],
  ],
  { notAsked: 'served only with the gate ClusterTrustBundle' },
);

describeUpdateRefusals(
  'updates of trust bundles',
  clustertrustbundles,
  bundle,
  [
    [
      'another signer',
      { 'spec.signerName': 'example.com/other' },
      'metadata.name: Invalid value: "example.com:signer:one": ClusterTrustBundle for signerName example.com/other must be named with prefix example.com:other:',
      'spec.signerName: Invalid value: "example.com/other": field is immutable',
    ],
  ],
  '',
  { notAsked: 'served only with the gate ClusterTrustBundle' },
);
