// The documents as they are kept: nothing until a client asks, then the tag of each and the compressed bytes of those that were read.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock } from '#base/clock.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import {
  type DocumentContext,
  document2,
  document3,
  documentNames,
  isDocument,
  publishesDeleted,
  resourcesIn,
  type WrittenDefinitions,
} from '#server/openapi/document.ts';
import type { Shape } from '#server/openapi/protobuf-shape.ts';
import type { OpenApiVocabulary } from '#server/openapi/vocabulary.ts';

export type Format = 'json' | 'protobuf';

export interface PublishedDocument {
  /** Of the JSON form, whatever the format. */
  readonly etag: string;
  readonly modified: Date;
  readonly compressed: (format: Format) => Promise<Buffer>;
}

export interface PublishedOptions {
  readonly clock: Clock;
  /** Is this feature gate on? */
  readonly gate: (name: string) => boolean;
}

interface Entry {
  /** What the document was made from: the same resources make the same document. */
  readonly resources: readonly ResourceDefinition[];
  readonly made: Promise<PublishedDocument>;
}

interface DocumentParts {
  readonly resources: readonly ResourceDefinition[];
  readonly written: WrittenDefinitions;
}

const compress = promisify(gzip);
export const decompress = promisify(gunzip);

export class PublishedDocuments {
  readonly #catalog: ResourceCatalog;
  readonly #vocabulary: OpenApiVocabulary;
  readonly #options: PublishedOptions;
  readonly #entries = new Map<string, Entry>();
  #index: { readonly revision: number; readonly content: Promise<{ body: Buffer; modified: Date }> } | undefined;
  #swagger: { readonly revision: number; readonly entry: Promise<PublishedDocument> } | undefined;
  #context: Promise<DocumentContext> | undefined;

  constructor(catalog: ResourceCatalog, vocabulary: OpenApiVocabulary, options: PublishedOptions) {
    this.#catalog = catalog;
    this.#vocabulary = vocabulary;
    this.#options = options;
  }

  /** `/openapi/v3`: where each document is, with its tag. */
  index(): Promise<{ body: Buffer; modified: Date }> {
    const { revision } = this.#catalog;
    if (this.#index?.revision !== revision) this.#index = { revision, content: this.#buildIndex() };
    return this.#index.content;
  }

  /** One document of OpenAPI 3; undefined when there is none of this name. */
  async document(name: string): Promise<PublishedDocument | undefined> {
    return this.#entry(name, await this.#loaded(), new Map())?.made;
  }

  /** The Swagger document. */
  swagger(): Promise<PublishedDocument> {
    const { revision } = this.#catalog;
    if (this.#swagger?.revision !== revision) this.#swagger = { revision, entry: this.#makeSwagger() };
    return this.#swagger.entry;
  }

  async #buildIndex(): Promise<{ body: Buffer; modified: Date }> {
    const context = await this.#loaded();
    const names = documentNames(context);
    const written: WrittenDefinitions = new Map();
    const paths: Record<string, object> = {};
    for (const name of names) {
      const document = await this.#entry(name, context, written)?.made;
      if (document !== undefined) paths[name] = { serverRelativeURL: documentUrl(name, document.etag) };
    }
    for (const name of this.#entries.keys()) if (!names.includes(name)) this.#entries.delete(name);
    return { body: Buffer.from(JSON.stringify({ paths })), modified: this.#options.clock.now() };
  }

  #entry(name: string, context: DocumentContext, written: WrittenDefinitions): Entry | undefined {
    const resources = resourcesIn(name, context);
    if (!isDocument(name, context)) return undefined;
    const kept = this.#entries.get(name);
    if (kept !== undefined && sameItems(kept.resources, resources)) return kept;
    const entry = { resources, made: this.#makeDocument(name, context, { resources, written }) };
    this.#entries.set(name, entry);
    return entry;
  }

  async #makeDocument(name: string, context: DocumentContext, { resources, written }: DocumentParts): Promise<PublishedDocument> {
    const etag = etagOf(stampOf(name, resources) ?? (await document3(name, context, written)));
    // Most documents are never read, so only the tag is kept; the same text is made again for the first reader.
    return this.#published(
      etag,
      () => document3(name, context, new Map()),
      async () => (await import('#server/openapi/protobuf-v3.ts')).documentShape3,
    );
  }

  async #makeSwagger(): Promise<PublishedDocument> {
    const text = await document2(await this.#loaded());
    const json = compress(text);
    const published = this.#published(
      etagOf(text),
      async () => '',
      async () => (await import('#server/openapi/protobuf-v2.ts')).documentShape2,
      json,
    );
    await json;
    return published;
  }

  #published(etag: string, text: () => Promise<string>, shape: () => Promise<Shape>, json?: Promise<Buffer>): PublishedDocument {
    const bytes: Partial<Record<Format, Promise<Buffer>>> = json === undefined ? {} : { json };
    const compressed = (format: Format): Promise<Buffer> => {
      bytes[format] ??= format === 'json' ? text().then((made) => compress(made)) : compressedProtobuf(compressed('json'), shape());
      return bytes[format];
    };
    return { etag, modified: this.#options.clock.now(), compressed };
  }

  #loaded(): Promise<DocumentContext> {
    this.#context ??= this.#loadContext();
    return this.#context;
  }

  async #loadContext(): Promise<DocumentContext> {
    const catalog = this.#catalog;
    return {
      catalog,
      vocabulary: this.#vocabulary,
      descriptions: await this.#vocabulary.descriptions(),
      gate: this.#options.gate,
      returnsDeleted: (definition) => publishesDeleted(catalog, definition),
    };
  }
}

export function documentUrl(name: string, etag: string): string {
  return `/openapi/v3/${name}?hash=${etag}`;
}

/** The encoder and the library it needs are loaded when a client asks for this form. */
async function compressedProtobuf(json: Promise<Buffer>, shape: Promise<Shape>): Promise<Buffer> {
  const { toProtobuf } = await import('#server/openapi/protobuf-shape.ts');
  const text = await decompress(await json);
  return compress(await toProtobuf(JSON.parse(text.toString()), await shape));
}

/** Stands for the text of a document about custom kinds alone: the list of all documents need not compile every definition. */
function stampOf(name: string, resources: readonly ResourceDefinition[]): string | undefined {
  const stamps = resources.flatMap(({ stamp }) => stamp ?? []);
  return stamps.length === resources.length && stamps.length > 0 ? [name, ...stamps].join('\n') : undefined;
}

function etagOf(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
