// Which form the client wants to read, and which form it has sent.
import { ApiError } from '#api/api-error.ts';
import { trimBlanks } from '#base/trim-blanks.ts';
import { acceptedParts, parseAccept, type AcceptClause } from '#server/answer/accept-header.ts';
import { parseMediaType } from '#server/answer/media-type.ts';

export type Format = 'json' | 'yaml' | 'protobuf';

/** The form of an answer. */
export interface Representation {
  readonly format: Format;
  /** Another kind than the object's own: Table, PartialObjectMetadata … */
  readonly as?: Wanted;
  /** Indented for people. */
  readonly pretty: boolean;
  /** The client asked for `stream=watch` by name. */
  readonly stream: boolean;
  /** `nopeer` and the like; only discovery looks at it. */
  readonly profile: string;
}

/** What of a request decides its representation; an Exchange is one. */
export interface Wishes {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
}

/** What an endpoint can answer with. */
export interface Offer {
  readonly formats: readonly Format[];
  /** `as` is what the client wants the object turned into, undefined for the object itself. */
  readonly allows: (format: Format, as: Wanted | undefined) => boolean;
  /** Watches name the stream forms of their media types. */
  readonly streams?: boolean;
}

export interface Wanted {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const mediaTypes: Readonly<Record<Format, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

const allFormats: readonly Format[] = ['json', 'yaml', 'protobuf'];
const streamTypes = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** Status, discovery and other documents that come only as what they are. */
export const plainOffer: Offer = { formats: allFormats, allows: (_, as) => as === undefined };

/** Objects and lists of a resource: also as Table (not in protobuf) and as PartialObjectMetadata. */
export const objectOffer: Offer = { formats: allFormats, allows: (format, as) => as === undefined || isObjectTransform(format, as) };

/** Where the original knows no Table. */
export const tablelessOffer: Offer = { formats: allFormats, allows: (format, as) => as?.kind !== 'Table' && objectOffer.allows(format, as) };

/** Custom resources know no protobuf of their own, only in the forms of meta.k8s.io. */
export const customObjectOffer: Offer = {
  formats: allFormats,
  allows: (format, as) => (as === undefined ? format !== 'protobuf' : isObjectTransform(format, as)),
};

/** Watches: no YAML. */
export const watchOffer: Offer = { formats: ['json', 'protobuf'], streams: true, allows: objectOffer.allows };
export const customWatchOffer: Offer = { formats: ['json', 'protobuf'], streams: true, allows: customObjectOffer.allows };

/** The best form that client and endpoint have in common; throws 406 when there is none. */
export function negotiate(wishes: Wishes, offer: Offer): Representation {
  const found = findRepresentation(wishes, offer);
  if (found === undefined) throw notAcceptable(`only the following media types are accepted: ${typesOf(offer).join(', ')}`);
  return found;
}

/** Like `negotiate`, for answers that must be given in any case: errors. */
export function negotiateOrJson(wishes: Wishes): Representation {
  return findRepresentation(wishes, plainOffer) ?? prettyJson;
}

/**
 * The first look, before the request is handled: does any clause name one of our media types at all?
 * Upstream does this when it picks a route, and refuses in other words than `negotiate`.
 */
export function refuseUnknownAccept({ headers }: Wishes, kind: 'single' | 'collection', produces: readonly string[] = defaultProduces): void {
  const accept = acceptOf(headers);
  if (accept === '' || acceptedParts(accept).some((clause) => isProduced(clause, produces))) return;
  const available = [...produces, ...(kind === 'collection' ? streamTypes : [])].join(', ');
  throw new ApiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, { details: {} });
}

/** The form of a request body; throws 415. */
export function formatOfBody(headers: Wishes['headers']): Format {
  const contentType = headers['content-type'];
  if (typeof contentType !== 'string' || contentType === '') return 'json';
  const found = allFormats.find((format) => mediaTypes[format] === parseMediaType(contentType));
  if (found === undefined) throw unsupportedMediaType();
  return found;
}

export function unsupportedMediaType(accepted: readonly string[] = defaultProduces): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

/** `?pretty=` wins; without it the tools with which people look at answers get them indented. */
export function wantsPretty({ headers, query }: Wishes): boolean {
  const asked = query.get('pretty') ?? '';
  if (asked !== '') return /^(1|t|T|TRUE|true|True)$/.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(String(headers['user-agent'] ?? ''));
}

const defaultProduces: readonly string[] = allFormats.map((format) => mediaTypes[format]);
const plainJson: Representation = { format: 'json', pretty: false, stream: false, profile: '' };
const prettyJson: Representation = { ...plainJson, pretty: true };

function findRepresentation(wishes: Wishes, offer: Offer): Representation | undefined {
  const accept = acceptOf(wishes.headers);
  // Nearly every request; the general way would give the same.
  if (accept === '' || accept === mediaTypes.json || accept === '*/*') return wantsPretty(wishes) ? prettyJson : plainJson;
  for (const clause of parseAccept(accept)) {
    const format = offer.formats.find((candidate) => isWanted(candidate, clause) && isPossible(candidate, clause, offer));
    if (format !== undefined) return representationOf(format, clause, wishes);
  }
  return undefined;
}

function isPossible(format: Format, clause: AcceptClause, offer: Offer): boolean {
  const stream = clause.parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || format === 'yaml')) return false;
  return (clause.parameters.get('sv') ?? 'v1') === 'v1' && offer.allows(format, wantedOf(clause));
}

function wantedOf({ parameters }: AcceptClause): Wanted | undefined {
  if (!parameters.has('g') && !parameters.has('v') && !parameters.has('as')) return undefined;
  return { group: parameters.get('g') ?? '', version: parameters.get('v') ?? '', kind: parameters.get('as') ?? '' };
}

function representationOf(format: Format, clause: AcceptClause, wishes: Wishes): Representation {
  const as = wantedOf(clause);
  return {
    format,
    ...(as !== undefined && { as }),
    pretty: clause.parameters.get('pretty') === '1' || wantsPretty(wishes),
    stream: clause.parameters.has('stream'),
    profile: clause.parameters.get('profile') ?? '',
  };
}

function isObjectTransform(format: Format, { group, version, kind }: Wanted): boolean {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false;
  return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList' || (kind === 'Table' && format !== 'protobuf');
}

function isWanted(format: Format, { type, subtype }: AcceptClause): boolean {
  if (type === '*' && subtype === '*') return true;
  return type === 'application' && (subtype === '*' || `application/${subtype}` === mediaTypes[format]);
}

function isProduced(clause: string, produces: readonly string[]): boolean {
  const type = trimBlanks(clause.split(';', 1)[0] ?? '');
  return type === '*/*' || produces.includes(type);
}

function typesOf({ formats, streams }: Offer): readonly string[] {
  return streams ? streamTypes : formats.map((format) => mediaTypes[format]);
}

export function notAcceptable(message: string): ApiError {
  return new ApiError(406, 'NotAcceptable', message);
}

function acceptOf(headers: Wishes['headers']): string {
  const accept = headers['accept'];
  return typeof accept === 'string' ? accept : '';
}
