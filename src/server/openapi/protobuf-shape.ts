// How JSON of an OpenAPI document becomes the protobuf form that gnostic defines: a table of shapes, and the walk over it.
import { stringify } from 'yaml';
import { nextTurn } from '#base/next-turn.ts';
import { BackwardWriter } from '#server/openapi/backward-writer.ts';

export type Shape =
  | { readonly is: 'string' | 'bool' | 'int64' | 'double' }
  /** Anything: a message with the value as YAML text. */
  | { readonly is: 'any' }
  | { readonly is: 'list'; readonly of: Shape }
  /** A map: a message with a repeated field of name and value. */
  | { readonly is: 'named'; readonly tag: number; readonly of: Shape }
  /** One field of several, by what the value looks like. Zero values are written, too. */
  | { readonly is: 'choice'; readonly pick: (value: unknown) => FieldShape | undefined }
  | MessageShape;

export interface MessageShape {
  readonly is: 'message';
  readonly fields: Readonly<Record<string, FieldShape>>;
  /** Where `x-…` keys go. */
  readonly extensions?: number;
}

export type FieldShape = readonly [tag: number, shape: Shape];

export const string: Shape = { is: 'string' };
export const bool: Shape = { is: 'bool' };
export const int64: Shape = { is: 'int64' };
export const double: Shape = { is: 'double' };
export const any: Shape = { is: 'any' };
export const strings: Shape = { is: 'list', of: string };

/** `fields` is read on first use, so that shapes may contain themselves. */
export function message(fields: () => MessageShape['fields'], extensions?: number): Shape {
  let built: MessageShape['fields'] | undefined;
  return {
    is: 'message',
    get fields() {
      built ??= fields();
      return built;
    },
    ...(extensions !== undefined && { extensions }),
  };
}

export function listOf(of: Shape): Shape {
  return { is: 'list', of };
}

export function named(tag: number, of: Shape): Shape {
  return { is: 'named', tag, of };
}

export function choice(pick: (value: unknown) => FieldShape | undefined): Shape {
  return { is: 'choice', pick };
}

/** Large documents are written in turns, so that other requests are served meanwhile. */
export async function toProtobuf(document: unknown, shape: Shape): Promise<Buffer> {
  const walk = { writer: new BackwardWriter(1 << 20), yaml: new Map<string, string>() };
  await writeInTurns(shape, document, walk, 3);
  return walk.writer.finish();
}

interface Walk {
  readonly writer: BackwardWriter;
  /** Extensions repeat themselves: their YAML by their JSON. */
  readonly yaml: Map<string, string>;
}

type JsonObject = Readonly<Record<string, unknown>>;

const entriesPerTurn = 16;

async function writeInTurns(shape: Shape, value: unknown, walk: Walk, depth: number): Promise<void> {
  if (depth > 0 && shape.is === 'message') return writeMessageInTurns(shape, value as JsonObject, walk, depth - 1);
  if (depth === 0 || shape.is !== 'named') return writeContent(shape, value, walk);
  const entries = Object.entries(value as JsonObject);
  for (let end = entries.length; end > 0; end -= entriesPerTurn) {
    writeNamed(shape.tag, shape.of, entries.slice(Math.max(0, end - entriesPerTurn), end), walk);
    await nextTurn();
  }
}

async function writeMessageInTurns(shape: MessageShape, value: JsonObject, walk: Walk, depth: number): Promise<void> {
  const { writer } = walk;
  for (const [key, [tag, field]] of fieldsBackward(shape, value)) {
    if (field.is !== 'message' && field.is !== 'named') {
      writeOneField(key, [tag, field], value, walk);
      continue;
    }
    const before = writer.length;
    await writeInTurns(field, value[key], walk, depth);
    writer.varint(writer.length - before);
    writer.tag(tag, 2);
  }
}

function writeContent(shape: Shape, value: unknown, walk: Walk): void {
  switch (shape.is) {
    case 'string':
      return walk.writer.text(String(value));
    case 'bool':
      return walk.writer.varint(value === true ? 1 : 0);
    case 'int64':
      return walk.writer.varint(value as number);
    case 'double':
      return walk.writer.double(value as number);
    case 'any':
      return writeField(2, string, yamlOf(value, walk), walk);
    case 'message':
      return writeMessage(shape, value as JsonObject, walk);
    case 'named':
      return writeNamed(shape.tag, shape.of, Object.entries(value as JsonObject), walk);
    case 'choice': {
      const picked = shape.pick(value);
      return picked === undefined ? undefined : writeField(picked[0], picked[1], value, walk);
    }
    case 'list':
      throw new Error('a list has no content of its own');
  }
}

function writeField(tag: number, shape: Shape, value: unknown, walk: Walk): void {
  if (shape.is === 'list') {
    for (const item of (value as readonly unknown[]).toReversed()) writeField(tag, shape.of, item, walk);
    return;
  }
  const { writer } = walk;
  const before = writer.length;
  writeContent(shape, value, walk);
  if (shape.is === 'bool' || shape.is === 'int64') return writer.tag(tag, 0);
  if (shape.is === 'double') return writer.tag(tag, 1);
  writer.varint(writer.length - before);
  writer.tag(tag, 2);
}

function writeMessage(shape: MessageShape, value: JsonObject, walk: Walk): void {
  for (const [key, field] of fieldsBackward(shape, value)) writeOneField(key, field, value, walk);
}

/** The fields that are there, the last one first; extensions are the field without a name. */
function fieldsBackward({ fields, extensions }: MessageShape, value: JsonObject): [string, FieldShape][] {
  const present = Object.entries(fields).filter(([key, [, shape]]) => value[key] !== undefined && !(isScalar(shape) && isZero(value[key])));
  if (extensions !== undefined) present.push(['', [extensions, any]]);
  return present.sort(([, [a]], [, [b]]) => b - a);
}

function writeOneField(key: string, [tag, shape]: FieldShape, value: JsonObject, walk: Walk): void {
  if (key === '') writeExtensions(tag, value, walk);
  else writeField(tag, shape, value[key], walk);
}

function isScalar({ is }: Shape): boolean {
  return is === 'string' || is === 'bool' || is === 'int64' || is === 'double';
}

/** What proto3 leaves out. */
function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

function writeExtensions(tag: number, value: JsonObject, walk: Walk): void {
  writeNamed(
    tag,
    any,
    Object.entries(value).filter(([key]) => key.startsWith('x-')),
    walk,
  );
}

function writeNamed(tag: number, shape: Shape, entries: readonly [string, unknown][], walk: Walk): void {
  const { writer } = walk;
  for (const [name, value] of entries.toReversed()) {
    const before = writer.length;
    writeField(2, shape, value, walk);
    writeField(1, string, name, walk);
    writer.varint(writer.length - before);
    writer.tag(tag, 2);
  }
}

function yamlOf(value: unknown, { yaml }: Walk): string {
  const key = JSON.stringify(value);
  const text = yaml.get(key) ?? stringify(value, { lineWidth: 0, singleQuote: true }).replace(/(^| )''$/gm, '$1""');
  yaml.set(key, text);
  return text;
}
