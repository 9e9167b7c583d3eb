// Names beside the subject (subject alternative names) and the trees of names that an authority may vouch for (name constraints).
import { isIP } from 'node:net';
import { parseGoUrl } from '#base/go-url.ts';
import { constructed, DerReader, MalformedError, primitive, tags } from '#base/pki/der-reader.ts';
import { parseMailbox } from '#base/pki/mailbox.ts';

export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly addresses: readonly Buffer[];
  readonly uris: readonly string[];
  /** The host of each URI, as Go's url.URL has it; empty for one without. */
  readonly uriHosts: readonly string[];
}

export const noAlternativeNames: AlternativeNames = { dns: [], emails: [], addresses: [], uris: [], uriHosts: [] };

export interface AddressRange {
  readonly address: Buffer;
  readonly mask: Buffer;
}

/** Subtrees of one list: permitted ones, or excluded ones. */
export interface NameSubtrees {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly ranges: readonly AddressRange[];
  readonly uris: readonly string[];
}

export interface NameConstraints {
  readonly permitted: NameSubtrees;
  readonly excluded: NameSubtrees;
  /** Subtrees of a kind that is not judged here; where the extension is critical the certificate is of no use. */
  readonly hasUnknown: boolean;
}

const kinds = { email: primitive(1), dns: primitive(2), uri: primitive(6), address: primitive(7) } as const;

export function readAlternativeNames(der: Buffer): AlternativeNames {
  const found = { dns: [] as string[], emails: [] as string[], addresses: [] as Buffer[], uris: [] as string[], uriHosts: [] as string[] };
  for (const names = new DerReader(der).inside(tags.sequence, 'x509: invalid subject alternative names'); !names.isEmpty; ) {
    const { tag, content } = names.element('x509: invalid subject alternative name');
    if (tag === kinds.email) found.emails.push(asciiOf(content, 'x509: SAN rfc822Name is malformed'));
    else if (tag === kinds.dns) found.dns.push(asciiOf(content, 'x509: SAN dNSName is malformed'));
    else if (tag === kinds.uri) {
      const uri = asciiOf(content, 'x509: SAN uniformResourceIdentifier is malformed');
      found.uris.push(uri);
      found.uriHosts.push(hostOfUri(uri));
    } else if (tag === kinds.address) {
      if (content.length !== 4 && content.length !== 16) throw new MalformedError(`x509: cannot parse IP address of length ${content.length}`);
      found.addresses.push(content);
    }
  }
  return found;
}

function hostOfUri(uri: string): string {
  const url = parseGoUrl(uri);
  if ('problem' in url) throw new MalformedError(`x509: cannot parse URI ${JSON.stringify(uri)}: ${url.problem}`);
  if (!isDomain(url.host)) throw new MalformedError(`x509: cannot parse URI ${JSON.stringify(uri)}: invalid domain`);
  return url.host;
}

export function readNameConstraints(der: Buffer): NameConstraints {
  const problem = 'x509: invalid NameConstraints extension';
  const outer = new DerReader(der);
  const lists = outer.inside(tags.sequence, problem);
  const permitted = lists.optional(constructed(0), problem) ?? Buffer.alloc(0);
  const excluded = lists.optional(constructed(1), problem) ?? Buffer.alloc(0);
  if (!outer.isEmpty || !lists.isEmpty) throw new MalformedError(problem);
  if (permitted.length === 0 && excluded.length === 0) throw new MalformedError('x509: empty name constraints extension');
  const [allowed, refused] = [readSubtrees(permitted), readSubtrees(excluded)];
  return { permitted: allowed.subtrees, excluded: refused.subtrees, hasUnknown: allowed.hasUnknown || refused.hasUnknown };
}

function readSubtrees(der: Buffer): { readonly subtrees: NameSubtrees; readonly hasUnknown: boolean } {
  const subtrees = { dns: [] as string[], emails: [] as string[], ranges: [] as AddressRange[], uris: [] as string[] };
  let hasUnknown = false;
  for (const list = new DerReader(der); !list.isEmpty; ) {
    const { tag, content } = list.inside(tags.sequence, 'x509: invalid NameConstraints extension').element('x509: invalid NameConstraints extension');
    if (tag === kinds.dns) subtrees.dns.push(domainOf(content, 'dnsName'));
    else if (tag === kinds.address) subtrees.ranges.push(rangeOf(content));
    else if (tag === kinds.email) subtrees.emails.push(mailConstraint(content));
    else if (tag === kinds.uri) subtrees.uris.push(uriConstraint(content));
    else hasUnknown = true;
  }
  return { subtrees, hasUnknown };
}

function domainOf(content: Buffer, kind: string): string {
  const domain = asciiOf(content, 'x509: invalid constraint value');
  if (!isDomain(domain.startsWith('.') && domain.length > 1 ? domain.slice(1) : domain)) {
    throw new MalformedError(`x509: failed to parse ${kind} constraint ${JSON.stringify(domain)}`);
  }
  return domain;
}

function mailConstraint(content: Buffer): string {
  const text = asciiOf(content, 'x509: invalid constraint value');
  if (!text.includes('@')) return domainOf(content, 'rfc822Name');
  if (parseMailbox(text) === undefined) throw new MalformedError(`x509: failed to parse rfc822Name constraint ${JSON.stringify(text)}`);
  return text;
}

function uriConstraint(content: Buffer): string {
  const domain = domainOf(content, 'URI');
  if (isIP(domain) !== 0) throw new MalformedError(`x509: failed to parse URI constraint ${JSON.stringify(domain)}: cannot be IP address`);
  return domain;
}

function rangeOf(content: Buffer): AddressRange {
  if (content.length !== 8 && content.length !== 32) throw new MalformedError(`x509: IP constraint contained value of length ${content.length}`);
  const [address, mask] = [content.subarray(0, content.length / 2), content.subarray(content.length / 2)];
  const bits = [...mask].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  if (/01/.test(bits)) throw new MalformedError(`x509: IP constraint contained invalid mask ${mask.toString('hex')}`);
  return { address, mask };
}

/** What Go takes for a domain: printable labels that are not empty, no dot at the end; the empty text too. */
export function isDomain(text: string): boolean {
  return text === '' || (/^[!-~]+$/.test(text) && text.split('.').every((label) => label !== ''));
}

function asciiOf(bytes: Buffer, problem: string): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new MalformedError(problem);
  return bytes.toString('latin1');
}
