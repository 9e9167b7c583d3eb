// Which names an authority may vouch for: the names of every certificate in a chain against the constraints of those above it.
import { isIP } from 'node:net';
import type { Certificate } from '#base/pki/certificate.ts';
import { type AddressRange, isDomain, type NameConstraints, type NameSubtrees } from '#base/pki/general-names.ts';
import { type Mailbox, parseMailbox } from '#base/pki/mailbox.ts';

/** More comparisons than this refuse the chain: the number of names times the number of constraints is up to who made the certificates. */
const maxComparisons = 250_000;

/** `chain` starts with the leaf. */
export function constraintsAllow(chain: readonly Certificate[]): boolean {
  const budget = { left: maxComparisons };
  return chain.every((certificate, index) => {
    const above = chain.slice(index + 1).flatMap(({ nameConstraints }) => nameConstraints ?? []);
    if (certificate.alternativeNames === undefined || above.length === 0) return true;
    const names = comparableNames(certificate.alternativeNames);
    return names !== undefined && above.every((constraints) => allows(constraints, names, budget));
  });
}

interface ComparableNames {
  readonly dns: readonly string[];
  readonly uris: readonly string[];
  readonly mailboxes: readonly Mailbox[];
  readonly addresses: readonly Buffer[];
}

/** Undefined: one of the names cannot be compared with anything. */
function comparableNames({ dns, emails, addresses, uriHosts }: NonNullable<Certificate['alternativeNames']>): ComparableNames | undefined {
  const mailboxes = emails.map(parseMailbox);
  const uris = uriHosts.map(domainOfHost);
  if (mailboxes.includes(undefined) || uris.includes(undefined) || !dns.every(isDomain)) return undefined;
  return { dns: dns.map(lowerCase), addresses, mailboxes: mailboxes as Mailbox[], uris: uris as string[] };
}

/** Addresses are no domains; a port is cut. */
function domainOfHost(host: string): string | undefined {
  const parts = /^([^:[\]]+)(?::[^:[\]]*)?$/.exec(host);
  const domain = lowerCase(parts?.[1] ?? '');
  return domain === '' || isIP(domain) !== 0 || !isDomain(domain) ? undefined : domain;
}

interface Budget {
  left: number;
}

function allows({ permitted, excluded }: NameConstraints, names: ComparableNames, budget: Budget): boolean {
  const check = <Name>(found: readonly Name[], kind: keyof NameSubtrees, matches: (subtrees: NameSubtrees, name: Name, isExcluded: boolean) => boolean) =>
    found.every((name) => {
      budget.left -= permitted[kind].length + excluded[kind].length;
      if (budget.left < 0) return false;
      return (permitted[kind].length === 0 || matches(permitted, name, false)) && !matches(excluded, name, true);
    });
  return (
    check(names.addresses, 'ranges', ({ ranges }, address) => ranges.some((range) => contains(range, address))) &&
    check(names.dns, 'dns', ({ dns }, name, isExcluded) => matchesDomain(dns, name, isExcluded)) &&
    check(names.uris, 'uris', ({ uris }, name, isExcluded) => matchesDomain(uris, name, isExcluded)) &&
    check(names.mailboxes, 'emails', ({ emails }, mailbox, isExcluded) => matchesMailbox(emails, mailbox, isExcluded))
  );
}

function matchesDomain(constraints: readonly string[], name: string, isExcluded: boolean): boolean {
  return constraints.some((constraint) => isBelow(lowerCase(constraint), name) || (isExcluded && coversWildcard(lowerCase(constraint), name)));
}

/** A constraint with a dot in front means names below it only. */
function isBelow(constraint: string, name: string): boolean {
  if (constraint === '') return true;
  return name.endsWith(constraint) && (name.length === constraint.length || constraint.startsWith('.') || name.at(-constraint.length - 1) === '.');
}

/** `*.example.com` stands for the excluded `a.example.com` too. */
function coversWildcard(constraint: string, name: string): boolean {
  const dot = constraint.indexOf('.');
  return name.startsWith('*') && dot >= 0 && name.includes('.') && name.slice(name.indexOf('.')) === constraint.slice(dot);
}

function matchesMailbox(constraints: readonly string[], { local, domain }: Mailbox, isExcluded: boolean): boolean {
  const domains = constraints.filter((constraint) => !constraint.includes('@'));
  const isNamed = constraints.some((constraint) => {
    const named = constraint.includes('@') ? parseMailbox(constraint) : undefined;
    return named?.local === local && named.domain === domain;
  });
  return isNamed || matchesDomain(domains, domain, isExcluded);
}

/** Addresses of version 4 in the form of version 6 are taken for what they are, as Go's net.IPNet does. */
function contains(range: AddressRange, address: Buffer): boolean {
  if (range.address.length !== address.length) return false;
  const [network, wanted] = [shortest(range.address), shortest(address)];
  const mask = range.mask.subarray(range.mask.length - network.length);
  return network.length === wanted.length && network.every((byte, index) => (byte & (mask[index] ?? 0)) === ((wanted[index] ?? 0) & (mask[index] ?? 0)));
}

function shortest(address: Buffer): Buffer {
  const mapped = address.length === 16 && address.subarray(0, 12).equals(Buffer.from('00000000000000000000ffff', 'hex'));
  return mapped ? address.subarray(12) : address;
}

function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
