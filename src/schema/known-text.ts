// Field sets are long, and hardly anybody looks into one: an entry of managedFields whose JSON text is at hand is written from that text,
// and the set is parsed when somebody reads it after all. test/bench pays for this with every write.

/** JSON text, or its bytes where nobody has needed more yet. */
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

/** The same for whoever only writes it. */
export function knownFields(entry: object): FieldsText | undefined {
  return (entry as Entry)[known];
}

function decoded(text: FieldsText): string {
  return typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.length).toString();
}
