import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { integer, objectIdentifier, sequence, time } from '#base/der.ts';
import { generateEcKey, makeCertificate, publicKeyOf } from '#base/x509.ts';

const privateKey = generateEcKey();
const issuer = { subject: { commonName: 'ca' }, privateKey };
const request = {
  subject: { commonName: 'größe', organizations: ['a', 'b'] },
  publicKey: publicKeyOf(privateKey),
  serial: Buffer.from([0xff, 1]),
  notBefore: new Date('2026-01-02T03:04:05Z'),
  notAfter: new Date('2061-01-02T03:04:05Z'),
};

describe('a certificate', () => {
  const certificate = new X509Certificate(makeCertificate({ ...request, usage: 'server', names: ['a.example', '10.0.0.1', '2001:db8::7', '::'] }, issuer));

  test('is read by others as it was asked for', () => {
    expect([certificate.serialNumber, certificate.issuer, certificate.ca]).toEqual(['FF01', 'CN=ca', false]);
    expect([certificate.validFrom, certificate.validTo].map((text) => new Date(text))).toEqual([request.notBefore, request.notAfter]);
    expect(certificate.subject).toBe('O=a\nO=b\nCN=größe');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  test('names hosts and addresses of both families', () => {
    expect(certificate.subjectAltName).toBe('DNS:a.example, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:7, IP Address:0:0:0:0:0:0:0:0');
  });

  test('is signed by its issuer', () => {
    expect(certificate.verify(publicKeyOf(privateKey))).toBe(true);
    expect(certificate.verify(publicKeyOf(generateEcKey()))).toBe(false);
  });
});

test('the encoding is the shortest there is', () => {
  expect(integer(Buffer.from([0, 0, 5])).toString('hex')).toBe('020105');
  expect(integer(Buffer.from([0x80])).toString('hex')).toBe('02020080');
  expect(integer(Buffer.from([0])).toString('hex')).toBe('020100');
  expect(objectIdentifier('1.2.840.113549').toString('hex')).toBe('06062a864886f70d');
  expect(sequence(Buffer.alloc(200)).subarray(0, 3).toString('hex')).toBe('3081c8');
  expect(sequence(Buffer.alloc(70_000)).subarray(0, 5).toString('hex')).toBe('3083011170');
  expect(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1').slice(2)).toBe('491231235959Z');
  expect(time(new Date('2050-01-01T00:00:00Z')).toString('latin1').slice(2)).toBe('20500101000000Z');
});
