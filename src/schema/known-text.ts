// Field sets are long, and hardly anybody looks into one: an entry of managedFields whose JSON text is at hand is written from that text,
// and the set is parsed when somebody reads it after all. test/bench pays for this with every write.

interface Known {
  text: string | undefined;
}

const known = Symbol('the text of fieldsV1');

/** Gives the entry its `fieldsV1`: to readers it is a value like any other. */
export function defineFields(entry: object, text: string): void {
  const source: Known = { text };
  Object.defineProperty(entry, known, { value: source });
  Object.defineProperty(entry, 'fieldsV1', {
    enumerable: true,
    configurable: true,
    get: () => settle(entry, source, JSON.parse(text)),
    set: (value: unknown) => {
      settle(entry, source, value);
    },
  });
}

/** From now on the value counts, which may be changed in place. */
function settle(entry: object, source: Known, value: unknown): unknown {
  source.text = undefined;
  Object.defineProperty(entry, 'fieldsV1', { value, enumerable: true, configurable: true, writable: true });
  return value;
}

/** The text of an entry's `fieldsV1`; undefined when only the value is known. */
export function knownFieldsText(entry: object): string | undefined {
  return (entry as { readonly [known]?: Known })[known]?.text;
}
