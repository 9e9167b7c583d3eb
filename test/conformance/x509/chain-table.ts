// Chains of certificates, honest and forged, that Go and we must judge alike. What is expected is not written here: Go says it.
import { bitString, boolean, implicit, integer, objectIdentifier, octetString, sequence, utf8String } from '#base/der.ts';
import {
  type Authority,
  address,
  algorithms,
  alternatives,
  attribute,
  basicConstraints,
  type CertificateParts,
  certify,
  constraints,
  dns,
  ecKey,
  edKey,
  email,
  extension,
  forAll,
  forClients,
  forServers,
  keyUsage,
  mayOnlySign,
  maySignCertificates,
  named,
  nameOf,
  policies,
  policyConstraints,
  policyMapping,
  rsaKey,
  tagged,
  uri,
  usages,
} from './certificate-builder.ts';

export interface Chain {
  readonly name: string;
  /** The leaf first, as the client sends them. */
  readonly shown: readonly Buffer[];
  readonly roots: readonly Buffer[];
  readonly at?: string;
}

const authorityExtensions = [basicConstraints(true), maySignCertificates];
const rootKey = ecKey();
const root = authority('root', { key: rootKey });
const leafKey = ecKey();
const alice = named('alice', 'system:masters');
const day = (text: string) => tagged(/^\d{14}/.test(text) ? 0x18 : 0x17, text);

function authority(name: string, parts: Partial<CertificateParts> = {}, issuer?: Authority): Authority {
  const subject = parts.subject ?? named(name);
  const key = parts.key ?? ecKey();
  const own = { subject, key };
  return { ...own, der: certify({ extensions: authorityExtensions, ...parts, ...own }, issuer ?? own) };
}

function leaf(parts: Partial<CertificateParts> = {}, issuer: Authority = root): Buffer {
  return certify({ subject: alice, key: leafKey, extensions: [usages(forClients)], ...parts }, issuer);
}

const alone = (name: string, parts: Partial<CertificateParts>, issuer: Authority = root): Chain => ({
  name,
  shown: [leaf(parts, issuer)],
  roots: [issuer.der],
});

/** A leaf below one intermediate of this make. */
function below(name: string, parts: Partial<CertificateParts>, leafParts: Partial<CertificateParts> = {}, above: Authority = root): Chain {
  const middle = authority('middle', parts, above);
  return { name, shown: [leaf(leafParts, middle), middle.der], roots: [above.der] };
}

const withExtensions = (...extensions: readonly Buffer[]) => ({ extensions });
const clientWith = (...extensions: readonly Buffer[]) => ({ extensions: [usages(forClients), ...extensions] });
const authorityWith = (...extensions: readonly Buffer[]) => ({ extensions: [...authorityExtensions, ...extensions] });

function usageCases(): Chain[] {
  return [
    alone('a plain client', {}),
    alone('a leaf without extended usages', { extensions: [basicConstraints(false)] }),
    alone('a leaf without extensions', { extensions: [] }),
    alone('a leaf for any usage', withExtensions(usages(forAll))),
    alone('a leaf for servers', withExtensions(usages(forServers))),
    alone('a leaf for clients and servers', withExtensions(usages(forServers, forClients))),
    alone('a leaf of an unknown usage', withExtensions(usages('1.3.6.1.4.1.99999.1'))),
    alone('a leaf of an empty list of usages', withExtensions(usages())),
    alone('a leaf of a broken list of usages', withExtensions(extension('2.5.29.37', octetString(Buffer.of(1))))),
    below('an intermediate for servers', authorityWith(usages(forServers))),
    below('an intermediate for clients', authorityWith(usages(forClients))),
    below('an intermediate for any usage', authorityWith(usages(forAll))),
    below('an intermediate of an unknown usage', authorityWith(usages('1.3.6.1.4.1.99999.1'))),
    below('an intermediate for servers above a leaf for anything', authorityWith(usages(forServers)), { extensions: [] }),
    alone('a root for servers', {}, authority('root of servers', authorityWith(usages(forServers)))),
    alone('a leaf whose key may only encrypt', clientWith(keyUsage(0b00100000, 5))),
  ];
}

function authorityCases(): Chain[] {
  const shortRoot = authority('short root', { extensions: [basicConstraints(true, 0), maySignCertificates] });
  const oneRoot = authority('root for one', { extensions: [basicConstraints(true, 1), maySignCertificates] });
  const one = authority('one', {}, oneRoot);
  const two = authority('two', {}, one);
  const shortMiddle = authority('short middle', { extensions: [basicConstraints(true, 0), maySignCertificates] }, root);
  const belowShort = authority('below short', {}, shortMiddle);
  const trusted = leaf({ extensions: [usages(forClients), basicConstraints(false)] });
  return [
    below('an intermediate', {}),
    { name: 'an intermediate that is not shown', shown: [leaf({}, authority('middle', {}, root))], roots: [root.der] },
    below('an intermediate without basic constraints', { extensions: [maySignCertificates] }),
    below('an intermediate that is no authority', { extensions: [basicConstraints(false), maySignCertificates] }),
    below('an intermediate whose key may not sign certificates', { extensions: [basicConstraints(true), mayOnlySign] }),
    below('an intermediate whose usage bits are all zero', { extensions: [basicConstraints(true), keyUsage(0, 0)] }),
    below('an intermediate of version 1', { extensions: [], version: 1 }),
    below('a root with path length 0 above an intermediate', {}, {}, shortRoot),
    alone('a root with path length 0 above a leaf', {}, shortRoot),
    { name: 'a root with path length 1 above two intermediates', shown: [leaf({}, two), two.der, one.der], roots: [oneRoot.der] },
    { name: 'an intermediate with path length 0 above another', shown: [leaf({}, belowShort), belowShort.der, shortMiddle.der], roots: [root.der] },
    alone('a root of version 1', {}, authority('old root', { extensions: [], version: 1 })),
    alone('a root of version 3 without basic constraints', {}, authority('odd root', { extensions: [maySignCertificates] })),
    alone('a root that is no authority', {}, authority('no root', { extensions: [basicConstraints(false)] })),
    alone('a root whose key may not sign certificates', {}, authority('mute root', { extensions: [basicConstraints(true), mayOnlySign] })),
    alone(
      'a negative path length',
      {},
      authority('negative', { extensions: [extension('2.5.29.19', sequence(boolean(true), tagged(2, Buffer.of(0xff))), true)] }),
    ),
    { name: 'a leaf that is trusted itself', shown: [trusted], roots: [trusted] },
    { name: 'a leaf signed by a leaf', shown: leafBelowLeaf(), roots: [root.der] },
    { name: 'a root of the same name and another key', shown: [leaf()], roots: [authority('root').der] },
    { name: 'no authorities', shown: [leaf()], roots: [] },
  ];
}

function leafBelowLeaf(): Buffer[] {
  const signer = authority('bob', { extensions: [basicConstraints(false), usages(forClients)] }, root);
  return [leaf({}, signer), signer.der];
}

function pathCases(): Chain[] {
  const expired = authority('middle', { to: day('260301000000Z') }, root);
  const middleKey = ecKey();
  const good = authority('middle', { key: middleKey }, root);
  const bad = authority('middle', { key: middleKey, ...authorityWith(usages(forServers)) }, root);
  const other = authority('other');
  const crossed = authority('root', { key: rootKey, subject: root.subject }, other);
  const links = Array.from({ length: 12 }, (_, index) => index).reduce<Authority[]>(
    (all, index) => [...all, authority(`link ${index}`, {}, all.at(-1) ?? root)],
    [],
  );
  const last = links.at(-1) ?? root;
  const names = Array.from({ length: 40 }, () => authority('middle', {}, root).der);
  return [
    { name: 'two ways up, one of them expired', shown: [leaf({}, good), expired.der, good.der], roots: [root.der] },
    { name: 'two ways up, one of them for servers', shown: [leaf({}, good), bad.der, good.der], roots: [root.der] },
    { name: 'two ways up, the good one shown last', shown: [leaf({}, good), good.der, bad.der], roots: [root.der] },
    { name: 'only the way for servers', shown: [leaf({}, good), bad.der], roots: [root.der] },
    { name: 'a root that another one signed', shown: [leaf(), crossed.der], roots: [other.der] },
    { name: 'a root that another one signed, and itself', shown: [leaf(), crossed.der], roots: [other.der, root.der] },
    { name: 'intermediates in the wrong order', shown: [leaf({}, last), ...links.map(({ der }) => der)], roots: [root.der] },
    {
      name: 'one link is missing',
      shown: [leaf({}, last), ...links.slice(0, 5).map(({ der }) => der), ...links.slice(6).map(({ der }) => der)],
      roots: [root.der],
    },
    { name: 'forty strangers of the right name before the right one', shown: [leaf({}, good), ...names, good.der], roots: [root.der] },
    { name: 'a hundred and ten strangers before the right one', shown: [leaf({}, good), ...names, ...strangers(70), good.der], roots: [root.der] },
    { name: 'the leaf twice', shown: [leaf(), leaf()], roots: [root.der] },
    { name: 'the root is shown too', shown: [leaf(), root.der], roots: [root.der] },
    { name: 'the root is shown and not trusted', shown: [leaf(), root.der], roots: [other.der] },
    { name: 'an intermediate that does not parse', shown: [leaf(), Buffer.from('3003020101', 'hex')], roots: [root.der] },
  ];
}

const strangers = (count: number) => Array.from({ length: count }, () => authority('middle', {}, root).der);

function timeCases(): Chain[] {
  const at = (name: string, time: string, parts: Partial<CertificateParts> = {}): Chain => ({ ...alone(name, parts), at: time });
  return [
    at('in the first second', '2026-01-01T00:00:00Z'),
    at('a second before the first', '2025-12-31T23:59:59Z'),
    at('in the last second', '2027-01-01T00:00:00Z'),
    at('a second after the last', '2027-01-01T00:00:01Z'),
    below('an intermediate that has expired', { to: day('260301000000Z') }),
    below('an intermediate that is not valid yet', { from: day('260701000000Z') }),
    alone('a root that has expired', {}, authority('old root', { to: day('260301000000Z') })),
    alone('a time with an offset', { from: day('260601010000+0200') }),
    alone('a time with an offset of zero', { from: day('260101000000+0000') }),
    alone('a time without seconds', { from: day('2601010000Z') }),
    alone('a general time', { to: day('20270101000000Z') }),
    alone('a general time with a fraction', { to: day('20270101000000.5Z') }),
    alone('a general time without a zone', { to: day('20270101000000') }),
    alone('the thirtieth of February', { from: day('260230000000Z') }),
    alone('the year 50 of the century', { from: day('500101000000Z'), to: day('491231235959Z') }),
    alone('a time that is a number', { to: integer(Buffer.of(1)) }),
  ];
}

function signatureCases(): Chain[] {
  const rsa = rsaKey();
  const rsaRoot = authority('rsa root', { key: rsa });
  const small = authority('small root', { key: rsaKey(512) });
  const medium = authority('medium root', { key: rsaKey(1024) });
  const ed = authority('ed root', { key: edKey() });
  const wide = authority('wide root', { key: ecKey('P-384') });
  const flipped = leaf();
  flipped[flipped.length - 3] = (flipped[flipped.length - 3] ?? 0) ^ 1;
  return [
    alone('RSA with SHA-256', {}, rsaRoot),
    alone('RSA with SHA-512', { algorithm: algorithms.rsaSha512 }, rsaRoot),
    alone('RSA with SHA-1', { algorithm: algorithms.rsaSha1 }, rsaRoot),
    alone('RSA with MD5', { algorithm: algorithms.rsaMd5 }, rsaRoot),
    alone('RSA PSS', { algorithm: algorithms.rsaPss }, rsaRoot),
    alone('RSA PSS of an odd salt', { algorithm: algorithms.rsaPssOddSalt }, rsaRoot),
    alone('RSA of 512 bits', {}, small),
    alone('RSA of 1024 bits', {}, medium),
    alone('ECDSA with SHA-1', { algorithm: algorithms.ecSha1 }),
    alone('ECDSA with SHA-384', { algorithm: algorithms.ecSha384 }),
    alone('Ed25519', {}, ed),
    alone('P-384', {}, wide),
    alone('a leaf with a key on P-224', { key: ecKey('secp224r1') }),
    alone('a leaf with a key on secp256k1', { key: ecKey('secp256k1') }),
    below('an intermediate signed with SHA-1', { algorithm: algorithms.ecSha1 }),
    alone('a root signed with SHA-1', {}, authority('weak root', { algorithm: algorithms.ecSha1 })),
    { name: 'one bit of the signature', shown: [flipped], roots: [root.der] },
    alone('another algorithm outside than inside', { outerAlgorithm: algorithms.ecSha384.identifier }),
    alone('an unknown algorithm', { algorithm: { ...algorithms.ecSha256, identifier: sequence(objectIdentifier('1.2.3.4')) } as never }),
    alone('an RSA key without parameters', {
      publicKey: sequence(sequence(objectIdentifier('1.2.840.113549.1.1.1')), bitString(Buffer.from('3006020101020103', 'hex'))),
    }),
    alone('a key of an unknown kind', { publicKey: sequence(sequence(objectIdentifier('1.2.3.4')), bitString(Buffer.of(1))) }),
  ];
}

function formCases(): Chain[] {
  const unknown = (isCritical: boolean) => extension('1.3.6.1.4.1.99999.7', utf8String('x'), isCritical);
  const plain = leaf();
  return [
    alone('an unknown extension', clientWith(unknown(false))),
    alone('an unknown critical extension', clientWith(unknown(true))),
    below('an unknown critical extension of an intermediate', authorityWith(unknown(true))),
    alone('an unknown critical extension of the root', {}, authority('odd root', authorityWith(unknown(true)))),
    alone('an extension twice', clientWith(unknown(false), unknown(false))),
    alone('usages twice', withExtensions(usages(forServers), usages(forClients))),
    alone('a negative serial number', { serial: tagged(2, Buffer.of(0x81)) }),
    alone('the serial number 0', { serial: integer(Buffer.of(0)) }),
    alone('a serial number longer than it needs to be', { serial: tagged(2, Buffer.of(0, 1)) }),
    alone('a serial number of thirty bytes', { serial: integer(Buffer.alloc(30, 7)) }),
    alone('version 4', { version: 4 }),
    alone('version 2 with extensions', { version: 2 }),
    alone('a critical subject key identifier', clientWith(extension('2.5.29.14', octetString(Buffer.of(1)), true))),
    alone('a critical authority key identifier', clientWith(extension('2.5.29.35', sequence(), true))),
    alone('key identifiers that do not fit', clientWith(extension('2.5.29.35', sequence(implicit(0, Buffer.of(9)))))),
    alone('a boolean that is neither', clientWith(extension('2.5.29.19', sequence(tagged(1, Buffer.of(1)))))),
    alone(
      'a critical extension that is marked so with 1',
      clientWith(sequence(objectIdentifier('1.2.3.4'), tagged(1, Buffer.of(1)), octetString(Buffer.of(5, 0)))),
    ),
    { name: 'bytes after the certificate', shown: [Buffer.concat([plain, Buffer.of(0)])], roots: [root.der] },
    { name: 'a certificate that is cut', shown: [plain.subarray(0, -1)], roots: [root.der] },
    { name: 'a length that is longer than it needs to be', shown: [longLength(plain)], roots: [root.der] },
    { name: 'an empty certificate', shown: [sequence()], roots: [root.der] },
  ];
}

/** The outer length in three bytes instead of two. */
function longLength(der: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x30, 0x83, 0), der.subarray(2, 4), der.subarray(4)]);
}

function subjectCases(): Chain[] {
  const organization = (value: Buffer) => ({ subject: nameOf([attribute('2.5.4.10', value)], [attribute('2.5.4.3', utf8String('alice'))]) });
  const bmp = (text: string) => tagged(0x1e, Buffer.from(text, 'utf16le').swap16());
  const wide = Buffer.concat([...'system:masters'].map((character) => Buffer.from([0, 0, 0, character.charCodeAt(0)])));
  return [
    alone('an organization in BMPString', organization(bmp('system:masters'))),
    alone('an organization in BMPString with a zero at its end', organization(bmp('system:masters\0'))),
    alone('an organization in BMPString with a surrogate', organization(bmp('a\ud83d\ude00'))),
    alone('an organization in BMPString of odd length', organization(tagged(0x1e, Buffer.of(0, 97, 0)))),
    alone('an organization in PrintableString', organization(tagged(0x13, 'system:masters'))),
    alone('an organization in PrintableString with an at sign', organization(tagged(0x13, 'a@b'))),
    alone('an organization in IA5String', organization(tagged(0x16, 'a@b'))),
    alone('an organization in IA5String with eight bits', organization(tagged(0x16, Buffer.of(0xe4)))),
    alone('an organization in T61String', organization(tagged(0x14, Buffer.of(0xe4, 0x62)))),
    alone('an organization in NumericString', organization(tagged(0x12, '12 3'))),
    alone('an organization in NumericString with letters', organization(tagged(0x12, '12a'))),
    alone('an organization in UTF8String that is none', organization(tagged(0x0c, Buffer.of(0xff)))),
    alone('an organization in UniversalString', organization(tagged(0x1c, wide))),
    alone('an organization that is a number', organization(integer(Buffer.of(1)))),
    alone('several attributes in one set', {
      subject: nameOf([attribute('2.5.4.3', utf8String('alice')), attribute('2.5.4.10', utf8String('a')), attribute('2.5.4.10', utf8String('b'))]),
    }),
    alone('two common names', { subject: nameOf([attribute('2.5.4.3', utf8String('alice'))], [attribute('2.5.4.3', utf8String('bob'))]) }),
    alone('an empty set', { subject: nameOf([], [attribute('2.5.4.3', utf8String('alice'))]) }),
    alone('no subject', { subject: sequence() }),
    alone('a name with a newline and an equals sign', { subject: named('a\nO=system:masters', 'x + O=y') }),
    alone('an identifier with a number of 32 bits', { subject: nameOf([sequence(tagged(6, Buffer.from('2a8fffffff7f', 'hex')), utf8String('x'))]) }),
  ];
}

function constraintCases(): Chain[] {
  const net = (...bytes: readonly number[]) => address(...bytes);
  const allowing = (...trees: readonly Buffer[]) => authorityWith(constraints(trees));
  const refusing = (...trees: readonly Buffer[]) => authorityWith(constraints([], trees));
  const client = (...names: readonly Buffer[]) => clientWith(alternatives(...names));
  return [
    below('a permitted name', allowing(dns('example.com')), client(dns('a.example.com'))),
    below('a permitted name itself, in capitals', allowing(dns('example.com')), client(dns('EXAMPLE.com'))),
    below('a name that only ends alike', allowing(dns('example.com')), client(dns('badexample.com'))),
    below('a name that is not permitted', allowing(dns('example.com')), client(dns('example.org'))),
    below('a constraint with a dot and the name itself', allowing(dns('.example.com')), client(dns('example.com'))),
    below('an excluded name', refusing(dns('example.com')), client(dns('a.example.com'))),
    below('a wildcard over an excluded name', refusing(dns('a.example.com')), client(dns('*.example.com'))),
    below('everything excluded', refusing(dns('')), client(dns('example.com'))),
    below('constraints and a leaf without names', allowing(dns('example.com'))),
    below('a permitted address', allowing(net(10, 0, 0, 0, 255, 0, 0, 0)), client(address(10, 1, 2, 3))),
    below('an address that is not permitted', allowing(net(10, 0, 0, 0, 255, 0, 0, 0)), client(address(11, 1, 2, 3))),
    below('an excluded address', refusing(net(10, 0, 0, 0, 255, 0, 0, 0)), client(address(10, 1, 2, 3))),
    below('an address where only names are constrained', allowing(dns('example.com')), client(address(10, 1, 2, 3))),
    below('a mask with holes', allowing(net(10, 0, 0, 0, 255, 0, 255, 0)), client(address(10, 1, 2, 3))),
    below('a permitted mailbox', allowing(email('alice@example.com')), client(email('alice@EXAMPLE.com'))),
    below('another mailbox', allowing(email('alice@example.com')), client(email('bob@example.com'))),
    below('a mailbox of a permitted host', allowing(email('example.com')), client(email('"a b"@example.com'))),
    below('a mailbox that is none', allowing(email('example.com')), client(email('example.com'))),
    below('a permitted URI', allowing(uri('example.com')), client(uri('spiffe://a.example.com/x'))),
    below('a URI with a port that is not permitted', allowing(uri('example.com')), client(uri('https://example.org:443/x'))),
    below('a URI without a host where names are constrained', allowing(dns('example.com')), client(uri('urn:x'))),
    below('a URI with an address where names are constrained', allowing(dns('example.com')), client(uri('https://10.0.0.1/'))),
    below('a subtree of another kind, critical', allowing(implicit(8, Buffer.of(42)))),
    below('a subtree of another kind, not critical', authorityWith(constraints([implicit(8, Buffer.of(42))], [], false))),
    below('constraints that say nothing', authorityWith(extension('2.5.29.30', sequence(), true))),
    alone('constraints of the root', client(dns('example.org')), authority('narrow root', allowing(dns('example.com')))),
    alone('an alternative name with eight bits', client(implicit(2, Buffer.of(0xe4)))),
    alone('an address of five bytes', client(address(1, 2, 3, 4, 5))),
    alone('a URI that is none', client(uri('https://a b/'))),
    alone('critical alternative names of an unknown kind', clientWith(extension('2.5.29.17', sequence(implicit(8, Buffer.of(42))), true))),
  ];
}

function policyCases(): Chain[] {
  const [one, other, any] = ['1.2.3.4', '1.2.3.5', '2.5.29.32.0'];
  const demanding = (...more: readonly Buffer[]) => authorityWith(policyConstraints(0), ...more);
  return [
    below('a policy that is demanded and there', demanding(policies(one)), clientWith(policies(one))),
    below('a policy that is demanded and another there', demanding(policies(one)), clientWith(policies(other))),
    below('a policy that is demanded and none there', demanding(policies(one))),
    below('no policies above a demand', demanding(), clientWith(policies(one))),
    below('any policy above', demanding(policies(any)), clientWith(policies(one))),
    below('a policy that is mapped', demanding(policies(one), policyMapping(one, other)), clientWith(policies(other))),
    below('a mapping of any policy', authorityWith(policies(one), policyMapping(any, other)), clientWith(policies(other))),
    below('policies that nobody demands', authorityWith(policies(one)), clientWith(policies(other))),
    below('a policy twice', authorityWith(policies(one, one)), clientWith(policies(one))),
  ];
}

export function chainTable(): readonly Chain[] {
  return [usageCases, authorityCases, pathCases, timeCases, signatureCases, formCases, subjectCases, constraintCases, policyCases].flatMap((cases) => cases());
}
