// What is wrong with a certificate and its key, in the words of Go's TLS: secrets that hold them warn with it.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { attempt } from '#base/pki/attempt.ts';
import { parseCertificate } from '#base/pki/certificate.ts';
import { type PemBlock, pemBlocks } from '#base/pki/pem.ts';

export function keyPairProblem(certificatePem: string, keyPem: string): string | undefined {
  const certificates = pemBlocks(certificatePem);
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!certificate) return noCertificate(certificates.map(({ type }) => type));
  const keys = pemBlocks(keyPem);
  const key = keys.find(({ type }) => isKey(type));
  if (!key) return noKey(keys.map(({ type }) => type));
  return mismatch(certificate, key);
}

function isKey(type: string): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]?.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function mismatch(certificateBlock: PemBlock, keyBlock: PemBlock): string | undefined {
  const { value: certificate, problem } = attempt(() => parseCertificate(certificateBlock.der));
  if (problem !== undefined) return problem;
  const publicKey = certificate?.publicKey;
  const key = keyOf(keyBlock.der);
  if (key === undefined) return 'tls: failed to parse private key';
  if (publicKey?.asymmetricKeyType !== key.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return publicKey !== undefined && createPublicKey(key).equals(publicKey) ? undefined : 'tls: private key does not match public key';
}

/** The three forms are tried whatever the block calls itself. */
function keyOf(der: Buffer): KeyObject | undefined {
  const forms = ['pkcs1', 'pkcs8', 'sec1'] as const;
  for (const type of forms) {
    const key = tryTo(() => createPrivateKey({ key: der, format: 'der', type }));
    if (key !== undefined) return key;
  }
  return undefined;
}

function tryTo<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
