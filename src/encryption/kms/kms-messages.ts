// The messages of the KMS v2 plugin API, and the envelope in which an object lies in the store.
import { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';
import { readFields, readNumber, writeBytes, writeMessage, writeNumber, writeText } from '#base/protobuf/message-fields.ts';

export type Annotations = ReadonlyMap<string, Uint8Array>;

export interface StatusResponse {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

export interface EncryptResponse {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: Annotations;
}

export interface DecryptRequest extends EncryptResponse {
  readonly uid: string;
}

/** The plaintext of `dekSource` is the key itself, or a seed from which every object has a key of its own. */
export const dekSourceType = { aesGcmKey: 0, hkdfSeed: 1 } as const;

export interface EncryptedObject {
  readonly data: Uint8Array;
  readonly keyId: string;
  readonly dekSource: Uint8Array;
  readonly annotations: Annotations;
  readonly dekSourceType: number;
}

export function readStatus(bytes: Uint8Array): StatusResponse {
  const found = { version: '', healthz: '', keyId: '' };
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'StatusResponse', (field) => {
    if (field === 1) found.version = reader.text();
    else if (field === 2) found.healthz = reader.text();
    else if (field === 3) found.keyId = reader.text();
    else return false;
    return true;
  });
  return found;
}

export function encodeEncrypt(plaintext: Uint8Array, uid: string): Buffer {
  const writer = new ProtobufWriter(plaintext.length + uid.length + 64);
  writeText(writer, 2, uid);
  writeBytes(writer, 1, plaintext);
  return writer.take();
}

export function readEncrypt(bytes: Uint8Array): EncryptResponse {
  const found = { ciphertext: none, keyId: '', annotations: new Map<string, Uint8Array>() };
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'EncryptResponse', (field) => {
    if (field === 1) found.ciphertext = copied(reader.bytes());
    else if (field === 2) found.keyId = reader.text();
    else if (field === 3) readAnnotation(reader, found.annotations);
    else return false;
    return true;
  });
  return found;
}

export function encodeDecrypt({ ciphertext, uid, keyId, annotations }: DecryptRequest): Buffer {
  const writer = new ProtobufWriter();
  writeAnnotations(writer, 4, annotations);
  writeText(writer, 3, keyId);
  writeText(writer, 2, uid);
  writeBytes(writer, 1, ciphertext);
  return writer.take();
}

/** The plaintext. */
export function readDecrypt(bytes: Uint8Array): Buffer {
  let plaintext = none;
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'DecryptResponse', (field) => {
    if (field !== 1) return false;
    plaintext = copied(reader.bytes());
    return true;
  });
  return plaintext;
}

export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  const writer = new ProtobufWriter(object.data.length + 1024);
  writeNumber(writer, 5, object.dekSourceType);
  writeAnnotations(writer, 4, object.annotations);
  writeBytes(writer, 3, object.dekSource);
  writeText(writer, 2, object.keyId);
  writeBytes(writer, 1, object.data);
  return writer.take();
}

export function readEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const found = { data: none, keyId: '', dekSource: none, annotations: new Map<string, Uint8Array>(), dekSourceType: 0 };
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'EncryptedObject', (field) => {
    if (field === 1) found.data = reader.bytes();
    else if (field === 2) found.keyId = reader.text();
    else if (field === 3) found.dekSource = reader.bytes();
    else if (field === 4) readAnnotation(reader, found.annotations);
    else if (field === 5) found.dekSourceType = readNumber(reader);
    else return false;
    return true;
  });
  return found;
}

const none: Buffer = Buffer.alloc(0);

function copied(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

function writeAnnotations(writer: ProtobufWriter, tag: number, annotations: Annotations): void {
  for (const [name, value] of annotations) {
    writeMessage(writer, tag, () => {
      writeBytes(writer, 2, value);
      writeText(writer, 1, name);
    });
  }
}

function readAnnotation(outer: ProtobufReader, annotations: Map<string, Uint8Array>): void {
  outer.nested((reader) => {
    let [name, value] = ['', none];
    readFields(reader, 'AnnotationsEntry', (field) => {
      if (field === 1) name = reader.text();
      else if (field === 2) value = copied(reader.bytes());
      else return false;
      return true;
    });
    annotations.set(name, value);
  });
}
