const last = { second: Number.NaN, text: '' };

/** RFC 3339 in UTC, whole seconds: the form of every Time on the wire. Many writes share a second. */
export function wholeSeconds(date: Date): string {
  const second = Math.floor(date.getTime() / 1000);
  if (second !== last.second) {
    last.text = `${date.toISOString().slice(0, 19)}Z`;
    last.second = second;
  }
  return last.text;
}
