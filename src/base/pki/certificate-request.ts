// PKCS #10 certificate requests: one reader for validation, for admission and for whoever else judges them.
import type { KeyObject } from 'node:crypto';
import { constructed, DerReader, MalformedError, tags } from '#base/pki/der-reader.ts';
import { type DistinguishedName, readRequestedName } from '#base/pki/distinguished-name.ts';
import { type AlternativeNames, noAlternativeNames, readAlternativeNames } from '#base/pki/general-names.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { readPublicKey } from '#base/pki/public-key.ts';
import { isSignedBy, readAlgorithm, signatureAlgorithm, type Signed } from '#base/pki/signature.ts';

export interface CertificateRequest {
  readonly subject: DistinguishedName;
  /** Undefined: of a kind that verifies nothing. */
  readonly publicKey: KeyObject | undefined;
  readonly alternativeNames: AlternativeNames;
  /** What is wrong with the signature, in Go's words. Nothing: who asks has the key. */
  readonly signatureProblem: () => string | undefined;
}

const problem = 'asn1: structure error: malformed certificate request';

/** The request in a PEM text: the first block of it must be one. Throws MalformedError. */
export function parseRequestPem(pem: Buffer): CertificateRequest {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new MalformedError('PEM block type must be CERTIFICATE REQUEST');
  return parseCertificateRequest(block.der);
}

/** Throws MalformedError. */
export function parseCertificateRequest(der: Buffer): CertificateRequest {
  refuseOtherOutside(der);
  const outer = new DerReader(der);
  const parts = outer.inside(tags.sequence, problem);
  if (!outer.isEmpty) throw new MalformedError('asn1: syntax error: trailing data');
  const info = parts.wanted(tags.sequence, problem);
  const algorithm = signatureAlgorithm(readAlgorithm(parts.inside(tags.sequence, problem)));
  const signature = parts.bitString(problem).bytes;
  const fields = new DerReader(info.content);
  fields.int(problem);
  const subject = readRequestedName(new DerReader(fields.wanted(tags.sequence, problem).whole));
  const publicKey = readPublicKey(fields.wanted(tags.sequence, problem).whole);
  const alternativeNames = readAttributes(fields.inside(constructed(0), problem));
  const signed = { algorithm, bytes: info.whole, signature };
  return { subject, publicKey, alternativeNames, signatureProblem: () => signatureProblem(signed, publicKey) };
}

const failures = { ec: 'x509: ECDSA verification failure', ed25519: 'x509: Ed25519 verification failure', rsa: 'crypto/rsa: verification error' } as const;

/** SHA-1 is good enough here: a request proves nothing but that who asks has the key. */
function signatureProblem(signed: Signed, publicKey: KeyObject | undefined): string | undefined {
  if (signed.algorithm === undefined || publicKey === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  return isSignedBy(signed, publicKey, { allowSha1: true }) ? undefined : failures[signed.algorithm.key];
}

const extensionRequest = '1.2.840.113549.1.9.14';
const alternativeNamesType = '2.5.29.17';

/** Attributes that are not understood are skipped; extensions that are asked for must be well formed and different. */
function readAttributes(attributes: DerReader): AlternativeNames {
  let names = noAlternativeNames;
  const seen = new Set<string>();
  while (!attributes.isEmpty) {
    const values = requestedExtensions(attributes.element(problem).whole);
    if (values === undefined) continue;
    for (const list = values.inside(tags.sequence, problem); !list.isEmpty; ) {
      const extension = list.inside(tags.sequence, problem);
      const type = extension.objectIdentifier(problem);
      if (extension.next === tags.boolean) extension.boolean(problem);
      const value = extension.content(tags.octetString, problem);
      if (seen.has(type)) throw new MalformedError('x509: certificate request contains duplicate requested extensions');
      seen.add(type);
      if (type === alternativeNamesType) names = readAlternativeNames(value);
    }
  }
  return names;
}

function requestedExtensions(attribute: Buffer): DerReader | undefined {
  try {
    const parts = new DerReader(attribute).inside(tags.sequence, problem);
    const type = parts.objectIdentifier(problem);
    const values = parts.inside(tags.set, problem);
    return type === extensionRequest && !values.isEmpty ? values : undefined;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

/** What Go's decoder says when not even the outermost element is the sequence that it wants; of what is inside we say less than it does. */
function refuseOtherOutside(der: Buffer): void {
  const [identifier = 0, first] = der;
  if (first === undefined) throw new MalformedError('asn1: syntax error: truncated tag or length');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const shown = Math.min(lengthBytes, 6, der.length - 2);
  const length = shown === 0 ? first : der.readUIntBE(2, shown);
  const [kind, tag, isCompound] = [identifier >> 6, identifier & 0x1f, (identifier & 0x20) !== 0];
  if (kind === 0 && tag === 16 && isCompound) return;
  const found = `{class:${kind} tag:${tag} length:${length} isCompound:${isCompound}}`;
  const wanted =
    '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';
  throw new MalformedError(`asn1: structure error: tags don't match (16 vs ${found}) ${wanted} certificateRequest @${2 + lengthBytes}`);
}
