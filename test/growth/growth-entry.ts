// One thing that a request makes the server do, and inputs of any size for it.

export interface GrowthEntry {
  /** What the sender does, as a sentence about the input. */
  readonly name: string;
  /** Exports under src that this entry stands for, as `src/api/names.ts#parseApiVersion`. One export may have several entries: one per hostile form. */
  readonly covers: readonly string[];
  /** The largest input that is tried: what a head may hold, or less where a limit of ours is below that. */
  readonly maxBytes: number;
  /** Makes the work on an input of about `bytes` bytes. What is made here is not measured; what the returned function does is. */
  readonly prepare: (bytes: number) => () => unknown;
}

/** What a head may hold: names and values of headers, the path and the query. */
export const headBytes = 1024 * 1024;
/** Bodies may hold 3 MiB; what grows with the square shows it long before. */
export const bodyBytes = 1024 * 1024;

/** `unit` again and again, `bytes` long. */
export function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
}

/** As many numbered units as fit into `bytes`. */
export function numbered(unit: (index: number) => string, bytes: number): string[] {
  const units: string[] = [];
  for (let length = 0; length < bytes; length += units.at(-1)?.length ?? 1) units.push(unit(units.length));
  return units;
}

/** An entry about one text; a refusal is as good as an answer. */
export function textEntry(name: string, covers: string, text: (bytes: number) => string, take: (text: string) => unknown, maxBytes = headBytes): GrowthEntry {
  return {
    name,
    covers: [covers],
    maxBytes,
    prepare: (bytes) => {
      const made = text(bytes);
      return () => take(made);
    },
  };
}
