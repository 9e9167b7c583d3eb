// A list in a form that must be made for the request (Table, protobuf, YAML, CBOR, another version), a few items per turn of the
// event loop. Each slice is written as a list of its own; what stands around the items of a list of none is cut off of it.
import type { MaybePromise } from '#base/maybe-promise.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import type { Format } from '#server/answer/negotiate.ts';
import type { Item } from '#verbs/answer.ts';

/** About a millisecond of work each: what has more of either waits for the next turn. */
const itemsPerTurn = 50;
const bytesPerTurn = 64 * 1024;
/** Where a webhook converts, one request for many items costs less than the time that encoding them takes. */
const itemsPerBatch = 500;
const bytesPerBatch = 1024 * 1024;

export interface SlicedList {
  readonly format: Format;
  readonly pretty: boolean;
  readonly items: readonly Item[];
  /** The name of the field that holds the items: the last one in JSON. */
  readonly field: 'items' | 'rows';
  /** The whole document for some of the items; protobuf without its envelope. */
  readonly write: (items: readonly Item[]) => MaybePromise<Buffer>;
  /** Writing waits for something that is better asked about many items. */
  readonly isBatched?: boolean;
  readonly signal: AbortSignal;
  readonly cbor?: Cbor | undefined;
}

/** The pieces of the document of all items. */
export async function renderSlices(list: SlicedList): Promise<readonly Buffer[]> {
  const { items, write, signal } = list;
  const frame = frameOf(list, await write([]));
  const limits = list.isBatched ? batchLimits : turnLimits;
  const pieces: Buffer[] = [frame.head];
  for (let from = 0; from < items.length && !signal.aborted; ) {
    const end = sliceEnd(items, from, limits);
    if (from > 0) pieces.push(frame.between);
    const writing = write(items.slice(from, end));
    const slice = writing instanceof Promise ? await writing : writing;
    pieces.push(slice.subarray(frame.headOf?.(end - from) ?? frame.head.length, slice.length - frame.tail.length));
    from = end;
    await nextTurn();
  }
  pieces.push(frame.tail);
  return pieces;
}

/** Whether one turn is enough. */
export function fitsOneTurn(items: readonly Item[]): boolean {
  return sliceEnd(items, 0, turnLimits) === items.length;
}

const turnLimits = { items: itemsPerTurn, bytes: bytesPerTurn };
const batchLimits: typeof turnLimits = { items: itemsPerBatch, bytes: bytesPerBatch };

/** At least one item, then as many as a turn has time for. */
function sliceEnd(items: readonly Item[], from: number, limits: typeof turnLimits): number {
  const most = Math.min(items.length, from + limits.items);
  let bytes = 0;
  let end = from;
  while (end < most && bytes < limits.bytes) bytes += sizeOf(items[end++] as Item);
  return end;
}

function sizeOf(item: Item): number {
  return item.byteLength ?? item.json.length;
}

/** What every slice has around its items, byte for byte. */
interface Frame {
  readonly head: Buffer;
  readonly between: Buffer;
  readonly tail: Buffer;
  /** The length of the head of a slice, where it depends on how many items the slice has. */
  readonly headOf?: (items: number) => number;
}

const nothing = Buffer.alloc(0);
const comma = Buffer.from(',');

function frameOf({ format, pretty, field, items, cbor }: SlicedList, empty: Buffer): Frame {
  switch (format) {
    case 'cbor':
      return { ...(cbor as Cbor).listFrame(empty, field, items.length), between: nothing };
    case 'protobuf':
      return { head: empty, between: nothing, tail: nothing };
    case 'yaml':
      return yamlFrame(empty, field);
    case 'json':
      return jsonFrame(empty, pretty);
  }
}

/** The list of no items is the last one in its document; indented ones get a line of their own for its end. */
export function jsonFrame(empty: Buffer, pretty: boolean): Frame {
  const end = empty.lastIndexOf('[') + 1;
  return { head: empty.subarray(0, end), between: comma, tail: Buffer.concat([Buffer.from(pretty ? '\n  ' : ''), empty.subarray(end)]) };
}

function yamlFrame(empty: Buffer, field: string): Frame {
  const line = `\n${field}: []\n`;
  const at = empty.indexOf(line);
  return { head: Buffer.concat([empty.subarray(0, at), Buffer.from(`\n${field}:\n`)]), between: nothing, tail: empty.subarray(at + line.length) };
}
