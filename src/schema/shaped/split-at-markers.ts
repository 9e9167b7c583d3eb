// Text with markers in it, taken apart at them.
import type { HoleKind, Piece } from '#schema/shaped/form-layout.ts';

export function splitAtMarkers(text: string, holes: ReadonlyMap<string, number>, kindOf: (marker: string) => HoleKind): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest = 0;
  if (holes.size > 0) {
    for (const { 0: marker, index } of text.matchAll(new RegExp([...holes.keys()].map(quoted).join('|'), 'g'))) {
      pieces.push(Buffer.from(text.slice(rest, index)), { is: kindOf(marker), hole: holes.get(marker) as number });
      rest = index + marker.length;
    }
  }
  return [...pieces, Buffer.from(text.slice(rest))];
}

function quoted(marker: string): string {
  return marker.replace(/[+.]/g, '\\$&');
}
