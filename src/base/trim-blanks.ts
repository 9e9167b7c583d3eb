/** Without the blanks (U+0020 only) at both ends. A pattern such as / +$/ would start anew at every blank of a long row. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === blank) start += 1;
  while (end > start && text.charCodeAt(end - 1) === blank) end -= 1;
  return text.slice(start, end);
}

const blank = 0x20;
