// Fields of etcd's messages, written from the last to the first, as ProtobufWriter wants them. Zeros are left out, as proto3 does.
import type { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';
import type { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';

export function writeBytes(writer: ProtobufWriter, tag: number, value: Uint8Array): void {
  const before = writer.length;
  writer.bytes(value);
  writer.close(tag, before);
}

export function writeText(writer: ProtobufWriter, tag: number, value: string): void {
  const before = writer.length;
  writer.text(value);
  writer.close(tag, before);
}

export function writeNumber(writer: ProtobufWriter, tag: number, value: number | bigint): void {
  if (value === 0) return;
  writer.varint(value);
  writer.key(tag, 0);
}

export function writeFlag(writer: ProtobufWriter, tag: number, value: boolean): void {
  if (!value) return;
  writer.boolean(value);
  writer.key(tag, 0);
}

export function writeMessage(writer: ProtobufWriter, tag: number, write: () => void): void {
  const before = writer.length;
  write();
  writer.close(tag, before);
}

/** Shows the number of every field to `read`, which takes its value and returns true, or leaves it to be passed over. */
export function readFields(reader: ProtobufReader, message: string, read: (field: number) => boolean): void {
  while (!reader.done) {
    const key = reader.key(message);
    if (!read(key >>> 3)) reader.skip(key & 7);
  }
}

/** Revisions, counts and times fit into a number. */
export function readNumber(reader: ProtobufReader): number {
  return Number(reader.int64());
}
