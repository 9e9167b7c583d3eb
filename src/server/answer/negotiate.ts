// Which form the client wants to read, and which form it has sent.
import { ApiError } from '#api/api-error.ts';
import { trimBlanks } from '#base/trim-blanks.ts';
import { acceptedParts, parseAccept, type AcceptClause } from '#server/answer/accept-header.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { parseMediaType } from '#server/answer/media-type.ts';

export type Format = 'json' | 'yaml' | 'protobuf' | 'cbor';

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
  /** What writes CBOR, where that was chosen. */
  readonly cbor?: Cbor | undefined;
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
  /** There where CBOR is one of the formats. */
  readonly cbor?: Cbor;
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
  cbor: 'application/cbor',
};

/** Of a watch: items of CBOR need nothing between them. */
export const streamTypes: Readonly<Partial<Record<Format, string>>> = {
  json: 'application/json',
  protobuf: 'application/vnd.kubernetes.protobuf;stream=watch',
  cbor: 'application/cbor-seq',
};

const allFormats: readonly Format[] = ['json', 'yaml', 'protobuf'];
const withCbor: readonly Format[] = [...allFormats, 'cbor'];

/** Status, discovery and other documents that come only as what they are. */
export const plainOffer: Offer = { formats: allFormats, allows: (_, as) => as === undefined };

/** Objects and lists of a resource: also as Table (in JSON and YAML) and as PartialObjectMetadata. */
export const objectOffer: Offer = { formats: allFormats, allows: (format, as) => as === undefined || isObjectTransform(format, as) };

/** Where the original knows no Table. */
export const tablelessOffer: Offer = { formats: allFormats, allows: (format, as) => as?.kind !== 'Table' && objectOffer.allows(format, as) };

/** Custom resources know no protobuf of their own, only in the forms of meta.k8s.io. */
export const customObjectOffer: Offer = {
  formats: allFormats,
  allows: (format, as) => (as === undefined ? format !== 'protobuf' : isObjectTransform(format, as)),
};

/** What is served of resources, in which forms. */
export interface ResourceOffers {
  readonly plain: Offer;
  readonly object: Offer;
  readonly tableless: Offer;
  readonly custom: Offer;
  /** What errors come in, once a request has found its resource. */
  readonly formats: readonly Format[];
  /** Watches: no YAML. */
  readonly watch: Offer;
  readonly customWatch: Offer;
}

/** Resources are served as CBOR too, where there is something to write it with. */
export function resourceOffers(cbor: Cbor | undefined): ResourceOffers {
  const formats = cbor === undefined ? allFormats : withCbor;
  const served = (offer: Offer): Offer => (cbor === undefined ? offer : { ...offer, formats, cbor });
  const watched = { formats: formats.filter((format) => format !== 'yaml'), streams: true };
  return {
    plain: served(plainOffer),
    object: served(objectOffer),
    tableless: served(tablelessOffer),
    custom: served(customObjectOffer),
    formats,
    watch: { ...served(objectOffer), ...watched },
    customWatch: { ...served(customObjectOffer), ...watched },
  };
}

/** The best form that client and endpoint have in common; throws 406 when there is none. */
export function negotiate(wishes: Wishes, offer: Offer): Representation {
  const found = findRepresentation(wishes, offer);
  if (found === undefined) throw notAcceptable(`only the following media types are accepted: ${typesOf(offer).join(', ')}`);
  return found;
}

/** Like `negotiate`, for answers that must be given in any case: errors. */
export function negotiateOrJson(wishes: Wishes, offer: Offer = plainOffer): Representation {
  return findRepresentation(wishes, offer) ?? prettyJson;
}

/**
 * The first look, before the request is handled: does any clause name one of our media types at all?
 * Upstream does this when it picks a route, and refuses in other words than `negotiate`.
 */
export function refuseUnknownAccept({ headers }: Wishes, kind: 'single' | 'collection', formats: readonly Format[] = allFormats): void {
  const accept = acceptOf(headers);
  if (accept === '' || accept === mediaTypes.json) return;
  refuseUnproduced(headers, [...namesOf(formats), ...(kind === 'collection' ? streamNamesOf(formats) : [])]);
}

/** The same for documents with media types of their own. */
export function refuseUnproduced(headers: Wishes['headers'], produces: readonly string[]): void {
  const accept = acceptOf(headers);
  if (accept === '' || acceptedParts(accept).some((clause) => isProduced(clause, produces))) return;
  throw new ApiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${produces.join(', ')}`, { details: {} });
}

/** The form of a request body; throws 415. */
export function formatOfBody(headers: Wishes['headers'], formats: readonly Format[] = allFormats): Format {
  const contentType = headers['content-type'];
  if (typeof contentType !== 'string' || contentType === '') return 'json';
  const type = parseMediaType(contentType);
  const found = formats.find((format) => mediaTypes[format] === type);
  if (found === undefined) throw unsupportedMediaType(namesOf(formats));
  return found;
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

/** `?pretty=` wins; without it the tools with which people look at answers get them indented. */
export function wantsPretty({ headers, query }: Wishes): boolean {
  const asked = query.get('pretty') ?? '';
  if (asked !== '') return /^(1|t|T|TRUE|true|True)$/.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(String(headers['user-agent'] ?? ''));
}

function namesOf(formats: readonly Format[]): readonly string[] {
  return formats.map((format) => mediaTypes[format]);
}

function streamNamesOf(formats: readonly Format[]): readonly string[] {
  return formats.filter((format) => format !== 'yaml').map((format) => (format === 'cbor' ? 'application/cbor-seq' : `${mediaTypes[format]};stream=watch`));
}

const plainJson: Representation = { format: 'json', pretty: false, stream: false, profile: '' };
const prettyJson: Representation = { ...plainJson, pretty: true };

function findRepresentation(wishes: Wishes, offer: Offer): Representation | undefined {
  const accept = acceptOf(wishes.headers);
  // Nearly every request; the general way would give the same.
  if (accept === '' || accept === mediaTypes.json || accept === '*/*') return wantsPretty(wishes) ? prettyJson : plainJson;
  for (const clause of parseAccept(accept)) {
    const format = offer.formats.find((candidate) => isWanted(candidate, clause) && isPossible(candidate, clause, offer));
    if (format !== undefined) return representationOf(format, clause, wishes, offer);
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

function representationOf(format: Format, clause: AcceptClause, wishes: Wishes, { cbor }: Offer): Representation {
  const as = wantedOf(clause);
  return {
    format,
    ...(as !== undefined && { as }),
    pretty: clause.parameters.get('pretty') === '1' || wantsPretty(wishes),
    stream: clause.parameters.has('stream'),
    profile: clause.parameters.get('profile') ?? '',
    ...(format === 'cbor' && { cbor }),
  };
}

function isObjectTransform(format: Format, { group, version, kind }: Wanted): boolean {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false;
  return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList' || (kind === 'Table' && (format === 'json' || format === 'yaml'));
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
  return streams ? streamNamesOf(formats) : namesOf(formats);
}

export function notAcceptable(message: string): ApiError {
  return new ApiError(406, 'NotAcceptable', message);
}

function acceptOf(headers: Wishes['headers']): string {
  const accept = headers['accept'];
  return typeof accept === 'string' ? accept : '';
}

/** Of the kinds that objects are shown as. */
export function metaVersion({ as }: Representation): string {
  return `meta.k8s.io/${as?.version || 'v1'}`;
}
