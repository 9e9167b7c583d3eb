/** What reading a text gave: a value, or the problem in the words of the Go package that upstream reads it with. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function unparsed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
