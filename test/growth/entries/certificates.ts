// PEM and DER: requests for certificates come in bodies, chains of client certificates with the connection.
import { parseCertificateRequest, parseRequestPem } from '#base/pki/certificate-request.ts';
import { parseCertificate, parseCertificates, parseConcatenated } from '#base/pki/certificate.ts';
import { readExtensions } from '#base/pki/certificate-extensions.ts';
import { DerReader } from '#base/pki/der-reader.ts';
import { readTime } from '#base/pki/der-time.ts';
import { readName, readRequestedName } from '#base/pki/distinguished-name.ts';
import { readAlternativeNames, readNameConstraints } from '#base/pki/general-names.ts';
import { parseMailbox } from '#base/pki/mailbox.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { readPublicKey } from '#base/pki/public-key.ts';
import { readAlgorithm } from '#base/pki/signature.ts';
import { bodyBytes, type GrowthEntry, repeated, textEntry } from '../growth-entry.ts';

/** An element with its length in three bytes. */
function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x83, content.length >> 16, (content.length >> 8) & 255, content.length & 255]), content]);
}

function filled(unit: Buffer, bytes: number): Buffer {
  return Buffer.alloc(Math.max(1, Math.floor(bytes / unit.length)) * unit.length, unit);
}

const sequence = 0x30;
const attribute = Buffer.from('310c300a06035504030c0361626300', 'hex').subarray(0, 14);
const nothing = Buffer.from('3000', 'hex');

const readers: readonly [covers: string, read: (der: Buffer) => unknown][] = [
  ['certificate-request.ts#parseCertificateRequest', parseCertificateRequest],
  ['certificate.ts#parseCertificate', parseCertificate],
  ['certificate.ts#parseConcatenated', parseConcatenated],
  ['der-time.ts#readTime', (der) => readTime(new DerReader(der))],
  ['distinguished-name.ts#readName', (der) => readName(new DerReader(der))],
  ['distinguished-name.ts#readRequestedName', (der) => readRequestedName(new DerReader(der))],
  ['general-names.ts#readAlternativeNames', readAlternativeNames],
  ['general-names.ts#readNameConstraints', readNameConstraints],
  ['public-key.ts#readPublicKey', readPublicKey],
  ['signature.ts#readAlgorithm', (der) => readAlgorithm(new DerReader(der))],
  ['certificate-extensions.ts#readExtensions', (value) => readExtensions([{ type: '2.5.29.17', critical: false, value }])],
];

const forms: readonly [name: string, make: (bytes: number) => Buffer][] = [
  ['empty elements', (bytes) => element(sequence, filled(nothing, bytes))],
  ['attributes of a name', (bytes) => element(sequence, filled(attribute, bytes))],
  ['names', (bytes) => element(sequence, filled(Buffer.from('820161', 'hex'), bytes))],
  ['one long text', (bytes) => element(sequence, element(0x0c, filled(Buffer.from('a'), bytes)))],
];

const pem: readonly [name: string, text: (bytes: number) => string][] = [
  ['begins without an end', (bytes) => repeated('-----BEGIN CERTIFICATE-----\n', bytes)],
  ['ends without a begin', (bytes) => repeated('\n-----END CERTIFICATE-----', bytes)],
  ['begins before one end', (bytes) => `${repeated('-----BEGIN A-----\n', bytes)}\n-----END CERTIFICATE-----\n`],
  ['empty blocks', (bytes) => repeated('-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n', bytes)],
  ['headers', (bytes) => `-----BEGIN CERTIFICATE REQUEST-----\n${repeated('a: b\n', bytes)}\n-----END CERTIFICATE REQUEST-----\n`],
  ['blanks', (bytes) => `-----BEGIN CERTIFICATE REQUEST-----\n${repeated(' ', bytes)}\n-----END CERTIFICATE REQUEST-----\n`],
];

export const certificateEntries: readonly GrowthEntry[] = [
  ...readers.flatMap(([covers, read]) =>
    forms.map(([name, make]) => ({
      name: `DER of ${name}: ${covers.split('#')[1]}`,
      covers: [`src/base/pki/${covers}`],
      maxBytes: bodyBytes,
      prepare: (bytes: number) => {
        const der = make(bytes);
        return () => read(der);
      },
    })),
  ),
  ...pem.flatMap(([name, text]) => [
    textEntry(`PEM of ${name}: blocks`, 'src/base/pki/pem.ts#pemBlocks', text, pemBlocks, bodyBytes),
    textEntry(`PEM of ${name}: certificates`, 'src/base/pki/certificate.ts#parseCertificates', text, parseCertificates, bodyBytes),
    textEntry(
      `PEM of ${name}: request`,
      'src/base/pki/certificate-request.ts#parseRequestPem',
      text,
      (value) => parseRequestPem(Buffer.from(value)),
      bodyBytes,
    ),
  ]),
  textEntry('mailbox of quotes', 'src/base/pki/mailbox.ts#parseMailbox', (bytes) => `"${repeated('\\"', bytes)}`, parseMailbox, bodyBytes),
  textEntry('mailbox of dots', 'src/base/pki/mailbox.ts#parseMailbox', (bytes) => `${repeated('a.', bytes)}@`, parseMailbox, bodyBytes),
];
