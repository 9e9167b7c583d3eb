// A watch as a stream of frames. An event is encoded once for all watchers that want the same form of it.
import { writeJson } from '#schema/json/json-text.ts';
import { ApiError, internalError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject, ObjectMeta } from '#api/object.ts';
import { deadline } from '#base/deadline.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { watchFrame, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { partialOf, type Renderer, rowsNeedVersion, tableFor } from '#server/answer/answer.ts';
import { EventVersions } from '#server/answer/event-versions.ts';
import type { Exchange, ResponseStream } from '#server/front/exchange.ts';
import { metaVersion, type Representation, streamTypes } from '#server/answer/negotiate.ts';
import type { StructSchema } from '#schema/build.ts';
import type { CacheEvent, Take, WatchEvent, WatchStream } from '#verbs/watch.ts';

/**
 * Events are handed over in pieces of about this size, the next when the client has taken most of the last: however many are due
 * and however large, a client that does not read keeps no more than this and one event. When history overtakes it, the cache ends it.
 */
const pieceBytes = 64 * 1024;
/** Of the JSON of objects that are framed in one turn: a row or the metadata of a large one is short, but the object has to be parsed. */
const sourceBytesPerTurn = 256 * 1024;

export interface WatchLimits {
  readonly minRequestTimeoutSeconds: number;
  readonly random: () => number;
}

export async function streamWatch(exchange: Exchange, renderer: Renderer, watch: WatchStream, output: Representation, limits: WatchLimits): Promise<void> {
  const timeoutMs = Math.ceil(timeoutOf(watch, limits) * 1000);
  const { signal, cancel } = deadline(exchange.signal, timeoutMs);
  const stream = exchange.stream(200, streamTypes[output.format] as string, 'events');
  const versions = new EventVersions(renderer.catalog, watch.definition);
  const watching: Watching = { exchange, renderer, definition: watch.definition, output, versions };
  const framer = framerFor(watching);
  const reader: Reader = { stream, framer, signal };
  const take: Take = needsVersions(watching) ? (events) => handOverConverted(events, watching, reader) : (events) => handOver(events, 0, reader);
  try {
    await watch.follow(isShowable(output) ? take : (events) => events[0]?.type === 'ERROR' && take(events), signal, timeoutMs);
  } finally {
    cancel();
    stream.end();
  }
}

/** No event is a list: the first object ends a watch that asks for one. */
function isShowable({ as }: Representation): boolean {
  return as?.kind !== 'PartialObjectMetadataList';
}

function timeoutOf({ timeoutSeconds }: WatchStream, { minRequestTimeoutSeconds, random }: WatchLimits): number {
  return timeoutSeconds !== undefined && timeoutSeconds > 0 ? timeoutSeconds : minRequestTimeoutSeconds * (1 + random());
}

type Framer = (event: WatchEvent) => Buffer;

/** What one watch is shown as. */
interface Watching {
  readonly exchange: Exchange;
  readonly renderer: Renderer;
  readonly definition: ResourceDefinition;
  readonly output: Representation;
  readonly versions: EventVersions;
}

/** Whether something must be waited for before events can be framed. */
function needsVersions({ exchange, renderer, definition, output, versions }: Watching): boolean {
  if (!versions.wait || output.as?.kind === 'PartialObjectMetadata') return false;
  return output.as?.kind !== 'Table' || rowsNeedVersion(renderer, definition, exchange.query);
}

/** So many are converted together. */
const eventsPerBatch = 200;

async function handOverConverted(events: readonly WatchEvent[], { versions }: Watching, reader: Reader): Promise<boolean> {
  for (let at = 0; at < events.length; at += eventsPerBatch) {
    const batch = events.slice(at, at + eventsPerBatch);
    try {
      await versions.prepare(batch);
    } catch (error) {
      await handOver(
        [{ type: 'ERROR', error: error instanceof ApiError ? error : internalError(error instanceof Error ? error.message : String(error)) }],
        0,
        reader,
      );
      return false;
    }
    if (reader.signal.aborted || !(await handOver(batch, 0, reader))) return false;
  }
  return true;
}

interface Reader {
  readonly stream: ResponseStream;
  readonly framer: Framer;
  readonly signal: AbortSignal;
}

/** Everything from `start` on. Whether the reader is still there is asked only when it has made us wait: asking a signal is dear. */
function handOver(events: readonly WatchEvent[], start: number, reader: Reader): boolean | Promise<boolean> {
  for (let at = start; at < events.length; ) {
    const frames = nextPiece(events, at, reader.framer);
    const next = at + frames.length;
    const taken = reader.stream.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames));
    if (taken !== undefined) return taken.then(() => !reader.signal.aborted && handOver(events, next, reader));
    if (next < events.length && sourceBytes(events, at, next) >= sourceBytesPerTurn) {
      return nextTurn().then(() => !reader.signal.aborted && handOver(events, next, reader));
    }
    at = next;
  }
  return true;
}

function nextPiece(events: readonly WatchEvent[], start: number, framer: Framer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = start, bytes = 0, source = 0; at < events.length && bytes < pieceBytes && source < sourceBytesPerTurn; at++) {
    const event = events[at] as WatchEvent;
    const frame = framer(event);
    frames.push(frame);
    bytes += frame.length;
    source += sizeOf(event);
  }
  return frames;
}

function sourceBytes(events: readonly WatchEvent[], start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum += sizeOf(events[at] as WatchEvent);
  return sum;
}

function sizeOf(event: WatchEvent): number {
  return event.type === 'ERROR' ? 0 : (event.item?.byteLength ?? 0);
}

function framerFor(watching: Watching): Framer {
  const { output, definition } = watching;
  if (output.as?.kind === 'Table') return tableFramer(watching);
  const form = `${output.format};${output.as?.kind ?? ''};${metaVersion(output)};${apiVersionOf(definition)}`;
  return (event) => {
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') return frameOf(watching, event);
    let frame = event.shared.get(form);
    if (frame === undefined) {
      frame = frameOf(watching, event);
      event.shared.set(form, frame);
    }
    return frame;
  };
}

function frameOf(watching: Watching, event: WatchEvent): Buffer {
  const { renderer, definition, output } = watching;
  const plain = output.format === 'json' && output.as === undefined && renderer.catalog.hubOf(definition) === definition;
  if (plain && event.type !== 'ERROR' && event.item) return jsonFrame(event.type, event.item.json);
  const form = event.type !== 'ERROR' && event.item ? renderer.forms.of(definition, output, 'alone') : undefined;
  if (form !== undefined && event.type !== 'ERROR' && event.item) return formedFrame(watching, event.type, form.bytesOf(event.item));
  const { schema, object } = eventObject(watching, event);
  if (output.cbor !== undefined) return output.cbor.cborFrame(event.type, output.cbor.encodeCbor(schema, object));
  if (output.format === 'protobuf') {
    const { kind = '', apiVersion = '' } = object as { kind?: string; apiVersion?: string };
    return watchFrame(event.type, writeEnvelope(apiVersion, kind, encodeProtobuf(schema, object)));
  }
  return jsonFrame(event.type, Buffer.from(encodeJson(schema, object)));
}

function formedFrame({ definition, output }: Watching, type: string, bytes: Buffer): Buffer {
  if (output.format === 'json') return jsonFrame(type, bytes);
  const { kind, apiVersion } = output.as
    ? { kind: output.as.kind, apiVersion: metaVersion(output) }
    : { kind: definition.kind, apiVersion: apiVersionOf(definition) };
  return watchFrame(type, writeEnvelope(apiVersion, kind, bytes));
}

interface TypedObject {
  readonly schema: StructSchema;
  readonly object: object;
}

function eventObject({ renderer, definition, output, versions }: Watching, event: WatchEvent): TypedObject {
  if (event.type === 'ERROR') return { schema: renderer.meta.status, object: event.error.toStatus() };
  const object = event.item?.object ?? emptyObject(definition, event);
  if (output.as !== undefined) return { schema: renderer.meta.partialObjectMetadata, object: partialOf(renderer, definition, { object }, metaVersion(output)) };
  return { schema: definition.schema, object: event.item ? versions.of(event, object) : object };
}

/** An empty object of the watched kind that carries only how far the watch has come. */
function emptyObject({ kind, schema, blank, ...version }: ResourceDefinition, { revision, initialEnd }: CacheEvent): KubernetesObject {
  const { annotations } = (blank?.metadata ?? {}) as ObjectMeta;
  const metadata = { resourceVersion: String(revision), annotations: { ...annotations, ...(initialEnd && { 'k8s.io/initial-events-end': 'true' }) } };
  return decodeValue(schema, { ...blank, kind, apiVersion: apiVersionOf(version), metadata }).object;
}

/** Each event is a Table of one row; only the first one names the columns. */
function tableFramer(watching: Watching): Framer {
  const { exchange, renderer, definition } = watching;
  let named = false;
  return (event) => {
    if (event.type === 'ERROR') return frameOf(watching, event);
    const stored = event.item?.object ?? emptyObject(renderer.catalog.hubOf(definition), event);
    const shown = rowsNeedVersion(renderer, definition, exchange.query) ? shownAs(watching, event, stored) : undefined;
    const table = tableFor(renderer, definition, [{ stored, shown }], { metadata: { resourceVersion: stored.metadata.resourceVersion }, ...watching });
    if (named) table.columnDefinitions = null;
    named = true;
    return jsonFrame(event.type, Buffer.from(writeJson(table)));
  };
}

/** Bookmarks are made in the version of the watch. */
function shownAs({ definition, versions }: Watching, event: CacheEvent, stored: KubernetesObject): KubernetesObject {
  return event.item ? versions.of(event, stored) : emptyObject(definition, event);
}

function jsonFrame(type: string, object: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, frameEnd]);
}

const frameEnd = Buffer.from('}\n');
