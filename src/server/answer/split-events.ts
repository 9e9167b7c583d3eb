import { itemEnd } from '#schema/cbor/item-end.ts';

export type EventFormat = 'json' | 'protobuf' | 'cbor';

/** The single events in a piece of a watch: lines of JSON, items of CBOR, or protobuf messages without the length that stood before each. */
export function splitEvents(piece: Buffer, format: EventFormat): readonly Buffer[] {
  const events: Buffer[] = [];
  for (let at = 0; at < piece.length; ) {
    const start = format === 'protobuf' ? at + 4 : at;
    const end = endOfEvent(piece, at, format);
    events.push(piece.subarray(start, end));
    at = end;
  }
  return events;
}

function endOfEvent(piece: Buffer, at: number, format: EventFormat): number {
  switch (format) {
    case 'cbor':
      return itemEnd(piece, at);
    case 'protobuf':
      return at + 4 + piece.readUInt32BE(at);
    default:
      return endOfLine(piece, at);
  }
}

/** The line end belongs to the event, as in the original. */
function endOfLine(piece: Buffer, at: number): number {
  const found = piece.indexOf(10, at);
  return found < 0 ? piece.length : found + 1;
}
