// Makes X.509 certificates, with ECDSA P-256 keys where the key is ours. Reading and verifying them is node:crypto's business.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type IpAddress, parseIpSloppy } from '#base/ip-address.ts';
import { bitString, boolean, explicit, implicit, integer, nothing, objectIdentifier, octetString, sequence, setOf, time, utf8String } from '#base/der.ts';

export interface CertificateRequest {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly serial: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly usage: 'authority' | 'server' | 'client';
  /** Host names and addresses of a server. */
  readonly names?: readonly string[];
}

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** Kubernetes' own attribute for the uid of a user. */
  readonly uids?: readonly string[];
}

/** Who signs; for an authority of one's own, the subject and key of the request itself. */
export interface Issuer {
  readonly subject: Subject;
  readonly privateKey: KeyObject;
  /** How the certificate of an authority that was made elsewhere calls it and its key; the identifier is empty where it has none. */
  readonly certified?: { readonly rawSubject: Buffer; readonly subjectKeyId: Buffer };
}

export function generateEcKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

export function publicKeyOf(privateKey: KeyObject): KeyObject {
  return publicHalf(privateKey);
}

export function parsePrivateKey(pem: string): KeyObject {
  return createPrivateKey(pem);
}

export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** The signed certificate as PEM. */
export function makeCertificate(request: CertificateRequest, issuer: Issuer): string {
  const { subject, publicKey, serial, notBefore, notAfter } = request;
  return signedCertificate({ subject: nameOf(subject), publicKey, serial, notBefore, notAfter, extensions: extensionsOf(request, issuer) }, issuer);
}

export interface LeafRequest extends Pick<CertificateRequest, 'publicKey' | 'serial' | 'notBefore' | 'notAfter'> {
  readonly subject: readonly { readonly type: string; readonly value: string }[];
  /** Bits of the key usage by their numbers in RFC 5280; none: the certificate says nothing of it. */
  readonly keyUsages: readonly number[];
  /** Extended key usages, dotted. */
  readonly purposes: readonly string[];
  readonly names: {
    readonly dns: readonly string[];
    readonly emails: readonly string[];
    readonly addresses: readonly Uint8Array[];
    readonly uris: readonly string[];
  };
}

/** A certificate for whoever asked with a signing request; never one of an authority. */
export function makeLeaf({ subject, keyUsages, purposes, names, ...request }: LeafRequest, issuer: Issuer): string {
  const alternative = [
    ...names.dns.map((name) => implicit(2, Buffer.from(name))),
    ...names.emails.map((email) => implicit(1, Buffer.from(email))),
    ...names.addresses.map((address) => implicit(7, address)),
    ...names.uris.map((uri) => implicit(6, Buffer.from(uri))),
  ];
  const extensions = [
    ...(keyUsages.length > 0 ? [critical('2.5.29.15', usageBits(keyUsages))] : []),
    ...(purposes.length > 0 ? [extension('2.5.29.37', sequence(...purposes.map(objectIdentifier)))] : []),
    critical('2.5.29.19', sequence()),
    ...authorityKey(issuer),
    ...(alternative.length > 0 ? [extension('2.5.29.17', sequence(...alternative))] : []),
  ];
  const name = sequence(...subject.map(({ type, value }) => setOf(sequence(objectIdentifier(type), utf8String(value)))));
  return signedCertificate({ ...request, subject: name, extensions }, issuer);
}

/** A row of named bits ends with its last one that is set. */
function usageBits(usages: readonly number[]): Buffer {
  const last = Math.max(...usages);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const usage of usages) bytes[Math.floor(usage / 8)] = (bytes[Math.floor(usage / 8)] ?? 0) | (0x80 >> (usage % 8));
  return bitString(bytes, 7 - (last % 8));
}

interface ToBeSigned extends Pick<CertificateRequest, 'publicKey' | 'serial' | 'notBefore' | 'notAfter'> {
  readonly subject: Buffer;
  readonly extensions: readonly Buffer[];
}

function signedCertificate({ subject, publicKey, serial, notBefore, notAfter, extensions }: ToBeSigned, issuer: Issuer): string {
  const { algorithm, hash } = signatureOf(issuer.privateKey);
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serial),
    algorithm,
    issuer.certified?.rawSubject ?? nameOf(issuer.subject),
    sequence(time(notBefore), time(notAfter)),
    subject,
    encodedKey(publicKey),
    explicit(3, sequence(...extensions)),
  );
  return toPem(sequence(toBeSigned, algorithm, bitString(sign(hash, toBeSigned, issuer.privateKey))));
}

interface SignatureAlgorithm {
  readonly algorithm: Buffer;
  readonly hash: 'sha256' | 'sha384' | 'sha512' | null;
}

/** By the name of the curve, as Go chooses the hash for a key. */
const ecdsa: Readonly<Record<string, SignatureAlgorithm>> = {
  prime256v1: { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.2')), hash: 'sha256' },
  secp384r1: { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.3')), hash: 'sha384' },
  secp521r1: { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.4')), hash: 'sha512' },
};

function signatureOf({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): SignatureAlgorithm {
  if (type === 'rsa') return { algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing()), hash: 'sha256' };
  if (type === 'ed25519') return { algorithm: sequence(objectIdentifier('1.3.101.112')), hash: null };
  const found = ecdsa[asymmetricKeyDetails?.namedCurve ?? ''];
  if (found === undefined) throw new Error(`a key of type ${type} signs no certificates`);
  return found;
}

const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

function extensionsOf({ usage, publicKey, names = [] }: CertificateRequest, issuer: Issuer): Buffer[] {
  const shared = [extension('2.5.29.14', octetString(keyIdentifier(publicKey))), ...authorityKey(issuer)];
  if (usage === 'authority') {
    // keyCertSign and digitalSignature.
    return [critical('2.5.29.19', sequence(boolean(true))), critical('2.5.29.15', bitString(Buffer.of(0b10000100), 2)), ...shared];
  }
  return [
    critical('2.5.29.19', sequence()),
    critical('2.5.29.15', bitString(Buffer.of(0b10100000), 5)), // digitalSignature and keyEncipherment
    extension('2.5.29.37', sequence(objectIdentifier(purposes[usage]))),
    ...shared,
    ...(names.length > 0 ? [extension('2.5.29.17', sequence(...names.map(alternativeName)))] : []),
  ];
}

function authorityKey({ privateKey, certified }: Issuer): readonly Buffer[] {
  const identifier = certified?.subjectKeyId ?? keyIdentifier(publicKeyOf(privateKey));
  return identifier.length === 0 ? [] : [extension('2.5.29.35', sequence(implicit(0, identifier)))];
}

function nameOf({ commonName, organizations = [], uids = [] }: Subject): Buffer {
  const attribute = (oid: string, value: string) => setOf(sequence(objectIdentifier(oid), utf8String(value)));
  const own = uids.map((uid) => attribute('1.3.6.1.4.1.57683.2', uid));
  return sequence(...organizations.map((organization) => attribute('2.5.4.10', organization)), attribute('2.5.4.3', commonName), ...own);
}

/** `net.isIP` would tell addresses too, but its pattern takes 4 ms to compile, in every first start. */
function alternativeName(name: string): Buffer {
  const address = parseIpSloppy(name);
  return address === undefined ? implicit(2, Buffer.from(name)) : implicit(7, addressBytes(address));
}

function addressBytes({ family, value }: IpAddress): Buffer {
  return Buffer.from(value.toString(16).padStart(family === 4 ? 8 : 32, '0'), 'hex');
}

/** An authority signs many certificates: what follows from a key alone is worked out once, for as long as the key is held. */
function perKey<T>(make: (key: KeyObject) => T): (key: KeyObject) => T {
  const made = new WeakMap<KeyObject, T>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

const publicHalf = perKey((key) => createPublicKey(key));
const encodedKey = perKey((key) => key.export({ type: 'spki', format: 'der' }));

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(encodedKey(key)).digest();
}

function extension(oid: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(oid), octetString(value));
}

function critical(oid: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(oid), boolean(true), octetString(value));
}

export function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
