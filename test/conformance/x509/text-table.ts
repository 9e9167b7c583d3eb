// PEM texts and certificate requests that Go and we must read alike.
import { boolean, integer, objectIdentifier, octetString, sequence, setOf, utf8String } from '#base/der.ts';
import { algorithms, alternatives, attribute, dns, ecKey, extension, type Key, named, nameOf, request, rsaKey, tagged } from './certificate-builder.ts';

export interface Text {
  readonly name: string;
  readonly bytes: Buffer;
}

export const pemOf = (type: string, der: Buffer): string =>
  `-----BEGIN ${type}-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${type}-----\n`;

const text = (name: string, content: string): Text => ({ name, bytes: Buffer.from(content, 'latin1') });

export function pemTable(): readonly Text[] {
  const one = pemOf('A', Buffer.from('one'));
  const two = pemOf('B', Buffer.from('two'));
  return [
    text('nothing', ''),
    text('a block', one),
    text('two blocks', one + two),
    text('text around', `x\n${one}y\n${two}z`),
    text('no newline at the end', one.trimEnd()),
    text('a BEGIN in the middle of a line', `x${one}${two}`),
    text('blanks before BEGIN', ` ${one}${two}`),
    text('blanks after the lines', one.replaceAll('\n', ' \t\n')),
    text('lines of Windows', one.replaceAll('\n', '\r\n')),
    text('a BEGIN without END before a block', `-----BEGIN X-----\nYQ==\n${one}`),
    text('an END before a block', `\n-----END X-----\n${one}`),
    text('another type at the END', `-----BEGIN A-----\nYQ==\n-----END B-----\n${one}`),
    text('headers', `-----BEGIN A-----\nK: v\nL: w\n\nYQ==\n-----END A-----\n${two}`),
    text('headers without an empty line', '-----BEGIN A-----\nK: v\nYQ==\n-----END A-----\n'),
    text('headers and nothing else', '-----BEGIN A-----\nK: v\n-----END A-----\n'),
    text('headers to the end', `-----BEGIN A-----\nK: v\n-----END A:-----\nL: w\n${one}`),
    text('headers over an END', `-----BEGIN A:-----\nK: v\n-----END A:-----\n${one}`),
    text('an empty block', `-----BEGIN A-----\n-----END A-----\n${two}`),
    text('an empty line in a block', `-----BEGIN A-----\n\n-----END A-----\n${two}`),
    text('dashes in the type', '-----BEGIN A-B-----\nYQ==\n-----END A-B-----\n'),
    text('an empty type', '-----BEGIN -----\nYQ==\n-----END -----\n'),
    text('too few dashes', `-----BEGIN A----\nYQ==\n-----END A----\n${two}`),
    text('six dashes', `------BEGIN A-----\nYQ==\n-----END A-----\n${two}`),
    text('text after END', `-----BEGIN A-----\nYQ==\n-----END A----- x\n${two}`),
    text('no padding', `-----BEGIN A-----\nYQ\n-----END A-----\n${two}`),
    text('too much padding', `-----BEGIN A-----\nYQ====\n-----END A-----\n${two}`),
    text('padding in the middle', `-----BEGIN A-----\nYQ==YQ==\n-----END A-----\n${two}`),
    text('padding over two lines', '-----BEGIN A-----\nYQ=\n=\n-----END A-----\n'),
    text('bits behind the end', '-----BEGIN A-----\nYR==\n-----END A-----\n'),
    text('another alphabet', `-----BEGIN A-----\nY_-=\n-----END A-----\n${two}`),
    text('blanks in a line', '-----BEGIN A-----\nY Q\t= =\n-----END A-----\n'),
    text('an END on the line of its block', `-----BEGIN A-----\nYQ==-----END A-----\n${two}`),
    text('a block in a block', `-----BEGIN A-----\n${two}-----END A-----\n${one}`),
    text('a type of eight bits', '-----BEGIN \xe4-----\nYQ==\n-----END \xe4-----\n'),
    text('a carriage return alone', one.replaceAll('\n', '\r')),
    text('a zero byte in front', `\0${one}${two}`),
  ];
}

const organization = (value: Buffer) => nameOf([attribute('2.5.4.10', value)], [attribute('2.5.4.3', utf8String('alice'))]);
const bmp = (content: string) => tagged(0x1e, Buffer.from(content, 'utf16le').swap16());
const asking = (...extensions: readonly Buffer[]) => sequence(objectIdentifier('1.2.840.113549.1.9.14'), setOf(sequence(...extensions)));

export function requestTable(): readonly Text[] {
  const key = ecKey();
  const masters = named('alice', 'system:masters');
  const pem = (der: Buffer) => pemOf('CERTIFICATE REQUEST', der);
  const ask = (name: string, subject: Buffer, options: Parameters<typeof request>[2] = {}, by: Key = key) => text(name, pem(request(subject, by, options)));
  const good = request(masters, key);
  const plain = request(named('alice', 'users'), key);
  const flipped = Buffer.from(good);
  flipped[flipped.length - 3] = (flipped[flipped.length - 3] ?? 0) ^ 1;
  return [
    ask('a request', masters),
    ask('an organization in BMPString', organization(bmp('system:masters'))),
    ask('an organization in T61String', organization(tagged(0x14, Buffer.from('system:masters')))),
    ask('an organization in IA5String', organization(tagged(0x16, 'system:masters'))),
    ask('an organization in PrintableString with an at sign', organization(tagged(0x13, 'a@b'))),
    ask('an organization in UTF8String that is none', organization(tagged(0x0c, Buffer.of(0xff)))),
    ask('several attributes in one set', nameOf([attribute('2.5.4.3', utf8String('alice')), attribute('2.5.4.10', utf8String('system:masters'))])),
    ask('two common names', nameOf([attribute('2.5.4.3', utf8String('alice'))], [attribute('2.5.4.3', utf8String('bob'))])),
    ask('another attribute that is a number', nameOf([attribute('2.5.4.12', integer(Buffer.of(1)))], [attribute('2.5.4.3', utf8String('alice'))])),
    ask('no subject', sequence()),
    ask('no attributes at all', masters, { without: true }),
    ask('an attribute of another kind', masters, { attributes: [sequence(objectIdentifier('1.2.840.113549.1.9.7'), setOf(utf8String('x')))] }),
    ask('alternative names', masters, { attributes: [asking(alternatives(dns('a.example')))] }),
    ask('alternative names that are broken', masters, { attributes: [asking(extension('2.5.29.17', octetString(Buffer.of(1))))] }),
    ask('an extension twice', masters, { attributes: [asking(alternatives(dns('a')), alternatives(dns('b')))] }),
    ask('a critical extension', masters, { attributes: [asking(sequence(objectIdentifier('1.2.3.4'), boolean(true), octetString(Buffer.of(5, 0))))] }),
    ask('signed with SHA-1', masters, { algorithm: algorithms.ecSha1 }),
    ask('RSA', masters, {}, rsaKey()),
    ask('RSA with MD5', masters, { algorithm: algorithms.rsaMd5 }, rsaKey()),
    ask('RSA PSS', masters, { algorithm: algorithms.rsaPss }, rsaKey()),
    ask('a key on a curve that Go does not know', masters, {}, ecKey('secp256k1')),
    text('one bit of the signature', pem(flipped)),
    text('a decoy in the middle of a line', `x${pem(plain).trimEnd()}\n${pem(good)}`),
    text('a decoy without its end', `-----BEGIN CERTIFICATE REQUEST-----\n${plain.toString('base64')}\n${pem(good)}`),
    text('a decoy that is no base64', `-----BEGIN CERTIFICATE REQUEST-----\n*\n-----END CERTIFICATE REQUEST-----\n${pem(good)}`),
    text('two requests', pem(plain) + pem(good)),
    text('headers', pem(good).replace('-----\n', '-----\nA: b\n\n')),
    text('another block first', pemOf('CERTIFICATE', plain) + pem(good)),
    text('bytes after the request', pem(Buffer.concat([good, Buffer.of(0)]))),
    text('a request that is cut', pem(good.subarray(0, -1))),
    text('an empty block', pem(Buffer.alloc(0))),
    text('nothing', ''),
  ];
}
