// Which signing requests the signers of kubernetes.io take, and what a certificate that answers one may be used for.
import { type CertificateRequest, parseRequestPem } from '#base/pki/certificate-request.ts';
import { commonNameOf, organizationsOf } from '#base/pki/distinguished-name.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CertificateSigningRequest } from '#kinds/certificates/v1/certificate-signing-request.ts';

export type StoredSigningRequest = CertificateSigningRequest & KubernetesObject;

export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Throws where the request cannot be read. */
export function requestIn({ spec }: StoredSigningRequest): CertificateRequest {
  return parseRequestPem(Buffer.from(spec.request ?? '', 'base64'));
}

export function hasCondition({ status }: StoredSigningRequest, wanted: string): boolean {
  return (status?.conditions ?? []).some(({ type, status: is }) => type === wanted && is !== 'False');
}

/** Why this signer must not sign; undefined: it may. */
type Judge = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** By the names of the signers that this server is. */
export const signers: Readonly<Record<string, Judge | undefined>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) => clientUsageProblem(usages),
  [kubeletClientSigner]: kubeletClientProblem,
  'kubernetes.io/kubelet-serving': kubeletServingProblem,
  'kubernetes.io/legacy-unknown': () => undefined,
};

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const wrong = usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

export function kubeletClientProblem({ subject, alternativeNames: names }: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(subject)) return 'subject organization is not system:nodes';
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.addresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!commonNameOf(subject).startsWith('system:node:')) return 'subject common name does not begin with system:node:';
  return usageProblem(usages, 'client auth');
}

function kubeletServingProblem({ subject, alternativeNames: names }: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(subject)) return 'subject organization is not system:nodes';
  if (names.dns.length === 0 && names.addresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return (
    usageProblem(usages, 'server auth') ??
    (commonNameOf(subject).startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:')
  );
}

function isOfNodes(subject: CertificateRequest['subject']): boolean {
  const organizations = organizationsOf(subject);
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

/** Keys that are not RSA do without key encipherment. */
function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const required = ['digital signature', purpose];
  const given = new Set(usages.filter((usage) => usage !== 'key encipherment'));
  const fits = given.size === required.length && required.every((usage) => given.has(usage));
  return fits ? undefined : `usages did not match [${[...required, 'key encipherment'].sort().join(' ')}]`;
}

const keyUsageBits: Readonly<Record<string, number | undefined>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};

/** In the order in which Go writes them. */
const purposeIdentifiers: Readonly<Record<string, string | undefined>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

export function certificateUsages(usages: readonly string[]): { readonly keyUsages: readonly number[]; readonly purposes: readonly string[] } {
  const keyUsages = new Set(usages.flatMap((usage) => keyUsageBits[usage] ?? []));
  const purposes = new Set(Object.entries(purposeIdentifiers).flatMap(([usage, identifier]) => (usages.includes(usage) && identifier ? [identifier] : [])));
  return { keyUsages: [...keyUsages], purposes: [...purposes] };
}

/** The attributes that Go keeps of a subject, in its order. Others, the uid of a user among them, are not vouched for. */
const subjectTypes = ['2.5.4.6', '2.5.4.10', '2.5.4.11', '2.5.4.7', '2.5.4.8', '2.5.4.9', '2.5.4.17', '2.5.4.3', '2.5.4.5'];
const singleTypes: readonly string[] = ['2.5.4.3', '2.5.4.5'];

export function keptSubject(subject: CertificateRequest['subject']): readonly { readonly type: string; readonly value: string }[] {
  return subjectTypes.flatMap((type) => {
    const found = subject.flatMap(({ type: of, value }) => (of === type && value ? [{ type, value }] : []));
    return singleTypes.includes(type) ? found.slice(-1) : found;
  });
}
