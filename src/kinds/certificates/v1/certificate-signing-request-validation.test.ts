import { certificatesigningrequests } from '#kinds/certificates/v1/certificate-signing-request-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

/** Made once with openssl: `req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=one`. */
const pem = `-----BEGIN CERTIFICATE REQUEST-----
MIHIMHACAQAwDjEMMAoGA1UEAwwDb25lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAERW3/VhiNqMdFVY0BHirfW/GhBYztn0gEK9hK+fW76MIB+ZLOJWKLd4OpXQpD
tdLJn1HZEcBJIg+jJtvWhsBQRqAAMAoGCCqGSM49BAMCA0gAMEUCIQDY7eUKY+ec
mXcjJoVgBP8M71AphUrZg6f01b1ql8hsZAIgf+VdX/ky+glot7nc8ic2rxMPPEvA
j9sLQShM5thQEzk=
-----END CERTIFICATE REQUEST-----
`;
const request = Buffer.from(pem).toString('base64');
const valid = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'one' },
  spec: { request, signerName: 'example.com/signer', usages: ['client auth', 'digital signature'], expirationSeconds: 3600 },
};

describeRefusals('certificate signing requests', certificatesigningrequests, valid, [
  ['bytes that are no request', { 'spec.request': 'YQ==' }, 'spec.request: Invalid value: "YQ==": PEM block type must be CERTIFICATE REQUEST'],
  ['no usages', { 'spec.usages': [] }, 'spec.usages: Required value'],
  ['a usage twice', { 'spec.usages': ['client auth', 'client auth'] }, 'spec.usages[1]: Duplicate value: "client auth"'],
  [
    'a life that is too short',
    { 'spec.expirationSeconds': 599 },
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
  ],
  [
    'the signer of old',
    { 'spec.signerName': 'kubernetes.io/legacy-unknown' },
    'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
  ],
]);
