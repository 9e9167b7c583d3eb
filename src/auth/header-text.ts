const beyondAscii = /[\u0080-\uffff]/;
const wide = /[\u0100-\uffff]/;

/** The text of a header, whose bytes Node gives as characters: Go takes them for UTF-8, and shows those that are not as U+FFFD. */
export function headerText(value: string): string {
  return beyondAscii.test(value) && !wide.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}
