import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateEcKey, makeCertificate, privateKeyPem, publicKeyOf } from '#base/x509.ts';
import { keyPairProblem } from '#kinds/core/v1/tls-key-pair.ts';

const key = generateEcKey();
const certificate = selfSigned();
const rsaKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

describe('a certificate and its key', () => {
  it('are fine together, whichever form the key has', () => {
    expect(keyPairProblem(certificate, privateKeyPem(key))).toBeUndefined();
    expect(keyPairProblem(certificate, key.export({ type: 'sec1', format: 'pem' }).toString())).toBeUndefined();
  });

  it.each([
    ['a', 'a', 'tls: failed to find any PEM data in certificate input'],
    [certificate, 'a', 'tls: failed to find any PEM data in key input'],
    [certificate, certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [
      privateKeyPem(key),
      certificate,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [certificate, privateKeyPem(generateEcKey()), 'tls: private key does not match public key'],
    [certificate, rsaKey.privateKey, 'tls: private key type does not match public key type'],
    [certificate, '-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n', 'tls: failed to parse private key'],
  ])('say what is wrong with them (%#)', (certificatePem, keyPem, problem) => {
    expect(keyPairProblem(certificatePem, keyPem)).toBe(problem);
  });
});

function selfSigned(): string {
  const subject = { commonName: 'web.example' };
  const period = { notBefore: new Date('2020-01-01'), notAfter: new Date('2050-01-01') };
  return makeCertificate({ subject, publicKey: publicKeyOf(key), serial: Buffer.of(1), ...period, usage: 'server' }, { subject, privateKey: key });
}
