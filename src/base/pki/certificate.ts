// X.509 certificates, taken apart as Go's crypto/x509 does it: what that refuses to parse is refused here, for the same reason.
import { createHash, type KeyObject } from 'node:crypto';
import { type CertificateExtensions, type Extension, noExtensions, readExtensions } from '#base/pki/certificate-extensions.ts';
import { readTime } from '#base/pki/der-time.ts';
import { constructed, DerReader, MalformedError, primitive, tags } from '#base/pki/der-reader.ts';
import { type DistinguishedName, readName } from '#base/pki/distinguished-name.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { readPublicKey } from '#base/pki/public-key.ts';
import { readAlgorithm, signatureAlgorithm, type Signed } from '#base/pki/signature.ts';

export interface Certificate extends CertificateExtensions {
  readonly raw: Buffer;
  /** SHA-256 in lower-case hex. */
  readonly fingerprint: string;
  readonly version: 1 | 2 | 3;
  readonly subject: DistinguishedName;
  /** Names are compared by their bytes. */
  readonly rawSubject: Buffer;
  readonly rawIssuer: Buffer;
  /** Milliseconds since 1970, both included. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly rawPublicKey: Buffer;
  /** Undefined: of a kind that verifies nothing. */
  readonly publicKey: KeyObject | undefined;
  readonly signed: Signed;
}

/** Throws MalformedError. */
export function parseCertificate(der: Buffer): Certificate {
  const reader = new DerReader(der);
  const certificate = readCertificate(reader);
  if (!reader.isEmpty) throw new MalformedError('x509: trailing data');
  return certificate;
}

/** Several one after another, as one PEM block may hold them. */
export function parseConcatenated(der: Buffer): Certificate[] {
  const certificates: Certificate[] = [];
  for (const reader = new DerReader(der); !reader.isEmpty; ) certificates.push(readCertificate(reader));
  return certificates;
}

function readCertificate(reader: DerReader): Certificate {
  const { whole, content } = reader.wanted(tags.sequence, 'x509: malformed certificate');
  const parts = new DerReader(content);
  const toBeSigned = parts.wanted(tags.sequence, 'x509: malformed tbs certificate');
  const algorithm = parts.content(tags.sequence, 'x509: malformed algorithm identifier');
  const certificate = readToBeSigned(new DerReader(toBeSigned.content), algorithm);
  const { bytes: signature } = parts.bitString('x509: malformed signature');
  return {
    ...certificate,
    raw: whole,
    fingerprint: createHash('sha256').update(whole).digest('hex'),
    signed: { algorithm: signatureAlgorithm(readAlgorithm(new DerReader(algorithm))), bytes: toBeSigned.whole, signature },
  };
}

/** All certificates of a PEM text. Blocks with headers or of other types are skipped, one that does not parse is refused, as client-go's cert.ParseCertsPEM does. */
export function parseCertificates(pem: Buffer | string): Certificate[] {
  return pemBlocks(pem).flatMap(({ type, hasHeaders, der }) => (type === 'CERTIFICATE' && !hasHeaders ? parseCertificate(der) : []));
}

function readToBeSigned(reader: DerReader, outerAlgorithm: Buffer): Omit<Certificate, 'raw' | 'fingerprint' | 'signed'> {
  const version = readVersion(reader);
  if (reader.integer('x509: malformed serial number') < 0n) throw new MalformedError('x509: negative serial number');
  if (!reader.content(tags.sequence, 'x509: malformed signature algorithm identifier').equals(outerAlgorithm)) {
    throw new MalformedError("x509: inner and outer signature algorithm identifiers don't match");
  }
  const rawIssuer = reader.wanted(tags.sequence, 'x509: malformed issuer').whole;
  readName(new DerReader(rawIssuer));
  const validity = reader.inside(tags.sequence, 'x509: malformed validity');
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  const rawSubject = reader.wanted(tags.sequence, 'x509: malformed issuer').whole;
  const subject = readName(new DerReader(rawSubject));
  const rawPublicKey = reader.wanted(tags.sequence, 'x509: malformed spki').whole;
  const publicKey = readPublicKey(rawPublicKey);
  const extensions = version === 1 ? noExtensions : readOptionalTail(reader, version);
  return { ...extensions, version, subject, rawSubject, rawIssuer, notBefore, notAfter, rawPublicKey, publicKey };
}

function readVersion(reader: DerReader): 1 | 2 | 3 {
  const content = reader.optional(constructed(0), 'x509: malformed version');
  if (content === undefined) return 1;
  const number = new DerReader(content);
  const version = number.int('x509: malformed version');
  if (!number.isEmpty || version < 0) throw new MalformedError('x509: malformed version');
  if (version > 2) throw new MalformedError('x509: invalid version');
  return (version + 1) as 1 | 2 | 3;
}

function readOptionalTail(reader: DerReader, version: 2 | 3): CertificateExtensions {
  reader.optional(primitive(1), 'x509: malformed issuerUniqueID');
  reader.optional(primitive(2), 'x509: malformed subjectUniqueID');
  const content = version === 3 ? reader.optional(constructed(3), 'x509: malformed extensions') : undefined;
  if (content === undefined) return noExtensions;
  const extensions: Extension[] = [];
  const seen = new Set<string>();
  for (const list = new DerReader(content).inside(tags.sequence, 'x509: malformed extensions'); !list.isEmpty; ) {
    const extension = readExtension(list.inside(tags.sequence, 'x509: malformed extension'));
    if (seen.has(extension.type)) throw new MalformedError(`x509: certificate contains duplicate extension with OID "${extension.type}"`);
    seen.add(extension.type);
    extensions.push(extension);
  }
  return readExtensions(extensions);
}

function readExtension(reader: DerReader): Extension {
  const type = reader.objectIdentifier('x509: malformed extension OID field');
  const critical = reader.next === tags.boolean && reader.boolean('x509: malformed extension critical field');
  return { type, critical, value: reader.content(tags.octetString, 'x509: malformed extension value field') };
}
