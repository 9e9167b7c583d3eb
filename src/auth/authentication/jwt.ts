// JSON Web Tokens in compact form, signed with RSA or elliptic curves. The algorithm follows from the key, never from the
// token: `none` and HMAC with a public key as the secret are not even looked at.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export interface ParsedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: Buffer;
}

export interface VerifyingKey {
  /** SHA-256 of the public key's DER: what `kid` says in tokens of this key. */
  readonly id: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

export type SigningKey = VerifyingKey;

/** Service account tokens have one kilobyte, those of OpenID Connect with hundreds of groups some tens. */
const longestToken = 256 * 1024;

/** Node's decoder also takes the other alphabet of base64: one signature would have several spellings. */
const base64Url = /^[A-Za-z0-9_-]+$/;

/** What RFC 7515 and 7519 say a value is. A token that has another there is none, whoever signed it, as Go cannot read it. */
const headerTypes = { alg: 'string', kid: 'string' } as const;
const claimTypes = { iss: 'string', sub: 'string', jti: 'string', exp: 'number', nbf: 'number', iat: 'number' } as const;

/** Undefined for a text that is no JWT; says nothing about its signature. */
export function parseJwt(token: string): ParsedJwt | undefined {
  if (token.length > longestToken) return undefined;
  const [head, body, signature, ...more] = token.split('.', 4);
  if (head === undefined || body === undefined || signature === undefined || !base64Url.test(signature) || more.length > 0) return undefined;
  const header = parsePart(head);
  const claims = parsePart(body);
  if (header === undefined || claims === undefined || !haveTypes(header, headerTypes) || !haveTypes(claims, claimTypes)) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

export function isSignedBy({ header, signed, signature }: ParsedJwt, { algorithm, key }: VerifyingKey): boolean {
  if (header['alg'] !== algorithm || header['crit'] !== undefined) return false;
  return verify(hashOf(algorithm), Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

export function signJwt(claims: object, { id, algorithm, key }: SigningKey): string {
  const signed = `${partOf({ alg: algorithm, kid: id })}.${partOf(claims)}`;
  return `${signed}.${sign(hashOf(algorithm), Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

export function signingKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  return { id: keyId(createPublicKey(key)), algorithm: algorithmOf(key), key };
}

/** All keys of a PEM file, which may hold several; private keys stand for their public halves. */
export function verifyingKeys(pem: string): VerifyingKey[] {
  const blocks = pem.match(/-----BEGIN ([A-Z ]*(?:KEY|CERTIFICATE))-----[\s\S]+?-----END \1-----/g) ?? [];
  return blocks.filter((block) => !block.includes('EC PARAMETERS')).map((block) => verifyingKey(createPublicKey(block)));
}

export function verifyingKey(key: KeyObject): VerifyingKey {
  return { id: keyId(key), algorithm: algorithmOf(key), key };
}

function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

const algorithmOfCurve: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = algorithmOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm === undefined) throw new Error('unknown private key type, must be RSA or an elliptic curve of 256, 384, or 521 bits');
  return algorithm;
}

function hashOf(algorithm: string): string {
  return `sha${algorithm.slice(2)}`;
}

function partOf(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function parsePart(text: string): Record<string, unknown> | undefined {
  if (!base64Url.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function haveTypes(values: Readonly<Record<string, unknown>>, types: Readonly<Record<string, 'string' | 'number'>>): boolean {
  return Object.entries(types).every(([name, type]) => values[name] === undefined || values[name] === null || typeof values[name] === type);
}
