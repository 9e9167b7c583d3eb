// JSON inside protobuf: the raw bytes of RawExtension, FieldsV1 and JSON.
import { nodeToValue, parseNode } from '#schema/json/json-node.ts';
import { ProtobufError } from '#base/protobuf/protobuf-reader.ts';

export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The one value JSON.stringify knows no text for.
    if (error instanceof TypeError) return withBigints(value);
    throw error;
  }
}

function withBigints(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => withBigints(item ?? null)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${withBigints(member)}`).join(',')}}`;
}

const longNumber = /\d{16}/;

/** Nothing at all stands for null. */
export function jsonValue(bytes: Buffer): unknown {
  if (bytes.length === 0) return null;
  const text = bytes.toString('utf8');
  try {
    return longNumber.test(text) ? nodeToValue(parseNode(text)) : JSON.parse(text);
  } catch (error) {
    throw new ProtobufError(`invalid JSON in a raw field: ${error instanceof Error ? error.message : String(error)}`);
  }
}
