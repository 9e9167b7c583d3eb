// The key in a certificate or a request (SubjectPublicKeyInfo).
import { createPublicKey, type KeyObject } from 'node:crypto';
import { bitString, sequence } from '#base/der.ts';
import { DerReader, MalformedError, tags } from '#base/pki/der-reader.ts';
import { readAlgorithm } from '#base/pki/signature.ts';

const rsa = '1.2.840.113549.1.1.1';
const dsa = '1.2.840.10040.4.1';
const ec = '1.2.840.10045.2.1';
const ed25519 = '1.3.101.112';
const curves = new Set(['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35']);

/** Undefined: of a kind that Go does not know, so it verifies nothing. A key of a known kind that is broken is refused, as Go's parser does. */
export function readPublicKey(der: Buffer): KeyObject | undefined {
  const info = new DerReader(der).inside(tags.sequence, 'x509: malformed spki');
  const identifier = info.wanted(tags.sequence, 'x509: malformed public key algorithm identifier');
  const { algorithm, parameters } = readAlgorithm(new DerReader(identifier.content));
  const { bytes, unused } = info.bitString('x509: malformed subjectPublicKey');
  if (algorithm === rsa) refuseOddRsa(bytes, parameters);
  else if (algorithm === ec) refuseOddCurve(bytes, parameters);
  else if (algorithm === ed25519) {
    if (parameters.length > 0) throw new MalformedError('x509: Ed25519 key encoded with illegal parameters');
    if (bytes.length !== 32) throw new MalformedError('x509: wrong Ed25519 public key size');
  } else if (algorithm !== dsa) return undefined;
  try {
    // Put together again: Go overlooks what else stands in the sequence, OpenSSL does not.
    return createPublicKey({ key: sequence(identifier.whole, bitString(bytes, unused)), format: 'der', type: 'spki' });
  } catch {
    throw new MalformedError('x509: invalid public key');
  }
}

function refuseOddRsa(bytes: Buffer, parameters: Buffer): void {
  if (!parameters.equals(Buffer.of(5, 0))) throw new MalformedError('x509: RSA key missing NULL parameters');
  const key = new DerReader(bytes).inside(tags.sequence, 'x509: invalid RSA public key');
  if (key.integer('x509: invalid RSA modulus') <= 0n) throw new MalformedError('x509: RSA modulus is not a positive number');
  if (key.int('x509: invalid RSA public exponent') <= 0) throw new MalformedError('x509: RSA public exponent is not a positive number');
}

/** Four curves by name, and points that are written out. */
function refuseOddCurve(bytes: Buffer, parameters: Buffer): void {
  const curve = new DerReader(parameters).objectIdentifier('x509: invalid ECDSA parameters');
  if (!curves.has(curve)) throw new MalformedError('x509: unsupported elliptic curve');
  if (bytes[0] !== 4) throw new MalformedError('x509: failed to unmarshal elliptic curve point');
}
