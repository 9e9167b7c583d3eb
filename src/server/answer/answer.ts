// From what a verb hands back to the bytes that the client accepts.
import { shortLived } from '#base/memory/short-lived.ts';
import { badRequest } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import { goQuote } from '#base/go-text.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import { Turn } from '#base/next-turn.ts';
import type { Clock } from '#base/clock.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { inOneGo, inTurns, type Steps } from '#base/steps.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { allFromHub, fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { type IncludeObject, partialMetadata, rowRank, type Table, tableOf } from '#resource/table.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { arrange } from '#schema/json/arrange.ts';
import type { StructSchema } from '#schema/build.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { indentJson } from '#schema/json/indent-json.ts';
import { writeJson } from '#schema/json/json-text.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import { encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { envelopeAround, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { yamlWritingSteps } from '#schema/yaml/yaml.ts';
import type { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import type { Exchange } from '#server/front/exchange.ts';
import { FormedItems } from '#server/answer/formed-items.ts';
import type { ItemForm } from '#server/answer/item-form.ts';
import type { ItemForms } from '#server/answer/item-forms.ts';
import { type Frame, type Listable, type ListedItem, storedList } from '#server/answer/list-text.ts';
import { PiecesText } from '#server/answer/pieces-text.ts';
import { fitsOneTurn, jsonFrame, renderSlices } from '#server/answer/render-slices.ts';
import { briefly } from '#server/answer/briefly.ts';
import { TableRows } from '#server/answer/table-rows.ts';
import { sendList, sendText, streamList } from '#server/answer/send-list.ts';
import { mediaTypes, metaVersion, notAcceptable, type Representation } from '#server/answer/negotiate.ts';
import { internalPackage } from '#verbs/body.ts';
import type { Answer, Item } from '#verbs/answer.ts';

/** Schemas of the kinds that every resource can be shown as. */
export interface MetaSchemas {
  readonly status: StructSchema;
  readonly partialObjectMetadata: StructSchema;
  readonly partialObjectMetadataList: StructSchema;
}

export interface Renderer {
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly meta: MetaSchemas;
  readonly runs: DeflatedRuns;
  readonly forms: ItemForms;
}

/** A promise only for what is too long for one turn, or converted by a webhook. */
export function sendAnswer(exchange: Exchange, renderer: Renderer, answer: Answer, output: Representation): MaybePromise<void> {
  switch (answer.is) {
    case 'object':
      return sendObject(exchange, answer.code, showObject(renderer, answer, { exchange, output }), output);
    case 'nothing':
      return exchange.send(204, '', '');
    case 'connect':
      return answer.serve(exchange);
    case 'item':
      return sendItem(exchange, renderer, answer, output);
    case 'list':
      return sendItems(exchange, renderer, answer, output);
  }
}

/** A kind of its own can be shown in other forms only if it has columns. */
function showObject(renderer: Renderer, { schema, object, columns }: Extract<Answer, { is: 'object' }>, { exchange, output }: Showing): Typed {
  if (columns === undefined || output.as === undefined) return { schema, object };
  const shown = object as KubernetesObject;
  if (output.as.kind !== 'Table')
    return { schema: renderer.meta.partialObjectMetadata, object: partialMetadata(shown, { definition: {}, apiVersion: metaVersion(output) }) };
  const options = { definition: { columns }, apiVersion: metaVersion(output), includeObject: includeObjectOf(exchange.query), now: renderer.clock.now() };
  const metadata = { resourceVersion: shown.metadata.resourceVersion };
  return { schema: undefined, object: tableOf([{ stored: shown, shown: () => arrange(schema, shown) as KubernetesObject }], metadata, options) };
}

/** An object with its table, ready for any media type. */
interface Typed {
  readonly schema: StructSchema | undefined;
  readonly object: object;
}

function sendItem(
  exchange: Exchange,
  renderer: Renderer,
  { code, definition, item }: Extract<Answer, { is: 'item' }>,
  output: Representation,
): MaybePromise<void> {
  if (exchange.isBrief) return exchange.send(code, mediaTypes.json, briefly(item));
  if (output.as === undefined && output.format === 'json' && !output.pretty && isHub(renderer, definition)) {
    exchange.send(code, mediaTypes[output.format], lineOf(item));
    return;
  }
  const form = renderer.forms.of(definition, output, 'alone');
  if (form !== undefined) return sendFormedItem(exchange, { code, definition, item }, output, form);
  const turn = new Turn();
  return andThen(showItem(renderer, definition, item, { exchange, output }), (typed) =>
    // A large object has taken long to convert: others come before it is written.
    andThen(turn.next(), () => sendObject(exchange, code, typed, output)),
  );
}

function sendFormedItem(
  exchange: Exchange,
  { code, definition, item }: Omit<Extract<Answer, { is: 'item' }>, 'is'>,
  output: Representation,
  form: ItemForm,
): void {
  const bytes = form.bytesOf(item);
  const { kind, apiVersion } = output.as
    ? { kind: output.as.kind, apiVersion: metaVersion(output) }
    : { kind: definition.kind, apiVersion: apiVersionOf(definition) };
  exchange.send(code, mediaTypes[output.format], output.format === 'protobuf' ? writeEnvelope(apiVersion, kind, bytes) : Buffer.concat([bytes, lineEnd]));
}

interface Showing {
  readonly exchange: Exchange;
  readonly output: Representation;
}

/** One object as the client wants to see it: itself, a Table, or its metadata. */
function showItem(renderer: Renderer, definition: ResourceDefinition, item: Item, showing: Showing): MaybePromise<Typed> {
  const { output } = showing;
  switch (output.as?.kind) {
    case 'Table': {
      const metadata = { resourceVersion: item.object.metadata.resourceVersion };
      return andThen(rowsOf(renderer, definition, [item], showing), (rows) => ({
        schema: undefined,
        object: tableFor(renderer, definition, rows, { metadata, ...showing }),
      }));
    }
    case 'PartialObjectMetadataList':
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${internalPackage(definition.group)}.${definition.kind})`,
      );
    case 'PartialObjectMetadata':
      return { schema: renderer.meta.partialObjectMetadata, object: partialOf(renderer, definition, item, metaVersion(output)) };
    default:
      return andThen(fromHub(renderer.catalog, definition, item.object), (object) => ({ schema: definition.schema, object }));
  }
}

/** An object as it is stored and, where a row needs it, in the version of the request. */
export interface Row {
  readonly stored: KubernetesObject;
  readonly shown: KubernetesObject | undefined;
}

export function tableFor(
  renderer: Renderer,
  definition: ResourceDefinition,
  rows: readonly Row[],
  { metadata, exchange, output }: Showing & { metadata: object },
): Table {
  const reads = hasOwnColumns(renderer, definition);
  const sources = rows.map(({ stored, shown = stored }) => ({
    stored: reads ? shown : stored,
    // A row holds the object as text would show it, nulls included.
    shown: () => arrange(definition.schema, shown) as KubernetesObject,
  }));
  return tableOf(sources, metadata, tableOptions(renderer, definition, exchange.query, output));
}

function rowsOf(
  renderer: Renderer,
  definition: ResourceDefinition,
  items: readonly Pick<Item, 'object'>[],
  { exchange }: Showing,
): MaybePromise<readonly Row[]> {
  const stored = items.map(({ object }) => object);
  if (!rowsNeedVersion(renderer, definition, exchange.query)) return stored.map((object) => ({ stored: object, shown: undefined }));
  return andThen(allFromHub(renderer.catalog, definition, stored), (shown) => stored.map((object, i) => ({ stored: object, shown: shown[i] })));
}

export function rowsNeedVersion(renderer: Renderer, definition: ResourceDefinition, query: URLSearchParams): boolean {
  return hasOwnColumns(renderer, definition) || includeObjectOf(query) === 'Object';
}

/** Versions of built-in kinds share the columns of the stored one, which read it; those of custom kinds have their own. */
function hasOwnColumns(renderer: Renderer, definition: ResourceDefinition): boolean {
  return definition.columns !== undefined && !isHub(renderer, definition);
}

function tableOptions(renderer: Renderer, definition: ResourceDefinition, query: URLSearchParams, output: Representation) {
  const hub = renderer.catalog.hubOf(definition);
  const columned = hasOwnColumns(renderer, definition) ? { ...hub, columns: definition.columns } : hub;
  return { definition: columned, apiVersion: metaVersion(output), includeObject: includeObjectOf(query), now: renderer.clock.now() };
}

export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject') ?? '';
  if (asked === '') return 'Metadata';
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked;
  const detail = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(asked)}: ${detail}`);
}

async function sendItems(exchange: Exchange, renderer: Renderer, answer: Extract<Answer, { is: 'list' }>, output: Representation): Promise<void> {
  const { definition, items, metadata } = answer;
  if (output.as === undefined && output.format === 'json' && !output.pretty && isHub(renderer, definition)) {
    const list = storedList(definition.form.listFrame(metadata), asListed(items));
    return sendList(exchange, mediaTypes[output.format], list, renderer.runs);
  }
  const form = areListable(items) ? renderer.forms.of(definition, output, 'in list') : undefined;
  if (form !== undefined) return sendFormed(exchange, renderer, answer, { output, form });
  const showing = { exchange, output };
  if (fitsOneTurn(items)) await sendObject(exchange, 200, await showItems(renderer, answer, showing), output);
  else if (output.as?.kind === 'Table' && writesRows(renderer, answer, showing)) await sendRows(exchange, renderer, answer, output);
  else await sendInTurns(exchange, renderer, { ...answer, items: await inRowOrder(renderer, answer, showing) }, output);
}

/** Whether the rows of a Table are read from stored objects alone, in the order of the list. */
function writesRows(renderer: Renderer, { definition, items }: Extract<Answer, { is: 'list' }>, { exchange, output }: Showing): boolean {
  if (output.format !== 'json' || output.pretty || !areListable(items) || rowsNeedVersion(renderer, definition, exchange.query)) return false;
  const options = tableOptions(renderer, definition, exchange.query, output);
  return rowRank(options.definition.columns, options) === undefined;
}

async function sendRows(exchange: Exchange, renderer: Renderer, answer: Extract<Answer, { is: 'list' }>, output: Representation): Promise<void> {
  const { definition } = answer;
  const items = answer.items as readonly (Item & Listable)[];
  const bytes = encodeBare(await showNone(renderer, answer, { exchange, output }), output);
  const writer = new TableRows(renderer.forms, definition, tableOptions(renderer, definition, exchange.query, output));
  await streamList<Item & Listable>(exchange, mediaTypes[output.format], { items, writer, frame: () => jsonFrame(bytes, false) });
}

/** Items that write themselves in the form that is wanted. */
async function sendFormed(
  exchange: Exchange,
  renderer: Renderer,
  answer: Extract<Answer, { is: 'list' }>,
  { output, form }: { output: Representation; form: ItemForm },
): Promise<void> {
  const items = answer.items as readonly (Item & Listable)[];
  const empty = await showNone(renderer, answer, { exchange, output });
  const bytes = encodeBare(empty, output);
  const frame = (length: number): Frame => (output.format === 'protobuf' ? protobufFrame(empty.object, bytes, length) : jsonFrame(bytes, false));
  await sendList<Item & Listable>(exchange, mediaTypes[output.format], { items, writer: new FormedItems(form, output.format), frame }, renderer.runs);
}

/** The list without its items: some forms say null for none, here it is the place where some will stand. */
function showNone(renderer: Renderer, answer: Extract<Answer, { is: 'list' }>, showing: Showing): MaybePromise<Typed> {
  const field = fieldOf(showing.output);
  return andThen(showItems(renderer, { ...answer, items: [] }, showing), ({ schema, object }) => ({ schema, object: { ...object, [field]: [] } }));
}

function fieldOf({ as }: Representation): 'items' | 'rows' {
  return as?.kind === 'Table' ? 'rows' : 'items';
}

async function sendInTurns(exchange: Exchange, renderer: Renderer, answer: Extract<Answer, { is: 'list' }>, output: Representation): Promise<void> {
  const showing = { exchange, output };
  const field = fieldOf(output);
  const show = (items: readonly Item[]): MaybePromise<Typed> =>
    items.length === 0 ? showNone(renderer, answer, showing) : showItems(renderer, { ...answer, items }, showing);
  const write = (items: readonly Item[]) => {
    const turn = new Turn();
    return andThen(show(items), (typed) => andThen(turn.next(), () => encodeInTurns(typed, output)));
  };
  const isBatched = answer.definition.conversion?.allFromHub !== undefined;
  const pieces = await renderSlices({ ...output, field, items: answer.items, isBatched, signal: exchange.signal, write });
  const text = new PiecesText(output.format === 'protobuf' ? inEnvelope((await show([])).object, pieces) : pieces);
  await sendText(exchange, mediaTypes[output.format], text, text.length);
}

async function inRowOrder(renderer: Renderer, { definition, items }: Extract<Answer, { is: 'list' }>, { exchange, output }: Showing): Promise<readonly Item[]> {
  if (output.as?.kind !== 'Table') return items;
  const options = tableOptions(renderer, definition, exchange.query, output);
  const rankOf = rowRank(options.definition.columns, options);
  if (rankOf === undefined) return items;
  const turn = new Turn();
  const ranked: { item: Item; rank: number }[] = [];
  // Each is parsed once, and large ones in turns of their own.
  for (const item of items) {
    ranked.push({ item, rank: rankOf(item.object) });
    await turn.next();
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

function showItems(renderer: Renderer, { definition, items, metadata }: Extract<Answer, { is: 'list' }>, showing: Showing): MaybePromise<Typed> {
  const { output } = showing;
  switch (output.as?.kind) {
    case 'Table':
      return andThen(rowsOf(renderer, definition, items, showing), (rows) => ({
        schema: undefined,
        object: tableFor(renderer, definition, rows, { metadata, ...showing }),
      }));
    case 'PartialObjectMetadata':
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (*${internalPackage(definition.group)}.${definition.kind}List)`,
      );
    case 'PartialObjectMetadataList':
      return { schema: renderer.meta.partialObjectMetadataList, object: partialList(renderer, { definition, items, metadata }, metaVersion(output)) };
    default:
      return andThen(
        allFromHub(
          renderer.catalog,
          definition,
          items.map(({ object }) => object),
        ),
        (objects) => ({ schema: definition.list, object: definition.form.listObject(objects, metadata) }),
      );
  }
}

export function partialOf({ catalog }: Renderer, definition: ResourceDefinition, { object }: Pick<Item, 'object'>, apiVersion: string): object {
  return partialMetadata(object, { definition: catalog.hubOf(definition), apiVersion });
}

function partialList(renderer: Renderer, { definition, items, metadata }: Omit<Extract<Answer, { is: 'list' }>, 'is'>, apiVersion: string): object {
  const partials = items.map((item) => partialOf(renderer, definition, item, apiVersion));
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata, items: partials.length === 0 ? null : partials };
}

/** Items of the cache as they are. */
function asListed(items: readonly Item[]): readonly ListedItem[] {
  return items[0] === undefined || writesItself(items[0]) ? (items as readonly ListedItem[]) : items.map(({ json }) => listed(json));
}

/** There are some, and they are of the cache. */
function areListable(items: readonly Item[]): boolean {
  return items[0] !== undefined && writesItself(items[0]);
}

function writesItself(item: Item): item is Item & ListedItem {
  return item.copyTo !== undefined && item.byteLength !== undefined;
}

function listed(json: Buffer): ListedItem {
  return {
    byteLength: json.length,
    copyTo: (target, at, skip) => {
      target.set(json.subarray(skip), at);
      return at + json.length - skip;
    },
  };
}

function isHub({ catalog }: Renderer, definition: ResourceDefinition): boolean {
  return catalog.hubOf(definition) === definition;
}

function sendObject(exchange: Exchange, code: number, typed: Typed, output: Representation): MaybePromise<void> {
  if (output.format !== 'yaml') return exchange.send(code, mediaTypes[output.format], encodeTyped(typed, output));
  return andThen(encodeInTurns(typed, output), (bytes) => exchange.send(code, mediaTypes.yaml, bytes));
}

export function encodeTyped(typed: Typed, output: Representation): Buffer {
  const bytes = encodeBare(typed, output);
  return output.format === 'protobuf' ? Buffer.concat(inEnvelope(typed.object, [bytes])) : bytes;
}

/** YAML takes ten times as long as JSON: others get their turn while a long document is written. Protobuf without its envelope. */
function encodeInTurns(typed: Typed, output: Representation): MaybePromise<Buffer> {
  return output.format === 'yaml' ? inTurns(yamlSteps(typed)) : encodeBare(typed, output);
}

function* yamlSteps({ schema, object }: Typed): Steps<Buffer> {
  const json = Buffer.from(jsonOf(schema, object));
  yield;
  const { value } = parseJson(json);
  yield;
  return Buffer.from(yield* yamlWritingSteps(value));
}

/** Protobuf without its envelope. */
function encodeBare({ schema, object }: Typed, output: Representation): Buffer {
  switch (output.format) {
    case 'cbor':
      return (output.cbor as Cbor).encodeCbor(schema, object);
    case 'protobuf':
      if (schema === undefined) throw new Error('this form has no protobuf encoding');
      return encodeProtobuf(schema, object);
    case 'yaml':
      return inOneGo(yamlSteps({ schema, object }));
    case 'json':
      return Buffer.from(output.pretty ? indentJson(jsonOf(schema, object)) : `${jsonOf(schema, object)}\n`);
  }
}

function protobufFrame({ kind = '', apiVersion = '' }: { kind?: string; apiVersion?: string }, empty: Buffer, itemsLength: number): Frame {
  const [head, tail] = envelopeAround(apiVersion, kind, empty.length + itemsLength, []) as [Uint8Array, Uint8Array];
  return { head: Buffer.concat([head, empty]), tail };
}

function inEnvelope({ kind = '', apiVersion = '' }: { kind?: string; apiVersion?: string }, pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return envelopeAround(apiVersion, kind, length, pieces);
}

function jsonOf(schema: StructSchema | undefined, object: object): string {
  return schema === undefined ? writeJson(object) : encodeJson(schema, object);
}

const newline = 0x0a;
const lineEnd = Buffer.from([newline]);

function lineOf(item: Item): Buffer {
  const form = writesItself(item) ? item : listed(item.json);
  const line = shortLived(form.byteLength + 1);
  line[form.copyTo(line, 0, 0)] = newline;
  return line;
}
