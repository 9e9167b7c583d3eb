import { certificatesigningrequests } from '#kinds/certificates/v1/certificate-signing-request-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { authorityPem, certificatePem, requestPem } from '../../../../test/support/sample-certificates.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const signingRequest = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'rules-one' },
  spec: { request: base64(requestPem), signerName: 'example.com/signer', usages: ['client auth'] },
};

describeRefusals('signing requests', certificatesigningrequests, signingRequest, [
  ['a request without a block', { 'spec.request': base64('text') }, 'spec.request: Invalid value: "dGV4dA==": PEM block type must be CERTIFICATE REQUEST'],
  [
    'a block of another type',
    { 'spec.request': base64(certificatePem) },
    'spec.request: Invalid value: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJjakNDQVJpZ0F3SUJBZ0lVYlI0blRqcWFUQ1ZhY2tEREhvb2FiZXJOQnZRd0NnWUlLb1pJemowRUF3SXcKRHpFTk1Bc0dBMVVFQXd3RWJHVmhaakFnRncweU5qRXhNVFl3TkRBeU16TmFHQTh5TVRJMk1UQXlNekEwTURJegpNMW93RHpFTk1Bc0dBMVVFQXd3RWJHVmhaakJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCRjNuCjJHa0RzdkxnQmhPbmpIeWtwLzM5cVlyS0ROS05pS0dxN0hyU1lRcnhFR0lYSnV2bkNNeUNVbEpnYkpnNzE2RUcKTnhBc1FFaXAwY1ovUjhwT0FhZWpVREJPTUIwR0ExVWREZ1FXQkJUaS80U1VxcVlOd0Q5ZWU4YTRDMEx6TTJxTAovVEFmQmdOVkhTTUVHREFXZ0JUaS80U1VxcVlOd0Q5ZWU4YTRDMEx6TTJxTC9UQU1CZ05WSFJNQkFmOEVBakFBCk1Bb0dDQ3FHU000OUJBTUNBMGdBTUVVQ0lRRGJxSWRLdkI5ditzOXhrZTh3Tm1MWkhDRVhIL2U1b2RabkNGU20KMTlTeWxnSWdEODJyTTVpODlYS01Tc1hTcGJLaVFHNm95d3l1WWR5WVRTUG9XbjZaSkVvPQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==": PEM block type must be CERTIFICATE REQUEST',
  ],
  [
    'a block that holds no request',
    { 'spec.request': base64('-----BEGIN CERTIFICATE REQUEST-----\nYWJj\n-----END CERTIFICATE REQUEST-----\n') },
    'spec.request: Invalid value: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KWVdKagotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K": asn1: structure error: tags don\'t match (16 vs {class:1 tag:1 length:98 isCompound:true}) {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2',
  ],
  ['no request', { 'spec.request': '' }, 'spec.request: Invalid value: "": PEM block type must be CERTIFICATE REQUEST'],
  ['no usages', { 'spec.usages': [] }, 'spec.usages: Required value'],
  [
    'an unknown usage',
    { 'spec.usages': ['walking'] },
    'spec.usages[0]: Unsupported value: "walking": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"',
  ],
  ['a usage twice', { 'spec.usages': ['client auth', 'client auth'] }, 'spec.usages[1]: Duplicate value: "client auth"'],
  ['no signer', { 'spec.signerName': '' }, 'spec.signerName: Required value'],
  [
    'a signer without a domain',
    { 'spec.signerName': 'signer' },
    'spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
  ],
  [
    'a signer of an odd domain',
    { 'spec.signerName': 'Example.com/signer' },
    "spec.signerName: Invalid value: \"Example.com\": validating label \"Example\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'a signer of an odd path',
    { 'spec.signerName': 'example.com/Signer' },
    "spec.signerName: Invalid value: \"Signer\": validating label \"Signer\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'the signer of old',
    { 'spec.signerName': 'kubernetes.io/legacy-unknown' },
    'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
  ],
  [
    'a short life',
    { 'spec.expirationSeconds': 599 },
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
  ],
]);

describeUpdateRefusals(
  'approvals of signing requests',
  certificatesigningrequests,
  signingRequest,
  [
    ['a condition without a type', { 'status.conditions': [{ type: '', status: 'True' }] }, 'status.conditions[0].type: Required value'],
    [
      'a condition twice',
      {
        'status.conditions': [
          { type: 'Approved', status: 'True' },
          { type: 'Approved', status: 'True' },
        ],
      },
      'status.conditions[1].type: Duplicate value: "Approved"',
    ],
    [
      'approved and denied',
      {
        'status.conditions': [
          { type: 'Approved', status: 'True' },
          { type: 'Denied', status: 'True' },
        ],
      },
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ],
    ['a condition without a status', { 'status.conditions': [{ type: 'Approved' }] }, 'status.conditions[0].status: Required value'],
    [
      'an approval that is not true',
      { 'status.conditions': [{ type: 'Approved', status: 'False' }] },
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    ],
    [
      'a denial that is not true',
      { 'status.conditions': [{ type: 'Denied', status: 'Unknown' }] },
      'status.conditions[0].status: Unsupported value: "Unknown": supported values: "True"',
    ],
    [
      'a condition of an unknown status',
      { 'status.conditions': [{ type: 'Other', status: 'Perhaps' }] },
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
    ],
  ],
  'approval',
);

describeUpdateRefusals(
  'status of signing requests',
  certificatesigningrequests,
  signingRequest,
  [
    [
      'a certificate that is text',
      { 'status.certificate': base64('text') },
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ],
    [
      'a block of another type',
      { 'status.certificate': base64(requestPem) },
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
    ],
    [
      'a block with headers',
      { 'status.certificate': base64(certificatePem.replace('-\n', '-\nA: b\n\n')) },
      'status.certificate: Invalid value: "<certificate data>": no PEM block headers are permitted',
    ],
    [
      'a block that holds no certificate',
      { 'status.certificate': base64('-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n') },
      'status.certificate: Invalid value: "<certificate data>": x509: malformed certificate',
    ],
    [
      'an approval through status',
      { 'status.conditions': [{ type: 'Approved', status: 'True' }] },
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ],
    [
      'a denial through status',
      { 'status.conditions': [{ type: 'Denied', status: 'True' }] },
      'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
    ],
  ],
  'status',
);

const approvedRequest = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'rules-two' },
  spec: { request: base64(requestPem), signerName: 'example.com/signer', usages: ['client auth'] },
  status: { conditions: [{ type: 'Failed', status: 'True', reason: 'Walk', message: 'm' }], certificate: base64(certificatePem) },
};

describeUpdateRefusals(
  'status of signing requests that have a certificate',
  certificatesigningrequests,
  approvedRequest,
  [
    ['no conditions any more', { 'status.conditions': [] }, 'status.conditions: Forbidden: updates may not remove a condition of type "Failed"'],
    [
      'another certificate',
      { 'status.certificate': base64(authorityPem) },
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ],
  ],
  'status',
);
