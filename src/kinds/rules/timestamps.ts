/** RFC 3339 in UTC, whole seconds: the form of every Time on the wire. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
