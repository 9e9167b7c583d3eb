import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { notKey } from '../../../../../test/support/format-texts.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

const bundle = 'spec.volumes.4.projected.sources.0.clusterTrustBundle';
const certificate = 'spec.volumes.4.projected.sources.0.podCertificate';
const projecting = (source: object) => ({
  ...validPod,
  spec: { ...validPod.spec, volumes: [...validPod.spec.volumes.slice(0, 4), { name: 'all', projected: { sources: [source] } }] },
});

describeRefusals(
  'trust bundles in volumes',
  pods,
  projecting({ clusterTrustBundle: { name: 'ca', path: 'ca.pem', optional: true } }),
  [
    [
      'neither name nor signer',
      { [`${bundle}.name`]: undefined },
      'spec.volumes[4].projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified',
    ],
    [
      'a name and a signer',
      { [`${bundle}.signerName`]: 'example.com/s', [`${bundle}.labelSelector`]: {} },
      'spec.volumes[4].projected.sources[0].clusterTrustBundle: Invalid value: {"Name":"ca","SignerName":"example.com/s","LabelSelector":{},"Optional":true,"Path":"ca.pem"}: only one of name and signerName may be used',
    ],
    [
      'an empty name',
      { [`${bundle}.name`]: '' },
      "spec.volumes[4].projected.sources[0].clusterTrustBundle.name: Invalid value: \"\": not a valid clustertrustbundlename: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.volumes[4].projected.sources[0].clusterTrustBundle.name: Required value: must be a valid object name',
    ],
    [
      'a name that is none',
      { [`${bundle}.name`]: 'A' },
      "spec.volumes[4].projected.sources[0].clusterTrustBundle.name: Invalid value: \"A\": not a valid clustertrustbundlename: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'a signer that is none',
      { [`${bundle}.name`]: undefined, [`${bundle}.signerName`]: 'nobody', [`${bundle}.labelSelector`]: {} },
      'spec.volumes[4].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "nobody": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'a selector beside a name',
      { [`${bundle}.labelSelector`]: {} },
      'spec.volumes[4].projected.sources[0].clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified',
    ],
    [
      'a selector that is wrong',
      { [`${bundle}.name`]: undefined, [`${bundle}.signerName`]: 'example.com/s', [`${bundle}.labelSelector`]: { matchLabels: { 'a b': 'c' } } },
      `spec.volumes[4].projected.sources[0].clusterTrustBundle.labelSelector.matchLabels: ${notKey('a b')}`,
    ],
    ['no path', { [`${bundle}.path`]: '' }, 'spec.volumes[4].projected.sources[0].clusterTrustBundle.path: Required value'],
    [
      'a path that leaves the volume',
      { [`${bundle}.path`]: '../ca.pem' },
      'spec.volumes[4].projected.sources[0].clusterTrustBundle.path: Invalid value: "../ca.pem": must not contain \'..\'',
    ],
    [
      'a path that begins with two dots',
      { [`${bundle}.path`]: '..ca.pem' },
      'spec.volumes[4].projected.sources[0].clusterTrustBundle.path: Invalid value: "..ca.pem": must not start with \'..\'',
    ],
  ],
  { gates: { ClusterTrustBundle: 'true', ClusterTrustBundleProjection: 'true' } },
);

describeRefusals(
  'certificates in volumes',
  pods,
  projecting({
    podCertificate: {
      signerName: 'example.com/s',
      keyType: 'ED25519',
      credentialBundlePath: 'b.pem',
      maxExpirationSeconds: 3600,
      userAnnotations: { 'example.com/a': 'b' },
    },
  }),
  [
    ['no signer', { [`${certificate}.signerName`]: '' }, 'spec.volumes[4].projected.sources[0].podCertificate.signerName: Required value'],
    [
      'a signer that is none',
      { [`${certificate}.signerName`]: 'nobody' },
      'spec.volumes[4].projected.sources[0].podCertificate.signerName: Invalid value: "nobody": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'an unknown kind of key',
      { [`${certificate}.keyType`]: 'DSA' },
      'spec.volumes[4].projected.sources[0].podCertificate.keyType: Unsupported value: "DSA": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"',
    ],
    [
      'no kind of key',
      { [`${certificate}.keyType`]: '' },
      'spec.volumes[4].projected.sources[0].podCertificate.keyType: Unsupported value: "": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"',
    ],
    [
      'too short a life',
      { [`${certificate}.maxExpirationSeconds`]: 3599 },
      'spec.volumes[4].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 3599: if provided, maxExpirationSeconds must be >= 3600',
    ],
    [
      'too long a life',
      { [`${certificate}.maxExpirationSeconds`]: 7862401 },
      'spec.volumes[4].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 7862401: if provided, maxExpirationSeconds must be <= 7862400',
    ],
    [
      'too long a life for a signer of Kubernetes',
      { [`${certificate}.signerName`]: 'kubernetes.io/s', [`${certificate}.maxExpirationSeconds`]: 86401 },
      'spec.volumes[4].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400',
    ],
    [
      'no path at all',
      { [`${certificate}.credentialBundlePath`]: undefined },
      'spec.volumes[4].projected.sources[0].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
    ],
    [
      'paths that leave the volume',
      { [`${certificate}.credentialBundlePath`]: '../b', [`${certificate}.keyPath`]: '../k', [`${certificate}.certificateChainPath`]: '/c' },
      'spec.volumes[4].projected.sources[0].podCertificate.certificateChainPath: Invalid value: "/c": must be a relative path',
      'spec.volumes[4].projected.sources[0].podCertificate.credentialBundlePath: Invalid value: "../b": must not contain \'..\'',
      'spec.volumes[4].projected.sources[0].podCertificate.keyPath: Invalid value: "../k": must not contain \'..\'',
    ],
    ['one path twice', { [`${certificate}.keyPath`]: 'b.pem' }, 'spec.volumes[4].projected: Invalid value: "b.pem": conflicting duplicate paths'],
    [
      'an annotation without domain',
      { [`${certificate}.userAnnotations`]: { a: 'b' } },
      'spec.volumes[4].projected.sources[0].podCertificate.userAnnotations: Invalid value: "a": must be a domain-prefixed key (such as "acme.io/foo")',
    ],
    [
      'an annotation that is no name',
      { [`${certificate}.userAnnotations`]: { 'example.com/a b': 'c' } },
      `spec.volumes[4].projected.sources[0].podCertificate.userAnnotations: ${notKey('example.com/a b')}`,
    ],
    [
      'too much in annotations',
      { [`${certificate}.userAnnotations`]: { 'example.com/a': 'b'.repeat(256 * 1024) } },
      'spec.volumes[4].projected.sources[0].podCertificate.userAnnotations: Too long: may not be more than 262144 bytes',
    ],
  ],
  { gates: { PodCertificateRequest: 'true' } },
);
