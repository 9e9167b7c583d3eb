import { clustertrustbundles } from '#kinds/certificates/v1beta1/cluster-trust-bundle.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const requestPem = `-----BEGIN CERTIFICATE REQUEST-----
MIHJMHACAQAwDjEMMAoGA1UEAwwDb25lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEXefYaQOy8uAGE6eMfKSn/f2pisoM0o2IoarsetJhCvEQYhcm6+cIzIJSUmBs
mDvXoQY3ECxASKnRxn9Hyk4Bp6AAMAoGCCqGSM49BAMCA0kAMEYCIQD62JhY9Rzt
p2PqQXAyZBB5TYo82ITZMspEuc99vNHI0AIhAIDtW17cwUwWfCHicrKI4F/3ofea
dbkyFu9PyXNboRJ9
-----END CERTIFICATE REQUEST-----
`;

const certificatePem = `-----BEGIN CERTIFICATE-----
MIIBcjCCARigAwIBAgIUbR4nTjqaTCVackDDHooaberNBvQwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMTYwNDAyMzNaGA8yMTI2MTAyMzA0MDIz
M1owDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF3n
2GkDsvLgBhOnjHykp/39qYrKDNKNiKGq7HrSYQrxEGIXJuvnCMyCUlJgbJg716EG
NxAsQEip0cZ/R8pOAaejUDBOMB0GA1UdDgQWBBTi/4SUqqYNwD9ee8a4C0LzM2qL
/TAfBgNVHSMEGDAWgBTi/4SUqqYNwD9ee8a4C0LzM2qL/TAMBgNVHRMBAf8EAjAA
MAoGCCqGSM49BAMCA0gAMEUCIQDbqIdKvB9v+s9xke8wNmLZHCEXH/e5odZnCFSm
19SylgIgD82rM5i89XKMSsXSpbKiQG6oywyuYdyYTSPoWn6ZJEo=
-----END CERTIFICATE-----
`;

const authorityPem = `-----BEGIN CERTIFICATE-----
MIIBcjCCARegAwIBAgIUPFgGkUknRS4olZ8euWzsNwwTuEYwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCY2EwIBcNMjYxMTE2MDQwMjMzWhgPMjEyNjEwMjMwNDAyMzNa
MA0xCzAJBgNVBAMMAmNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXefYaQOy
8uAGE6eMfKSn/f2pisoM0o2IoarsetJhCvEQYhcm6+cIzIJSUmBsmDvXoQY3ECxA
SKnRxn9Hyk4Bp6NTMFEwHQYDVR0OBBYEFOL/hJSqpg3AP157xrgLQvMzaov9MB8G
A1UdIwQYMBaAFOL/hJSqpg3AP157xrgLQvMzaov9MA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSQAwRgIhALk8/8IV2P/etGW1cbkZWFiMjECSvj5X6d033dmc
iMOCAiEA1WKnTXXh1wFm9hXtFbtP5Ox5yCAR7kS9W9dBV0CQDPM=
-----END CERTIFICATE-----
`;

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
