// Where the values of a JSON document stand, without parsing it: strings without their quotes, numbers and literals as they are. In the field sets of
// managedFields names are values too: `k:{"ip":"10.0.0.1"}` is another one in every pod that has an address.

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterK = 0x6b;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Start and end of each value in turn. */
export function leavesOf(json: Uint8Array): readonly number[] {
  const leaves: number[] = [];
  const names = new FieldSetNames();
  for (let at = 0; at < json.length; ) {
    const byte = json[at] as number;
    if (byte === quote) {
      const end = endOfString(json, at + 1);
      if (json[end + 1] !== colon || names.isValue(json, at + 1, end)) leaves.push(at + 1, end);
      at = end + 1;
    } else if (isPunctuation(byte)) {
      names.pass(byte);
      at++;
    } else {
      const end = endOfBare(json, at);
      leaves.push(at, end);
      at = end;
    }
  }
  return leaves;
}

/** The way to a field set, by the depth at which each name stands: `metadata.managedFields[].fieldsV1`. */
const way: ReadonlyMap<number, Buffer> = new Map([
  [1, Buffer.from('metadata')],
  [2, Buffer.from('managedFields')],
  [4, Buffer.from('fieldsV1')],
]);
const setDepth = 4;

/** Knows of each name whether it is a key of a list in a field set. */
class FieldSetNames {
  #depth = 0;
  /** Down to this depth we are on the way. */
  #reached = 0;

  pass(byte: number): void {
    if (byte === openBrace || byte === openBracket) this.#depth++;
    else if (byte === closeBrace || byte === closeBracket) this.#depth--;
  }

  isValue(json: Uint8Array, start: number, end: number): boolean {
    const depth = this.#depth;
    if (depth > setDepth) return this.#reached === setDepth && json[start] === letterK && json[start + 1] === colon && json[start + 2] === openBrace;
    const step = way.get(depth);
    if (step === undefined) return false;
    const before = depth === setDepth ? 2 : depth - 1;
    if (this.#reached >= before) this.#reached = step.equals(json.subarray(start, end)) ? depth : before;
    return false;
  }
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
