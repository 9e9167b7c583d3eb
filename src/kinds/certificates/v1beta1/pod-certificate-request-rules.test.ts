import { podcertificaterequests } from '#kinds/certificates/v1beta1/pod-certificate-request-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { certificatePem } from '../../../../test/support/sample-certificates.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const stub = [
  'MIG5MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF3n2GkDsvLgBhOnjHykp/39qYrKDNKNiKGq7HrSYQrxEGIXJuvnCMyCUlJgbJg716EGNxAs',
  'QEip0cZ/R8pOAaegADAKBggqhkjOPQQDAgNHADBEAiABTA8GIoQSThkSNHjB777njeU8Y9kq0Xzp9G/ffKOsMQIgbPwa80/gQ/QJa03tPjy+6EgUp+agCfiQ',
  '7JZjQsmUmtQ=',
].join('');

const weakStub = [
  'MIICRTCCAS0CAQAwADCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAKNQpJ+LFTNZXG0uVDC4UZ+tetVlAiomQ6NUapS/jfTX4tJ2CDrjd/PvjOYc',
  'keXUM3Q+8wRBILQbbT7zoPaDwcvaHgYOaTmAhjHzrg1/TVB7237QNvZgVpmu1r9dR3J70o7tI9upHJgUU9bGn8Q8swcuirqW8H9Be/Yrk4/LIf3nF835w70G',
  'Ne9Fs4WZyxZL+i/R/3ox28XtIU25KdKjDLUQDOaShVzFTROikLjNlkFw4sRVXwSgSSECTZugVRKlvzVh0d8B3QwCPogiCycrNf8aD3SwDHU6hdm+XyzdvDdU',
  'AjmrK9DxjkDrHJjdxmwPExcEt5ud4OoXhniEieRUucUCAwEAAaAAMA0GCSqGSIb3DQEBCwUAA4IBAQA8YL6QvhRMiJ/4hDEVImxbpHN/YrAgjbet3MBnOLuo',
  'K/KuYSOUxQB8DLZ5vgMl/r38Bs1yzehxdvabzIVv0G1Wsq0jtvU96jy0b+s8+1OU10lQkZA/zwWYVKk0q6JeV7qNG+VqlR/rOIPfq6y7v4ujSl2zn+IMmDnG',
  'x9PucL99E168jt/JMNXIxrnNrFLLUJuq+jquxKGKv8c+BUeRDc2uvQ18mcnYJnn+mzaBiA035VU97wVST8HRSacNc+9rA+Y4sPqlEmRl9aAcWntC/i0WgkzL',
  '0IiIhyFaQmkZlYc1bkdEJ80ata9JbuWlnK6ShztjDw/K4yqIAEMCM/LahF/G',
].join('');

const podRequest = {
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'PodCertificateRequest',
  metadata: { name: 'one' },
  spec: {
    signerName: 'example.com/signer',
    podName: 'pod',
    podUID: 'pod-uid',
    serviceAccountName: 'account',
    serviceAccountUID: 'account-uid',
    nodeName: 'node',
    nodeUID: 'node-uid',
    maxExpirationSeconds: 86_400,
    stubPKCS10Request: stub,
  },
};

describeRefusals(
  'requests of pods',
  podcertificaterequests,
  podRequest,
  [
    [
      'an odd signer',
      { 'spec.signerName': 'signer' },
      'spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'odd names',
      { 'spec.podName': 'Pod', 'spec.serviceAccountName': 'Account', 'spec.nodeName': 'Node' },
      "spec.nodeName: Invalid value: \"Node\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.podName: Invalid value: \"Pod\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.serviceAccountName: Invalid value: \"Account\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'no uids',
      { 'spec.podUID': '', 'spec.serviceAccountUID': '', 'spec.nodeUID': '' },
      'spec.nodeUID: Invalid value: "": must not be empty',
      'spec.podUID: Invalid value: "": must not be empty',
      'spec.serviceAccountUID: Invalid value: "": must not be empty',
    ],
    [
      'long uids',
      { 'spec.podUID': 'x'.repeat(129), 'spec.serviceAccountUID': 'x'.repeat(129), 'spec.nodeUID': 'x'.repeat(129) },
      'spec.nodeUID: Too long: may not be more than 128 bytes',
      'spec.podUID: Too long: may not be more than 128 bytes',
      'spec.serviceAccountUID: Too long: may not be more than 128 bytes',
    ],
    ['a short life', { 'spec.maxExpirationSeconds': 3599 }, 'spec.maxExpirationSeconds: Invalid value: 3599: must be in the range [3600, 7862400]'],
    ['a long life', { 'spec.maxExpirationSeconds': 7_862_401 }, 'spec.maxExpirationSeconds: Invalid value: 7862401: must be in the range [3600, 7862400]'],
    [
      'a long life from a signer of Kubernetes',
      { 'spec.signerName': 'kubernetes.io/signer', 'spec.maxExpirationSeconds': 86_401 },
      'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
    ],
    [
      'no key',
      { 'spec.stubPKCS10Request': undefined },
      'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
    ],
    [
      'two keys',
      { 'spec.pkixPublicKey': 'YQ==', 'spec.proofOfPossession': 'YQ==' },
      'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
    ],
    ['a stub that is none', { 'spec.stubPKCS10Request': 'YQ==' }, 'spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR'],
    ['a stub that is too long', { 'spec.stubPKCS10Request': base64('x'.repeat(10_241)) }, 'spec.stubPKCS10Request: Too long: may not be more than 10240 bytes'],
    [
      'a weak key',
      { 'spec.stubPKCS10Request': weakStub },
      'spec.stubPKCS10Request: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
    ],
    [
      'a public key that is none',
      { 'spec.stubPKCS10Request': undefined, 'spec.pkixPublicKey': 'YQ==', 'spec.proofOfPossession': 'YQ==' },
      'spec.pkixPublicKey: Invalid value: "YQ==": must be a valid PKIX-serialized public key',
    ],
    [
      'odd annotations',
      { 'spec.unverifiedUserAnnotations': { 'a b': 'x', plain: 'x' } },
      "spec.unverifiedUserAnnotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.unverifiedUserAnnotations: Invalid value: "plain": must be a domain-prefixed key (such as "acme.io/foo")',
    ],
  ],
  { notAsked: 'served only with the gate PodCertificateRequest' },
);

describeUpdateRefusals(
  'updates of requests of pods',
  podcertificaterequests,
  podRequest,
  [
    [
      'another pod',
      { 'spec.podName': 'other' },
      'spec: Invalid value: {"SignerName":"example.com/signer","PodName":"other","PodUID":"pod-uid","ServiceAccountName":"account","ServiceAccountUID":"account-uid","NodeName":"node","NodeUID":"node-uid","MaxExpirationSeconds":86400,"PKIXPublicKey":null,"ProofOfPossession":null,"StubPKCS10Request":"MIG5MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF3n2GkDsvLgBhOnjHykp/39qYrKDNKNiKGq7HrSYQrxEGIXJuvnCMyCUlJgbJg716EGNxAsQEip0cZ/R8pOAaegADAKBggqhkjOPQQDAgNHADBEAiABTA8GIoQSThkSNHjB777njeU8Y9kq0Xzp9G/ffKOsMQIgbPwa80/gQ/QJa03tPjy+6EgUp+agCfiQ7JZjQsmUmtQ=","UnverifiedUserAnnotations":null}: field is immutable',
    ],
  ],
  '',
  { notAsked: 'served only with the gate PodCertificateRequest' },
);

describeUpdateRefusals(
  'status of requests of pods',
  podcertificaterequests,
  podRequest,
  [
    [
      'an unknown condition',
      { 'status.conditions': [{ type: 'Maybe', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }] },
      'status.conditions.[0].type: Unsupported value: "Maybe": supported values: "Issued", "Denied", "Failed"',
    ],
    [
      'a denial that is not true',
      { 'status.conditions': [{ type: 'Denied', status: 'False', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }] },
      'status.conditions.[0].status: Unsupported value: "False": supported values: "True"',
    ],
    [
      'denied and failed',
      {
        'status.conditions': [
          { type: 'Denied', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' },
          { type: 'Failed', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' },
        ],
      },
      'status.conditions.[1].type: Invalid value: "Failed": There may be at most one condition with type "Issued", "Denied", or "Failed"',
    ],
    [
      'issued without a certificate',
      { 'status.conditions': [{ type: 'Issued', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }] },
      'status.certificateChain: Invalid value: "": issued certificate chain must contain at least one certificate',
    ],
    [
      'a certificate that nobody issued',
      { 'status.certificateChain': certificatePem },
      'status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
    ],
    [
      'a denial with a certificate',
      {
        'status.certificateChain': certificatePem,
        'status.conditions': [{ type: 'Denied', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }],
      },
      'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
    ],
    [
      'issued with text',
      {
        'status.certificateChain': 'text',
        'status.notBefore': '2030-01-01T00:00:00Z',
        'status.notAfter': '2030-01-01T05:00:00Z',
        'status.beginRefreshAt': '2030-01-01T03:00:00Z',
        'status.conditions': [{ type: 'Issued', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }],
      },
      'status.certificateChain: Invalid value: "text": issued certificate chain must contain at least one certificate',
    ],
    [
      'issued at other times than the certificate says',
      {
        'status.certificateChain': certificatePem,
        'status.notBefore': '2030-01-01T00:00:00Z',
        'status.notAfter': '2030-01-01T05:00:00Z',
        'status.beginRefreshAt': '2030-01-01T03:00:00Z',
        'status.conditions': [{ type: 'Issued', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2030-01-01T00:00:00Z' }],
      },
      'status.notBefore: Invalid value: "2030-01-01T00:00:00Z": must be set to the NotBefore time encoded in the leaf certificate',
    ],
  ],
  'status',
  { notAsked: 'served only with the gate PodCertificateRequest' },
);
