/** RFC 3339 in UTC, whole seconds: the form of every Time on the wire. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Since 1970; a pointer to Go's zero time, which is null, lies before everything else. */
export function millisecondsOf(time: string | null): number {
  return Date.parse(time ?? '0001-01-01T00:00:00Z');
}
