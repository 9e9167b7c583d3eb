// Where the values of a JSON document stand, without parsing it: strings without their quotes, numbers and literals as they are.

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Start and end of each value in turn. Names of members are no values. */
export function leavesOf(json: Uint8Array): readonly number[] {
  const leaves: number[] = [];
  for (let at = 0; at < json.length; ) {
    const byte = json[at] as number;
    if (byte === quote) {
      const end = endOfString(json, at + 1);
      if (json[end + 1] !== colon) leaves.push(at + 1, end);
      at = end + 1;
    } else if (isPunctuation(byte)) at++;
    else {
      const end = endOfBare(json, at);
      leaves.push(at, end);
      at = end;
    }
  }
  return leaves;
}

/** `at` is behind the opening quote; the closing one stands at the end returned. */
export function endOfString(json: Uint8Array, at: number): number {
  let end = at;
  while (end < json.length && json[end] !== quote) end += json[end] === backslash ? 2 : 1;
  return Math.min(end, json.length);
}

/** Of a number, `true`, `false` or `null`. */
export function endOfBare(json: Uint8Array, at: number): number {
  let end = at;
  while (end < json.length && !isPunctuation(json[end] as number)) end++;
  return end;
}

function isPunctuation(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === colon || byte === openBrace || byte === openBracket || byte === closeBracket || byte <= space;
}
