// In which forms a resource takes bodies and patches: what the client says about its body, compared with what is served here.
import { ApiError } from '#api/api-error.ts';
import type { PatchFormat, ResourceDefinition } from '#resource/definition.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { formatOfBody, refuseUnknownAccept, type ResourceOffers, unsupportedMediaType } from '#server/answer/negotiate.ts';
import type { Exchange } from '#server/front/exchange.ts';
import type { Body } from '#verbs/body.ts';
import type { PatchType } from '#verbs/compute-patch.ts';

export interface Patch {
  readonly type: PatchType | 'apply';
  readonly body: Body;
}

interface PatchForm {
  readonly type: PatchType | 'apply';
  readonly mediaType: 'json' | 'yaml' | 'cbor';
}

const maxBodyBytes = 3 * 1024 * 1024;

const patchForms: Readonly<Record<string, PatchForm>> = {
  'application/json-patch+json': { type: 'json', mediaType: 'json' },
  'application/merge-patch+json': { type: 'merge', mediaType: 'json' },
  'application/strategic-merge-patch+json': { type: 'strategic', mediaType: 'json' },
  'application/apply-patch+yaml': { type: 'apply', mediaType: 'yaml' },
};

export class RequestForms {
  readonly #offers: ResourceOffers;
  readonly #cbor: Cbor | undefined;
  readonly #patches: Readonly<Record<string, PatchForm>>;

  constructor(offers: ResourceOffers, cbor: Cbor | undefined) {
    this.#offers = offers;
    this.#cbor = cbor;
    this.#patches = cbor === undefined ? patchForms : { ...patchForms, 'application/apply-patch+cbor': { type: 'apply', mediaType: 'cbor' } };
  }

  /** What a router looks at before it has picked a handler, and what a handler looks at itself. */
  refuseUnknown(exchange: Exchange, { refusals, patchFormats }: ResourceDefinition): void {
    const { verb } = exchange.info;
    const contentType = String(exchange.headers['content-type'] ?? '');
    if (refusals === 'router') {
      // The router of the original looks at what is sent before it looks at what is wanted.
      if (verb === 'patch') this.#refuseUnroutable(contentType);
      refuseUnknownAccept(exchange, verb === 'list' || verb === 'watch' ? 'collection' : 'single', this.#offers.formats);
    }
    if (verb !== 'patch') return;
    const form = this.#patchNamed(contentType);
    if (refusals === 'handler' && (form === undefined || !patchFormats.includes(form.type))) throw unsupportedMediaType(this.#patchNames(patchFormats));
  }

  /** Before anything else is said about the resource: a media type that the server does not know finds no route in the original. */
  #refuseUnroutable(contentType: string): void {
    if (!contentType.split(',').some((part) => this.#patchNamed(part) !== undefined)) throw unroutablePatch();
  }

  #patchNames(formats: readonly PatchFormat[]): readonly string[] {
    return Object.entries(this.#patches).flatMap(([name, { type }]) => (formats.includes(type) ? [name] : []));
  }

  #patchNamed(contentType: string): PatchForm | undefined {
    const name = (contentType.split(';', 1)[0] ?? '').trim();
    return Object.hasOwn(this.#patches, name) ? this.#patches[name] : undefined;
  }

  async readPatch(exchange: Exchange): Promise<Patch> {
    const contentType = String(exchange.headers['content-type'] ?? '');
    if (contentType.includes(',')) throw unsupportedMediaType(Object.keys(this.#patches));
    const form = this.#patchNamed(contentType);
    if (form === undefined) throw unroutablePatch();
    return { type: form.type, body: this.#body(form.mediaType, await exchange.readBody(maxBodyBytes)) };
  }

  async readBody(exchange: Exchange): Promise<Body> {
    const mediaType = formatOfBody(exchange.headers, this.#offers.formats);
    return this.#body(mediaType, await exchange.readBody(maxBodyBytes));
  }

  /** DELETE looks at the content type only when there is a body. */
  async readOptionalBody(exchange: Exchange): Promise<Body | undefined> {
    const bytes = await exchange.readBody(maxBodyBytes);
    return bytes.length === 0 ? undefined : this.#body(formatOfBody(exchange.headers, this.#offers.formats), bytes);
  }

  #body(mediaType: Body['mediaType'], bytes: Buffer): Body {
    return mediaType === 'cbor' ? { mediaType, bytes, cbor: this.#cbor as Cbor } : { mediaType, bytes };
  }
}

function unroutablePatch(): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
}
