// The documents as they are kept: nothing until a client asks, then the tag of each and the compressed bytes of those that were read.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { gunzipped, gzipped } from '#server/gzip.ts';
import { nextTurn, Turn } from '#base/next-turn.ts';
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
import { mergeSwagger, type Swagger } from '#server/openapi/merge-swagger.ts';
import type { Shape } from '#server/openapi/protobuf-shape.ts';
import { noRemoteDocuments, type RemoteDocument, type RemoteDocuments } from '#server/openapi/remote-documents.ts';
import type { OpenApiVocabulary } from '#server/openapi/vocabulary.ts';

export type Format = 'json' | 'protobuf';

export interface PublishedDocument {
  /** Of the JSON form, whatever the format. */
  readonly etag: string;
  readonly modified: Date;
  readonly compressed: (format: Format) => Promise<Buffer>;
}

export type ServedElsewhere = Extract<RemoteDocument, { is: 'served' }>;

export interface PublishedOptions {
  readonly clock: Clock;
  /** Is this feature gate on? */
  readonly gate: (name: string) => boolean;
  /** Default: none. */
  readonly remote?: RemoteDocuments;
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

const mostAttempts = 10;

export class PublishedDocuments {
  readonly #catalog: ResourceCatalog;
  readonly #vocabulary: OpenApiVocabulary;
  readonly #options: PublishedOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #made = new Map<string, { readonly text: string; readonly document: PublishedDocument }>();
  #index: { readonly revision: string; readonly content: Promise<{ body: Buffer; modified: Date }> } | undefined;
  #swagger: { readonly revision: string; readonly entry: Promise<PublishedDocument> } | undefined;
  #context: Promise<DocumentContext> | undefined;

  constructor(catalog: ResourceCatalog, vocabulary: OpenApiVocabulary, options: PublishedOptions) {
    this.#catalog = catalog;
    this.#vocabulary = vocabulary;
    this.#options = options;
  }

  /** `/openapi/v3`: where each document is, with its tag. */
  index(): Promise<{ body: Buffer; modified: Date }> {
    const revision = this.#revision;
    if (this.#index?.revision !== revision) {
      const content = untilSettled(() => this.#buildIndex());
      this.#index = { revision, content };
      content.catch(() => (this.#index = undefined));
    }
    return this.#index.content;
  }

  /** One document of OpenAPI 3, or who has it; undefined when there is none of this name. */
  async document(name: string): Promise<PublishedDocument | ServedElsewhere | undefined> {
    const context = await this.#loaded();
    const remote = this.#remote.find(name, 'owner') ?? (isDocument(name, context) ? undefined : this.#remote.find(name, 'other'));
    if (remote?.is === 'served') return remote;
    return remote ? this.#converted(name, remote.text) : this.#entry(name, context, new Map())?.made;
  }

  /** The Swagger document. */
  swagger(): Promise<PublishedDocument> {
    const revision = this.#revision;
    if (this.#swagger?.revision !== revision) {
      const entry = untilSettled(() => this.#makeSwagger());
      this.#swagger = { revision, entry };
      entry.catch(() => (this.#swagger = undefined));
    }
    return this.#swagger.entry;
  }

  get #remote(): RemoteDocuments {
    return this.#options.remote ?? noRemoteDocuments;
  }

  get #revision(): string {
    return `${this.#catalog.revision}/${this.#remote.revision}`;
  }

  async #buildIndex(): Promise<{ body: Buffer; modified: Date }> {
    const context = await this.#loaded();
    await this.#catalog.settleInTurns();
    const turn = new Turn();
    const names = new Set(documentNames(context));
    const written: WrittenDefinitions = new Map();
    const paths: Record<string, object> = {};
    for (const name of names) {
      const document = await this.#entry(name, context, written)?.made;
      if (document !== undefined) paths[name] = { serverRelativeURL: documentUrl(name, document.etag) };
      await turn.next();
    }
    const remote = [...this.#remote.index()].filter(([name]) => !Object.hasOwn(paths, name) || this.#remote.find(name, 'owner') !== undefined);
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#entries.delete(name);
    for (const name of this.#made.keys()) if (this.#remote.find(name, 'owner')?.is !== 'made') this.#made.delete(name);
    for (const [name, found] of remote) paths[name] = 'serverRelativeURL' in found ? found : { serverRelativeURL: documentUrl(name, etagOf(found.text)) };
    const sorted = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
    return { body: Buffer.from(JSON.stringify({ paths: sorted })), modified: this.#options.clock.now() };
  }

  #entry(name: string, context: DocumentContext, written: WrittenDefinitions): Entry | undefined {
    const resources = resourcesIn(name, context);
    if (!isDocument(name, context)) return undefined;
    const kept = this.#entries.get(name);
    if (kept !== undefined && sameItems(kept.resources, resources)) return kept;
    const entry = { resources, made: this.#makeDocument(name, context, { resources, written }) };
    this.#entries.set(name, entry);
    entry.made.catch(() => this.#entries.delete(name));
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

  /** Made of the Swagger of another server. */
  #converted(name: string, text: string): PublishedDocument {
    const kept = this.#made.get(name);
    if (kept?.text === text) return kept.document;
    const shape = async () => (await import('#server/openapi/protobuf-v3.ts')).documentShape3;
    const document = this.#published(etagOf(text), async () => text, shape);
    this.#made.set(name, { text, document });
    return document;
  }

  async #makeSwagger(): Promise<PublishedDocument> {
    await this.#catalog.settleInTurns();
    const text = await withRemote(await document2(await this.#loaded()), this.#remote.swaggers());
    const json = gzipped(text);
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
      bytes[format] ??= format === 'json' ? text().then((made) => gzipped(made)) : compressedProtobuf(compressed('json'), shape());
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

/** The schema of a definition that goes while it is written cannot be read; a moment later nobody asks for it. */
async function untilSettled<T>(make: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make();
    } catch (error) {
      if (attempt === mostAttempts) throw error;
      await nextTurn();
    }
  }
}

/** Only with documents of others is our own ever held as a tree of objects. */
async function withRemote(text: string, others: readonly Swagger[]): Promise<string> {
  if (others.length === 0) return text;
  let merged = JSON.parse(text) as Swagger;
  for (const other of others) {
    await nextTurn();
    merged = mergedOr(merged, other);
  }
  await nextTurn();
  return JSON.stringify(merged);
}

/** A document of another server that is no Swagger is left out: ours is served without it. */
function mergedOr(into: Swagger, other: Swagger): Swagger {
  try {
    return mergeSwagger(into, other);
  } catch {
    return into;
  }
}

export function documentUrl(name: string, etag: string): string {
  return `/openapi/v3/${name}?hash=${etag}`;
}

/** The encoder and the library it needs are loaded when a client asks for this form. */
async function compressedProtobuf(json: Promise<Buffer>, shape: Promise<Shape>): Promise<Buffer> {
  const { toProtobuf } = await import('#server/openapi/protobuf-shape.ts');
  const text = await gunzipped(await json);
  return gzipped(await toProtobuf(JSON.parse(text.toString()), await shape));
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
