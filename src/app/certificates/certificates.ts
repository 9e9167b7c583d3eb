// The keys and certificates a server needs: taken from files where flags name them, else made once and kept.
import { FlagError } from '#app/flags/flags.ts';
import { verifyingKeys } from '#auth/authentication/jwt.ts';
import { createPublicKey, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from '#app/flags/options.ts';
import { PemFolder, type PemPair } from '#app/certificates/pem-folder.ts';

export interface Certificates {
  readonly serving: PemPair;
  /** Authorities of client certificates. */
  readonly clientCa: string;
  /** What clients must trust; undefined when the serving certificate was given: we do not know who signed it. */
  readonly servingCa: string | undefined;
  /** A client certificate of system:masters; undefined when the authority of clients was given: we cannot sign for it. */
  readonly admin: PemPair | undefined;
  readonly serviceAccounts: { readonly signingKey: string; readonly publicKeys: readonly string[] };
}

/** Where the certificates are that may change while the server runs. */
export function certificateFiles(options: ServerOptions): { readonly cert: string; readonly key: string; readonly clientCa: string } {
  const { certFile, keyFile } = options.tls;
  const own = (file: string) => join(folderOf(options), file);
  return {
    cert: certFile === '' ? own('apiserver.crt') : certFile,
    key: certFile === '' ? own('apiserver.key') : keyFile,
    clientCa: options.authentication.clientCaFile === '' ? own('ca.crt') : options.authentication.clientCaFile,
  };
}

function folderOf({ tls, dataDir }: ServerOptions): string {
  return tls.certDir === '' ? join(dataDir, 'pki') : tls.certDir;
}

/** Reads what is there and makes what is missing or near its end, in --cert-dir or below the data directory. */
export async function ensureCertificates(options: ServerOptions, hostname: string, now: Date): Promise<Certificates> {
  const files = new PemFolder(folderOf(options));
  const { certFile, keyFile } = options.tls;
  const { clientCaFile } = options.authentication;
  const serving = certFile === '' && !isForeign(files, options.tls);
  const needs = { serving, admin: clientCaFile === '', names: servingNames(options, hostname) };
  if (!isComplete(files, needs, now)) await makeMissing(files, needs, now);
  return {
    serving: certFile === '' ? files.pair('apiserver') : { cert: readText(certFile), key: readText(keyFile) },
    clientCa: needs.admin ? files.read('ca.crt') : readText(clientCaFile),
    servingCa: needs.serving ? files.read('ca.crt') : undefined,
    admin: needs.admin ? files.pair('admin') : undefined,
    serviceAccounts: await serviceAccountKeys(options, files),
  };
}

/** The authority that this server made for itself; undefined: clients are vouched for by one that was given, or there is none yet. */
export function ownAuthority(options: ServerOptions): PemPair | undefined {
  const files = new PemFolder(folderOf(options));
  return options.authentication.clientCaFile === '' && files.has('ca.key') && files.has('ca.crt') ? files.pair('ca') : undefined;
}

/** Like the original: a pair that somebody put into --cert-dir is used as it is. */
function isForeign(files: PemFolder, { certDir }: ServerOptions['tls']): boolean {
  if (certDir === '' || !files.has('apiserver.crt') || !files.has('apiserver.key')) return false;
  return new X509Certificate(files.read('apiserver.crt')).issuer !== `CN=${authorityName}`;
}

/** The common name of an authority of our own. */
export const authorityName = 'binnacle-ca';

/** The names under which clients may reach the server. */
export function servingNames({ serviceClusterIpRanges, advertiseAddress, bindAddress }: ServerOptions, hostname: string): string[] {
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
  const addresses = [advertiseAddress, bindAddress].filter((address) => !['', '0.0.0.0', '::'].includes(address));
  return [...new Set(['localhost', hostname, ...service, '127.0.0.1', '::1', ...serviceClusterIpRanges.map(firstAddressOf), ...addresses])];
}

interface Needs {
  readonly serving: boolean;
  readonly admin: boolean;
  readonly names: readonly string[];
}

const day = 24 * 3_600_000;

/** What ends sooner is made anew. */
const renewBefore = 30 * day;
const leafLife = 365 * day;
const authorityLife = 3650 * day;

function isComplete(files: PemFolder, { serving, admin, names }: Needs, now: Date): boolean {
  if ((serving || admin) && !lasts(files, 'ca', now)) return false;
  return (!serving || isUsable(files, 'apiserver', now, names)) && (!admin || isUsable(files, 'admin', now));
}

function isUsable(files: PemFolder, name: string, now: Date, names: readonly string[] = []): boolean {
  if (!files.has('ca.crt') || !files.has(`${name}.key`) || !lasts(files, name, now)) return false;
  const certificate = new X509Certificate(files.read(`${name}.crt`));
  return names.every((host) => (isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined);
}

function lasts(files: PemFolder, name: string, now: Date): boolean {
  return files.has(`${name}.crt`) && Date.parse(new X509Certificate(files.read(`${name}.crt`)).validTo) >= now.getTime() + renewBefore;
}

/** One authority of our own signs both sides. It keeps its key when it is renewed: what it signed before stays good. */
async function makeMissing(files: PemFolder, needs: Needs, now: Date): Promise<void> {
  const { generateEcKey, makeCertificate, parsePrivateKey, privateKeyPem, publicKeyOf } = await import('#base/x509.ts');
  const lasting = (life: number) => ({ notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + life) });
  const validity = lasting(leafLife);
  const authority = { commonName: authorityName };
  const known = files.has('ca.key') && files.has('ca.crt');
  const privateKey = known ? parsePrivateKey(files.read('ca.key')) : generateEcKey();
  if (!known || !lasts(files, 'ca', now)) {
    const request = { subject: authority, publicKey: publicKeyOf(privateKey), serial: randomBytes(16), usage: 'authority', ...lasting(authorityLife) } as const;
    files.write('ca', { cert: makeCertificate(request, { subject: authority, privateKey }), key: privateKeyPem(privateKey) });
  }
  const issue = (name: string, request: Parameters<typeof makeCertificate>[0], key: ReturnType<typeof generateEcKey>) =>
    files.write(name, { cert: makeCertificate(request, { subject: authority, privateKey }), key: privateKeyPem(key) });
  if (needs.serving && !(known && isUsable(files, 'apiserver', now, needs.names))) {
    const key = generateEcKey();
    const subject = { commonName: 'kube-apiserver' };
    const names = [...new Set([...needs.names, ...(await namesBefore(files))])].slice(0, maxNames);
    issue('apiserver', { subject, usage: 'server', names, publicKey: publicKeyOf(key), serial: randomBytes(16), ...validity }, key);
  }
  if (needs.admin && !(known && isUsable(files, 'admin', now))) {
    const key = generateEcKey();
    const subject = { commonName: 'admin', organizations: ['system:masters'] };
    issue('admin', { subject, usage: 'client', publicKey: publicKeyOf(key), serial: randomBytes(16), ...validity }, key);
  }
}

/** More than anybody has: addresses that come and go must not make the certificate grow for ever. */
const maxNames = 64;

/** The names of the certificate that is replaced stay: a server with `--memory` in the same directory may still serve by them. */
async function namesBefore(files: PemFolder): Promise<readonly string[]> {
  if (!files.has('apiserver.crt')) return [];
  const { parseCertificates } = await import('#base/pki/certificate.ts');
  const [before] = parseCertificates(files.read('apiserver.crt'));
  const addresses = before?.alternativeNames?.addresses.map((bytes) =>
    bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':'),
  );
  return [...(before?.alternativeNames?.dns ?? []), ...(addresses ?? [])];
}

/** Tokens signed before a restart must stay valid after it, so the key is kept like any other. */
async function serviceAccountKeys({ serviceAccounts }: ServerOptions, files: PemFolder): Promise<Certificates['serviceAccounts']> {
  const signingKey = serviceAccounts.signingKeyFile === '' ? await ownSigningKey(files) : readText(serviceAccounts.signingKeyFile);
  const given = serviceAccounts.keyFiles.map((file) => withKeys(file, readText(file)));
  return { signingKey, publicKeys: given.length > 0 ? given : [createPublicKey(signingKey).export({ type: 'spki', format: 'pem' }) as string] };
}

async function ownSigningKey(files: PemFolder): Promise<string> {
  if (!files.has('service-accounts.key')) {
    const { generateEcKey, privateKeyPem } = await import('#base/x509.ts');
    files.writeKey('service-accounts', privateKeyPem(generateEcKey()));
  }
  return files.read('service-accounts.key');
}

/** The address that the service `kubernetes` gets. */
function firstAddressOf(range: string): string {
  const [network = ''] = range.split('/');
  if (!network.includes(':')) return network.replace(/\d+$/, (last) => String(Number(last) + 1));
  return network.endsWith('::') ? `${network}1` : network;
}

/** Of things that are host names or addresses. `net.isIP` would be right too, but takes 10 ms at its first call. */
function isAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}

/** A key file without a key would quietly let nobody in. */
function withKeys(file: string, text: string): string {
  if (verifyingKeys(text).length === 0) throw new FlagError(`error reading public key file ${file}: data does not contain any valid RSA or ECDSA public keys`);
  return text;
}
