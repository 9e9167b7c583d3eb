/** The single events in a piece of a watch: lines of JSON, or protobuf messages without the length that stood before each. */
export function splitEvents(piece: Buffer, format: 'json' | 'protobuf'): readonly Buffer[] {
  const events: Buffer[] = [];
  for (let at = 0; at < piece.length; ) {
    const start = format === 'json' ? at : at + 4;
    const end = format === 'json' ? endOfLine(piece, at) : start + piece.readUInt32BE(at);
    events.push(piece.subarray(start, end));
    at = end;
  }
  return events;
}

/** The line end belongs to the event, as in the original. */
function endOfLine(piece: Buffer, at: number): number {
  const found = piece.indexOf(10, at);
  return found < 0 ? piece.length : found + 1;
}
