// Signatures over certificates and requests: which algorithms count, and whether one is good.
import { constants, type KeyObject, verify } from 'node:crypto';
import { constructed, DerReader, MalformedError, tags } from '#base/pki/der-reader.ts';

export type KeyKind = 'rsa' | 'ec' | 'ed25519';

export interface SignatureAlgorithm {
  readonly key: KeyKind;
  /** Null: the algorithm digests by itself. */
  readonly digest: 'sha1' | 'sha256' | 'sha384' | 'sha512' | null;
  readonly pss: boolean;
}

const rsa = (digest: SignatureAlgorithm['digest']): SignatureAlgorithm => ({ key: 'rsa', digest, pss: false });
const ec = (digest: SignatureAlgorithm['digest']): SignatureAlgorithm => ({ key: 'ec', digest, pss: false });

/** MD5 and everything older, and DSA, are not here: nothing that they sign is ever good. */
const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.5': rsa('sha1'),
  '1.3.14.3.2.29': rsa('sha1'),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  '1.2.840.10045.4.1': ec('sha1'),
  '1.2.840.10045.4.3.2': ec('sha256'),
  '1.2.840.10045.4.3.3': ec('sha384'),
  '1.2.840.10045.4.3.4': ec('sha512'),
};
const ed25519 = '1.3.101.112';
const rsaPss = '1.2.840.113549.1.1.10';

export interface AlgorithmIdentifier {
  readonly algorithm: string;
  /** With tag and length; empty where there are none. */
  readonly parameters: Buffer;
}

export function readAlgorithm(reader: DerReader): AlgorithmIdentifier {
  const algorithm = reader.objectIdentifier('x509: malformed OID');
  return { algorithm, parameters: reader.isEmpty ? Buffer.alloc(0) : reader.element('x509: malformed parameters').whole };
}

/** Undefined for what is unknown or not to be trusted. */
export function signatureAlgorithm({ algorithm, parameters }: AlgorithmIdentifier): SignatureAlgorithm | undefined {
  if (algorithm === ed25519) return parameters.length === 0 ? { key: 'ed25519', digest: null, pss: false } : undefined;
  return algorithm === rsaPss ? pssAlgorithm(parameters) : Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
}

const digests: Readonly<Record<string, readonly ['sha256' | 'sha384' | 'sha512', number]>> = {
  '2.16.840.1.101.3.4.2.1': ['sha256', 32],
  '2.16.840.1.101.3.4.2.2': ['sha384', 48],
  '2.16.840.1.101.3.4.2.3': ['sha512', 64],
};
const maskGeneration1 = '1.2.840.113549.1.1.8';

/** Of all that PSS can say, only: one digest for both uses, a salt of its length, the usual trailer. */
function pssAlgorithm(parameters: Buffer): SignatureAlgorithm | undefined {
  const problem = 'x509: malformed PSS parameters';
  try {
    const fields = new DerReader(parameters).inside(tags.sequence, problem);
    const hash = readAlgorithm(fields.inside(constructed(0), problem).inside(tags.sequence, problem));
    const mask = readAlgorithm(fields.inside(constructed(1), problem).inside(tags.sequence, problem));
    const maskHash = readAlgorithm(new DerReader(mask.parameters).inside(tags.sequence, problem));
    const salt = fields.inside(constructed(2), problem).int(problem);
    const trailer = fields.next === constructed(3) ? fields.inside(constructed(3), problem).int(problem) : 1;
    const known = Object.hasOwn(digests, hash.algorithm) ? digests[hash.algorithm] : undefined;
    const isUsual = mask.algorithm === maskGeneration1 && maskHash.algorithm === hash.algorithm && trailer === 1;
    if (known?.[1] !== salt || !isUsual || !isNothing(hash.parameters) || !isNothing(maskHash.parameters)) return undefined;
    return { key: 'rsa', digest: known[0], pss: true };
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

function isNothing(parameters: Buffer): boolean {
  return parameters.length === 0 || parameters.equals(Buffer.of(5, 0));
}

export interface Signed {
  readonly algorithm: SignatureAlgorithm | undefined;
  readonly bytes: Buffer;
  readonly signature: Buffer;
}

/** SHA-1 counts for requests only, which prove nothing but that somebody has the key. */
export function isSignedBy({ algorithm, bytes, signature }: Signed, key: KeyObject, { allowSha1 }: { readonly allowSha1: boolean }): boolean {
  if (algorithm === undefined || algorithm.key !== key.asymmetricKeyType || (algorithm.digest === 'sha1' && !allowSha1)) return false;
  if (algorithm.key === 'rsa' && !isSoundRsa(key)) return false;
  const padding = algorithm.pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
  return verify(algorithm.digest, bytes, { key, ...padding }, signature);
}

/** Go verifies nothing with shorter keys, nor with an exponent that is even or tiny or needs more than 31 bits. */
function isSoundRsa(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  return modulusLength >= 1024 && publicExponent > 1n && publicExponent < 2n ** 31n && publicExponent % 2n === 1n;
}
