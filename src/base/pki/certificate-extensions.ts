// What the extensions of a certificate say, and which of them nobody here understands.
import { constructed, DerReader, MalformedError, primitive, tags } from '#base/pki/der-reader.ts';
import { type AlternativeNames, type NameConstraints, readAlternativeNames, readNameConstraints } from '#base/pki/general-names.ts';

export interface Extension {
  /** Dotted. */
  readonly type: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

export interface CertificateExtensions {
  /** Undefined: the extension is not there. `maxPathLength` undefined: any. */
  readonly basicConstraints: { readonly isAuthority: boolean; readonly maxPathLength: number | undefined } | undefined;
  /** Whether the key may sign certificates; undefined: nothing is said about what it may do. */
  readonly maySignCertificates: boolean | undefined;
  /** Dotted; empty: any. */
  readonly extendedUsages: readonly string[];
  readonly alternativeNames: AlternativeNames | undefined;
  readonly rawAlternativeNames: Buffer | undefined;
  readonly nameConstraints: NameConstraints | undefined;
  readonly subjectKeyId: Buffer;
  readonly authorityKeyId: Buffer;
  readonly policies: PolicyExtensions;
  /** Critical, and of a kind that is not understood: a chain with such a certificate is refused. */
  readonly hasUnknownCritical: boolean;
}

/** Identifiers of policies are the hex of their encoding: they may have numbers of any size. */
export interface PolicyExtensions {
  readonly policies: readonly string[];
  readonly mappings: readonly { readonly issuer: string; readonly subject: string }[];
  readonly requireExplicit: number | undefined;
  readonly inhibitMapping: number | undefined;
  readonly inhibitAny: number | undefined;
}

type Found = { -readonly [K in keyof CertificateExtensions]: CertificateExtensions[K] };

export const noExtensions: CertificateExtensions = {
  basicConstraints: undefined,
  maySignCertificates: undefined,
  extendedUsages: [],
  alternativeNames: undefined,
  rawAlternativeNames: undefined,
  nameConstraints: undefined,
  subjectKeyId: Buffer.alloc(0),
  authorityKeyId: Buffer.alloc(0),
  policies: { policies: [], mappings: [], requireExplicit: undefined, inhibitMapping: undefined, inhibitAny: undefined },
  hasUnknownCritical: false,
};

/** Throws MalformedError for one that is understood and broken. */
export function readExtensions(extensions: readonly Extension[]): CertificateExtensions {
  const found: Found = { ...noExtensions };
  for (const extension of extensions) {
    const read = Object.hasOwn(readers, extension.type) ? readers[extension.type] : undefined;
    const understood = read !== undefined && read(extension, found) !== 'not understood';
    if (extension.critical && !understood) found.hasUnknownCritical = true;
  }
  return found;
}

type ReadExtension = (extension: Extension, found: Found) => 'not understood' | void;

const readers: Readonly<Record<string, ReadExtension>> = {
  '2.5.29.14': readSubjectKeyId,
  '2.5.29.15': readKeyUsage,
  '2.5.29.17': readAlternatives,
  '2.5.29.19': readBasicConstraints,
  '2.5.29.30': readConstraints,
  '2.5.29.31': ({ value }) => readDistributionPoints(value),
  '2.5.29.32': ({ value }, found) => void (found.policies = { ...found.policies, policies: readPolicies(value) }),
  '2.5.29.33': ({ value }, found) => void (found.policies = { ...found.policies, mappings: readMappings(value) }),
  '2.5.29.35': readAuthorityKeyId,
  '2.5.29.36': readPolicyConstraints,
  '2.5.29.37': readExtendedUsages,
  '2.5.29.54': readInhibitAny,
  '1.3.6.1.5.5.7.1.1': readInformationAccess,
};

function readSubjectKeyId({ value, critical }: Extension, found: Found): void {
  if (critical) throw new MalformedError('x509: subject key identifier incorrectly marked critical');
  found.subjectKeyId = new DerReader(value).content(tags.octetString, 'x509: invalid subject key identifier');
}

function readAuthorityKeyId({ value, critical }: Extension, found: Found): void {
  const problem = 'x509: invalid authority key identifier';
  if (critical) throw new MalformedError('x509: authority key identifier incorrectly marked critical');
  found.authorityKeyId = new DerReader(value).inside(tags.sequence, problem).optional(primitive(0), problem) ?? Buffer.alloc(0);
}

/** Nine bits are known; where none of them is set, nothing is said. */
function readKeyUsage({ value }: Extension, found: Found): void {
  const { bytes } = new DerReader(value).bitString('x509: invalid key usage');
  const [first = 0, second = 0] = bytes;
  if (first !== 0 || second >= 0x80) found.maySignCertificates = (first & 0b100) !== 0;
}

function readAlternatives({ value }: Extension, found: Found): 'not understood' | void {
  const names = readAlternativeNames(value);
  found.alternativeNames = names;
  found.rawAlternativeNames = value;
  if (names.dns.length + names.emails.length + names.addresses.length + names.uriHosts.length === 0) return 'not understood';
}

function readBasicConstraints({ value }: Extension, found: Found): void {
  const problem = 'x509: invalid basic constraints';
  const fields = new DerReader(value).inside(tags.sequence, problem);
  const isAuthority = fields.next === tags.boolean && fields.boolean(problem);
  const maxPathLength = fields.next === tags.integer ? fields.int(problem) : undefined;
  if (maxPathLength !== undefined && maxPathLength < 0) throw new MalformedError(problem);
  found.basicConstraints = { isAuthority, maxPathLength };
}

function readConstraints({ value }: Extension, found: Found): 'not understood' | void {
  found.nameConstraints = readNameConstraints(value);
  if (found.nameConstraints.hasUnknown) return 'not understood';
}

/** Only that they are well formed: nothing here asks whether a certificate was revoked, nor does kube-apiserver. */
function readDistributionPoints(value: Buffer): void {
  const problem = 'x509: invalid CRL distribution point';
  for (const points = new DerReader(value).inside(tags.sequence, `${problem}s`); !points.isEmpty; ) {
    const name = points.inside(tags.sequence, problem).optional(constructed(0), problem);
    if (name === undefined) continue;
    const uris = new DerReader(name).inside(constructed(0), problem);
    while (uris.next === primitive(6)) uris.element(problem);
  }
}

function readPolicies(value: Buffer): readonly string[] {
  const problem = 'x509: invalid certificate policies';
  const policies = new Set<string>();
  for (const list = new DerReader(value).inside(tags.sequence, problem); !list.isEmpty; ) {
    const identifier = list.inside(tags.sequence, problem).content(tags.objectIdentifier, problem);
    const policy = identifier.toString('hex');
    if (policies.has(policy) || !isShortest(identifier)) throw new MalformedError(problem);
    policies.add(policy);
  }
  return [...policies];
}

/** No number of the identifier starts with a byte that says nothing, and the last one ends. */
function isShortest(identifier: Buffer): boolean {
  if (identifier.length === 0 || (identifier.at(-1) ?? 0) >= 0x80) return false;
  return identifier.every((byte, index) => byte !== 0x80 || (index > 0 && (identifier[index - 1] ?? 0) >= 0x80));
}

function readMappings(value: Buffer): PolicyExtensions['mappings'] {
  const problem = 'x509: invalid policy mappings extension';
  const mappings: { issuer: string; subject: string }[] = [];
  for (const list = new DerReader(value).inside(tags.sequence, problem); !list.isEmpty; ) {
    const pair = list.inside(tags.sequence, problem);
    const identifier = () => pair.content(tags.objectIdentifier, problem).toString('hex');
    mappings.push({ issuer: identifier(), subject: identifier() });
  }
  return mappings;
}

function readPolicyConstraints({ value }: Extension, found: Found): void {
  const problem = 'x509: invalid policy constraints extension';
  const fields = new DerReader(value).inside(tags.sequence, problem);
  const requireExplicit = fields.next === primitive(0) ? fields.int(problem, primitive(0)) : undefined;
  const inhibitMapping = fields.next === primitive(1) ? fields.int(problem, primitive(1)) : undefined;
  found.policies = { ...found.policies, requireExplicit, inhibitMapping };
}

function readInhibitAny({ value }: Extension, found: Found): void {
  found.policies = { ...found.policies, inhibitAny: new DerReader(value).int('x509: invalid inhibit any policy extension') };
}

function readExtendedUsages({ value }: Extension, found: Found): void {
  const problem = 'x509: invalid extended key usages';
  const usages: string[] = [];
  for (const list = new DerReader(value).inside(tags.sequence, problem); !list.isEmpty; ) usages.push(list.objectIdentifier(problem));
  found.extendedUsages = usages;
}

function readInformationAccess({ value, critical }: Extension): void {
  const problem = 'x509: invalid authority info access';
  if (critical) throw new MalformedError('x509: authority info access incorrectly marked critical');
  for (const list = new DerReader(value).inside(tags.sequence, problem); !list.isEmpty; ) {
    const description = list.inside(tags.sequence, problem);
    description.objectIdentifier(problem);
    description.optional(primitive(6), problem);
  }
}
