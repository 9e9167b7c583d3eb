// Names of subjects and issuers, read as Go's crypto/x509 reads them.
import { isUtf8 } from 'node:buffer';
import { type DerReader, MalformedError, tags } from '#base/pki/der-reader.ts';

export interface NameAttribute {
  /** Dotted. */
  readonly type: string;
  /** Undefined: not a string, or one of a kind that Go does not read. */
  readonly value: string | undefined;
}

/** In their order, the sets of several flattened as pkix.Name does it. */
export type DistinguishedName = readonly NameAttribute[];

const commonNameType = '2.5.4.3';
const organizationType = '2.5.4.10';

/** The last one counts, as in Go. */
export function commonNameOf(name: DistinguishedName): string {
  return valuesOf(name, commonNameType).at(-1) ?? '';
}

export function organizationsOf(name: DistinguishedName): readonly string[] {
  return valuesOf(name, organizationType);
}

export function valuesOf(name: DistinguishedName, type: string): readonly string[] {
  return name.flatMap((attribute) => (attribute.type === type && attribute.value !== undefined ? attribute.value : []));
}

/** The name of a certificate: every value must be a string of a known kind. */
export function readName(reader: DerReader): DistinguishedName {
  return readAttributes(reader, () => true);
}

/**
 * The name in a certificate request. Go ignores values of kinds that it does not know; for the two attributes that say who
 * somebody is, a signer that reads more than Go would see what nothing here had judged, so there they are refused.
 */
export function readRequestedName(reader: DerReader): DistinguishedName {
  return readAttributes(reader, (type) => type === commonNameType || type === organizationType);
}

function readAttributes(reader: DerReader, mustBeString: (type: string) => boolean): DistinguishedName {
  const problem = 'x509: invalid RDNSequence';
  const attributes: NameAttribute[] = [];
  for (const sets = reader.inside(tags.sequence, problem); !sets.isEmpty; ) {
    for (const set = sets.inside(tags.set, problem); !set.isEmpty; ) {
      const attribute = set.inside(tags.sequence, `${problem}: invalid attribute`);
      const type = attribute.objectIdentifier(`${problem}: invalid attribute type`);
      const { tag, content } = attribute.element(`${problem}: invalid attribute value`);
      const value = stringOf(tag, content);
      if (value === undefined && mustBeString(type)) throw new MalformedError(`${problem}: invalid attribute value: unsupported string type: ${tag}`);
      attributes.push({ type, value });
    }
  }
  return attributes;
}

type StringReader = (bytes: Buffer) => string | undefined;

const matching =
  (pattern: RegExp): StringReader =>
  (bytes) => {
    const text = bytes.toString('latin1');
    return pattern.test(text) ? text : undefined;
  };

/** T.61 is read as Latin-1, and `*` and `&` are taken for printable: so does Go. */
const readers: Readonly<Record<number, { readonly kind: string; readonly read: StringReader }>> = {
  [tags.utf8String]: { kind: 'UTF-8 string', read: (bytes) => (isUtf8(bytes) ? bytes.toString() : undefined) },
  [tags.printableString]: { kind: 'PrintableString', read: matching(/^[A-Za-z0-9'()+,\-./ :=?*&]*$/) },
  [tags.ia5String]: { kind: 'IA5String', read: matching(/^[\x00-\x7f]*$/) },
  [tags.numericString]: { kind: 'NumericString', read: matching(/^[0-9 ]*$/) },
  [tags.t61String]: { kind: 'T61String', read: (bytes) => bytes.toString('latin1') },
  [tags.bmpString]: { kind: 'BMPString', read: bmpText },
};

function stringOf(tag: number, bytes: Buffer): string | undefined {
  const reader = readers[tag];
  if (reader === undefined) return undefined;
  const text = reader.read(bytes);
  if (text === undefined) throw new MalformedError(`x509: invalid RDNSequence: invalid attribute value: invalid ${reader.kind}`);
  return text;
}

/** Two bytes a character, the high one first; no surrogates, no noncharacters; a zero at the end is cut. */
function bmpText(bytes: Buffer): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const text = Buffer.from(bytes).swap16().toString('utf16le');
  const cut = text.endsWith('\0') ? text.slice(0, -1) : text;
  for (let index = 0; index < cut.length; index++) {
    const unit = cut.charCodeAt(index);
    if ((unit >= 0xd800 && unit <= 0xdfff) || (unit >= 0xfdd0 && unit <= 0xfdef) || unit >= 0xfffe) return undefined;
  }
  return cut;
}
