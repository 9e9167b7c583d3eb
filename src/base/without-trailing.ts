/** Without the given character at its end, however often it stands there. A pattern such as /\/+$/ would start anew at every one of a long row. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
