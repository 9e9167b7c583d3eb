// Certificates and requests of any make, also of makes that no authority would issue: every part can be replaced by bytes.
import { constants, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { bitString, boolean, explicit, implicit, integer, objectIdentifier, octetString, sequence, setOf, time, utf8String } from '#base/der.ts';

export interface Key {
  readonly private: KeyObject;
  readonly public: KeyObject;
}

export const ecKey = (namedCurve = 'P-256'): Key => keyOf(generateKeyPairSync('ec', { namedCurve }).privateKey);
export const rsaKey = (modulusLength = 2048): Key => keyOf(generateKeyPairSync('rsa', { modulusLength }).privateKey);
export const edKey = (): Key => keyOf(generateKeyPairSync('ed25519').privateKey);

const keyOf = (key: KeyObject): Key => ({ private: key, public: createPublicKey(key) });

const withNull = (oid: string) => sequence(objectIdentifier(oid), Buffer.of(5, 0));

export const algorithms = {
  ecSha256: { identifier: sequence(objectIdentifier('1.2.840.10045.4.3.2')), digest: 'sha256', pss: false },
  ecSha384: { identifier: sequence(objectIdentifier('1.2.840.10045.4.3.3')), digest: 'sha384', pss: false },
  ecSha1: { identifier: sequence(objectIdentifier('1.2.840.10045.4.1')), digest: 'sha1', pss: false },
  rsaSha256: { identifier: withNull('1.2.840.113549.1.1.11'), digest: 'sha256', pss: false },
  rsaSha512: { identifier: withNull('1.2.840.113549.1.1.13'), digest: 'sha512', pss: false },
  rsaSha1: { identifier: withNull('1.2.840.113549.1.1.5'), digest: 'sha1', pss: false },
  rsaMd5: { identifier: withNull('1.2.840.113549.1.1.4'), digest: 'md5', pss: false },
  ed25519: { identifier: sequence(objectIdentifier('1.3.101.112')), digest: null, pss: false },
  rsaPss: { identifier: pss(32), digest: 'sha256', pss: true },
  /** The parameters name another length of salt than the digest has. */
  rsaPssOddSalt: { identifier: pss(20), digest: 'sha256', pss: true },
} as const;

function pss(salt: number): Buffer {
  const sha256 = withNull('2.16.840.1.101.3.4.2.1');
  const mask = sequence(objectIdentifier('1.2.840.113549.1.1.8'), sha256);
  return sequence(objectIdentifier('1.2.840.113549.1.1.10'), sequence(explicit(0, sha256), explicit(1, mask), explicit(2, integer(Buffer.of(salt)))));
}

export type Algorithm = (typeof algorithms)[keyof typeof algorithms];

export const attribute = (oid: string, value: Buffer) => sequence(objectIdentifier(oid), value);
export const tagged = (tag: number, content: Uint8Array | string) => {
  const whole = octetString(Buffer.from(content as string));
  whole[0] = tag;
  return whole;
};
export const nameOf = (...sets: readonly (readonly Buffer[])[]) => sequence(...sets.map((attributes) => setOf(...attributes)));
export const named = (commonName: string, ...organizations: readonly string[]) =>
  nameOf(...organizations.map((text) => [attribute('2.5.4.10', utf8String(text))]), [attribute('2.5.4.3', utf8String(commonName))]);

export const extension = (oid: string, value: Buffer, isCritical = false) =>
  sequence(objectIdentifier(oid), ...(isCritical ? [boolean(true)] : []), octetString(value));
export const basicConstraints = (isAuthority: boolean, pathLength?: number) =>
  extension('2.5.29.19', sequence(...(isAuthority ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(Buffer.of(pathLength))])), true);
export const keyUsage = (bits: number, unused: number) => extension('2.5.29.15', bitString(Buffer.of(bits), unused), true);
export const mayOnlySign = keyUsage(0b10000000, 7);
export const maySignCertificates = keyUsage(0b00000100, 2);
export const usages = (...oids: readonly string[]) => extension('2.5.29.37', sequence(...oids.map(objectIdentifier)));
export const forClients = '1.3.6.1.5.5.7.3.2';
export const forServers = '1.3.6.1.5.5.7.3.1';
export const forAll = '2.5.29.37.0';
export const dns = (name: string) => implicit(2, Buffer.from(name));
export const email = (name: string) => implicit(1, Buffer.from(name));
export const uri = (name: string) => implicit(6, Buffer.from(name));
export const address = (...bytes: readonly number[]) => implicit(7, Buffer.from(bytes));
export const alternatives = (...names: readonly Buffer[]) => extension('2.5.29.17', sequence(...names));
export const constraints = (permitted: readonly Buffer[], excluded: readonly Buffer[] = [], isCritical = true) => {
  const list = (number: number, trees: readonly Buffer[]) => (trees.length === 0 ? [] : [explicit(number, Buffer.concat(trees.map((tree) => sequence(tree))))]);
  return extension('2.5.29.30', sequence(...list(0, permitted), ...list(1, excluded)), isCritical);
};
export const policies = (...oids: readonly string[]) => extension('2.5.29.32', sequence(...oids.map((oid) => sequence(objectIdentifier(oid)))));
export const policyMapping = (from: string, to: string) => extension('2.5.29.33', sequence(sequence(objectIdentifier(from), objectIdentifier(to))), true);
export const policyConstraints = (requireExplicit: number) => extension('2.5.29.36', sequence(implicit(0, Buffer.of(requireExplicit))), true);

export interface CertificateParts {
  readonly subject: Buffer;
  readonly key: Key;
  readonly extensions?: readonly Buffer[];
  readonly from?: Buffer;
  readonly to?: Buffer;
  /** The whole element. */
  readonly serial?: Buffer;
  readonly version?: number;
  readonly algorithm?: Algorithm;
  readonly outerAlgorithm?: Buffer;
  readonly publicKey?: Buffer;
}

export interface Authority {
  readonly subject: Buffer;
  readonly key: Key;
  readonly der: Buffer;
}

export function certify(parts: CertificateParts, issuer: { readonly subject: Buffer; readonly key: Key }): Buffer {
  const { version = 3, algorithm = algorithmFor(issuer.key), extensions = [] } = parts;
  const body = sequence(
    ...(version === 1 ? [] : [explicit(0, integer(Buffer.of(version - 1)))]),
    parts.serial ?? integer(Buffer.of(1, 2, 3)),
    algorithm.identifier,
    issuer.subject,
    sequence(parts.from ?? time(new Date('2026-01-01T00:00:00Z')), parts.to ?? time(new Date('2027-01-01T00:00:00Z'))),
    parts.subject,
    parts.publicKey ?? publicKeyInfo(parts.key),
    ...(extensions.length === 0 ? [] : [explicit(3, sequence(...extensions))]),
  );
  return sequence(body, parts.outerAlgorithm ?? algorithm.identifier, bitString(signatureOf(body, issuer.key, algorithm)));
}

export function request(subject: Buffer, key: Key, { attributes = [] as readonly Buffer[], algorithm = algorithmFor(key), without = false } = {}): Buffer {
  const body = sequence(integer(Buffer.of(0)), subject, publicKeyInfo(key), ...(without ? [] : [explicit(0, Buffer.concat(attributes))]));
  return sequence(body, algorithm.identifier, bitString(signatureOf(body, key, algorithm)));
}

export const publicKeyInfo = (key: Key): Buffer => key.public.export({ type: 'spki', format: 'der' });

function algorithmFor({ private: key }: Key): Algorithm {
  if (key.asymmetricKeyType === 'ed25519') return algorithms.ed25519;
  return key.asymmetricKeyType === 'rsa' ? algorithms.rsaSha256 : algorithms.ecSha256;
}

function signatureOf(body: Buffer, { private: key }: Key, { digest, pss: isPss }: Algorithm): Buffer {
  return sign(digest, body, isPss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : key);
}
