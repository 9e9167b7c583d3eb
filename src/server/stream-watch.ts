// A watch as a stream of frames. An event is encoded once for all watchers that want the same form of it.
import { apiVersionOf } from '#api/names.ts';
import { deadline } from '#base/deadline.ts';
import { fromHub } from '#resource/conversion.ts';
import { partialMetadata, type Table } from '#resource/table.ts';
import { encodeJson } from '#schema/encode.ts';
import { encodeProtobuf } from '#schema/protobuf.ts';
import { watchFrame, writeEnvelope } from '#schema/protobuf-envelope.ts';
import { itemTable, metaVersion, type Renderer } from '#server/answer.ts';
import type { Exchange } from '#server/exchange.ts';
import { mediaTypes, type Representation } from '#server/negotiate.ts';
import type { StructSchema } from '#schema/build.ts';
import type { CacheEvent, WatchEvent, WatchStream } from '#verbs/watch.ts';

/** A client that owes more than this is ended. */
const maxBacklogBytes = 16 * 1024 * 1024;

export interface WatchLimits {
  readonly minRequestTimeoutSeconds: number;
  readonly random: () => number;
}

export async function streamWatch(exchange: Exchange, renderer: Renderer, watch: WatchStream, output: Representation, limits: WatchLimits): Promise<void> {
  const timeoutMs = Math.ceil(timeoutOf(watch, limits) * 1000);
  const { signal, cancel } = deadline(exchange.signal, timeoutMs);
  const stream = exchange.stream(200, output.format === 'protobuf' ? `${mediaTypes.protobuf};stream=watch` : mediaTypes.json, 'events');
  const framer = framerFor(exchange, renderer, watch, output);
  try {
    for await (const events of watch.events(signal, timeoutMs)) {
      const [first] = events;
      await stream.write(events.length === 1 && first ? framer(first) : Buffer.concat(events.map(framer)));
      if (stream.backlog > maxBacklogBytes || signal.aborted) break;
    }
  } finally {
    cancel();
    stream.end();
  }
}

function timeoutOf({ timeoutSeconds }: WatchStream, { minRequestTimeoutSeconds, random }: WatchLimits): number {
  return timeoutSeconds !== undefined && timeoutSeconds > 0 ? timeoutSeconds : minRequestTimeoutSeconds * (1 + random());
}

type Framer = (event: WatchEvent) => Buffer;

function framerFor(exchange: Exchange, renderer: Renderer, watch: WatchStream, output: Representation): Framer {
  if (output.as?.kind === 'Table') return tableFramer(exchange, renderer, watch, output);
  const form = `${output.format};${output.as?.kind ?? ''};${metaVersion(output)};${apiVersionOf(watch.definition)}`;
  return (event) => {
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') return frameOf(renderer, watch, output, event);
    let frame = event.shared.get(form);
    if (frame === undefined) {
      frame = frameOf(renderer, watch, output, event);
      event.shared.set(form, frame);
    }
    return frame;
  };
}

function frameOf(renderer: Renderer, watch: WatchStream, output: Representation, event: WatchEvent): Buffer {
  const plain = output.format === 'json' && output.as === undefined && renderer.catalog.hubOf(watch.definition) === watch.definition;
  if (plain && event.type !== 'ERROR' && event.item) return jsonFrame(event.type, event.item.json);
  const { schema, object } = eventObject(renderer, watch, output, event);
  if (output.format === 'protobuf') {
    const { kind = '', apiVersion = '' } = object as { kind?: string; apiVersion?: string };
    return watchFrame(event.type, writeEnvelope(apiVersion, kind, encodeProtobuf(schema, object)));
  }
  return jsonFrame(event.type, Buffer.from(encodeJson(schema, object)));
}

interface TypedObject {
  readonly schema: StructSchema;
  readonly object: object;
}

function eventObject(renderer: Renderer, { definition }: WatchStream, output: Representation, event: WatchEvent): TypedObject {
  if (event.type === 'ERROR') return { schema: renderer.meta.status, object: event.error.toStatus() };
  const partial = output.as !== undefined;
  if (event.item === undefined) return bookmark(renderer, definition, partial ? metaVersion(output) : undefined, event);
  const { object } = event.item;
  if (partial) return { schema: renderer.meta.partialObjectMetadata, object: partialMetadata(object, metaVersion(output)) };
  return { schema: definition.schema, object: fromHub(renderer.catalog, definition, object) };
}

/** An empty object of the watched kind that carries only how far the watch has come. */
function bookmark(renderer: Renderer, definition: WatchStream['definition'], partialVersion: string | undefined, event: CacheEvent): TypedObject {
  const metadata = {
    resourceVersion: String(event.revision),
    ...(event.initialEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
  };
  if (partialVersion !== undefined) {
    return { schema: renderer.meta.partialObjectMetadata, object: { kind: 'PartialObjectMetadata', apiVersion: partialVersion, metadata } };
  }
  return { schema: definition.schema, object: { kind: definition.kind, apiVersion: apiVersionOf(definition), metadata } };
}

/** Each event is a Table of one row; only the first one names the columns. */
function tableFramer(exchange: Exchange, renderer: Renderer, watch: WatchStream, output: Representation): Framer {
  let named = false;
  return (event) => {
    if (event.type === 'ERROR') return frameOf(renderer, watch, output, event);
    const table =
      event.item === undefined ? bookmarkTable(renderer, watch, output, event) : itemTable(renderer, watch.definition, event.item, { exchange, output });
    if (named) table.columnDefinitions = null;
    named = true;
    return jsonFrame(event.type, Buffer.from(JSON.stringify(table)));
  };
}

function bookmarkTable(renderer: Renderer, watch: WatchStream, output: Representation, event: CacheEvent): Table {
  const { object } = bookmark(renderer, watch.definition, metaVersion(output), event);
  const metadata = { resourceVersion: String(event.revision) };
  return { kind: 'Table', apiVersion: metaVersion(output), metadata, columnDefinitions: null, rows: [{ cells: [], object }] };
}

function jsonFrame(type: string, object: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, frameEnd]);
}

const frameEnd = Buffer.from('}\n');
