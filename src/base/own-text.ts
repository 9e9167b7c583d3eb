/** A copy, for what is remembered: a text that was cut out of a body or a header keeps all of that in memory. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
