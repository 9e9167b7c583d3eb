// managedFields as text. A field set (`fieldsV1`) is often half of an object and is seldom looked into, so that it stays the text it is:
//   - `defineFields` gives an entry its text; encoding copies it, and only a reader of `entry.fieldsV1` makes it parse (this file);
//   - `leaveOutSets` cuts the sets out of stored or sent bytes before JSON.parse sees them, `giveSetsBack` hands them to the parsed entries
//     (stored-entries.ts); sets of the last objects are recognised by their bytes (recent-field-sets.ts);
//   - a creator's set is written straight from the object (patch/fields-text/created-fields.ts), an applier's from its configuration
//     (mentioned-fields.ts), both without building a FieldSet; where one is needed, sets-by-text.ts keeps the last ones by their text.
// Everything has a long way beside it (patch/apply) that gives the same text; test/property/field-tracking.test.ts compares the two.
// Paid for by `npx tsx test/bench/codec.ts` (parse, decode, encode) and the create, update and apply cells of `npm run bench`.

/** JSON text, or its bytes where no reader has needed a string yet. */
export type FieldsText = string | Uint8Array;

const known = Symbol('the text of fieldsV1');

interface Entry {
  [known]?: FieldsText | undefined;
}

/** Gives the entry its `fieldsV1`: to readers it is a value like any other. */
export function defineFields(entry: object, text: FieldsText): void {
  Object.defineProperty(entry, known, { value: text, writable: true });
  Object.defineProperty(entry, 'fieldsV1', parsedWhenRead);
}

/** One for all: an accessor of its own would make a slow dictionary of each entry. */
const parsedWhenRead: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: Entry) {
    return settle(this, JSON.parse(decoded(this[known] as FieldsText)));
  },
  set(this: Entry, value: unknown) {
    settle(this, value);
  },
};

/** From now on the value counts, which may be changed in place. */
function settle(entry: Entry, value: unknown): unknown {
  entry[known] = undefined;
  Object.defineProperty(entry, 'fieldsV1', { value, enumerable: true, configurable: true, writable: true });
  return value;
}

/** The text of an entry's `fieldsV1`; undefined when only the value is known. */
export function knownFieldsText(entry: object): string | undefined {
  const text = knownFields(entry);
  return text === undefined ? undefined : decoded(text);
}

/** The same for encoders, which copy bytes as they are. */
export function knownFields(entry: object): FieldsText | undefined {
  return (entry as Entry)[known];
}

function decoded(text: FieldsText): string {
  return typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.length).toString();
}
