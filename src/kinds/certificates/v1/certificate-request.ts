// PKCS#10 requests: just enough DER to find the public key, what is signed, and the signature.
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';

export interface CertificateRequest {
  readonly publicKey: KeyObject;
  readonly signatureIsGood: boolean;
}

/** Undefined when the bytes are no request. */
export function readCertificateRequest(der: Buffer): CertificateRequest | undefined {
  try {
    const [outer] = elements(der);
    if (outer === undefined || outer.whole.length !== der.length) return undefined;
    const [info, algorithm, signature] = elements(outer.content);
    const [, , key] = elements(info?.content ?? empty);
    if (!info || !algorithm || !signature || !key) return undefined;
    const publicKey = createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
    const oid = elements(algorithm.content)[0]?.content.toString('hex') ?? '';
    // The first byte of a bit string counts its unused bits.
    return { publicKey, signatureIsGood: isGood(oid, info.whole, publicKey, signature.content.subarray(1)) };
  } catch {
    return undefined;
  }
}

const empty = Buffer.alloc(0);

interface Element {
  readonly whole: Buffer;
  readonly content: Buffer;
}

function elements(der: Buffer): Element[] {
  const found: Element[] = [];
  for (let start = 0; start < der.length; ) {
    const { length, header } = lengthAt(der, start);
    const end = start + header + length;
    if (end > der.length) throw new Error('truncated DER');
    found.push({ whole: der.subarray(start, end), content: der.subarray(start + header, end) });
    start = end;
  }
  return found;
}

function lengthAt(der: Buffer, start: number): { length: number; header: number } {
  const first = der.readUInt8(start + 1);
  if (first < 0x80) return { length: first, header: 2 };
  return { length: der.readUIntBE(start + 2, first & 0x7f), header: 2 + (first & 0x7f) };
}

/** Object identifiers of signatures (their DER, in hex) and the digest each signs. */
const digests: Readonly<Record<string, string | null>> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
};
const rsaPss = '2a864886f70d01010a';

function isGood(oid: string, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  if (oid === rsaPss)
    return ['sha256', 'sha384', 'sha512'].some((digest) => verify(digest, signed, { key, padding: constants.RSA_PKCS1_PSS_PADDING }, signature));
  const digest = digests[oid];
  return digest !== undefined && verify(digest, signed, key, signature);
}
